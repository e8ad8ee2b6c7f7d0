"""Games as text, and all that a scan names in them; both paths, and what is rewritten."""

import pickle
import random
import re
from typing import Any

import chess
import chess.variant
import pytest

from sanproof.verify.scan.chunks import DeviatingMove
from sanproof.verify.scan.movetext import games
from sanproof.verify.scan.reading import read_game
from tests.verify.scan.pgn import game, options, scanned

BARE = "8/8/8/8/8/8/8/8 w - - 0 1"
CASTLING = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w {} - 0 1"
RIGHTS = f'[FEN "{CASTLING.format("KQkq")}"]'
BARE_RIGHTS = "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"
MATE = "1. f3 e5 2. g4 Qh4#"
FIFTY = "8/8/8/3k4/8/8/4R3/4K3 w - - 149 200"
THREE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+3 0 1"
DROPS = "1. e4 d5 2. exd5 Qxd5 3. P@e6?! Qxd2+ 4. Bxd2 P@d3+?? 5. @d7+ *"
GERMAN = "1. Sf3 e5 2. h4 Lc5 *"

# A movetext, with what is asked for and the tags; what deviates, as ``written=canonical kind`` (of
# a variation after its number); and some of what is counted.
GAMES: list[tuple[str, dict[str, Any], list[str], str]] = [
    # The form of movetext.
    ("1.e4 e5 2.Nf3", {}, [], "moves 3, games_without_result 1"),
    ("1. e4 {[%clk 0:01]} 1... e5 $1 $22 *", {}, [], "moves 2"),
    ("1. e4 (1. d4 (1. c4 {)}) d5) 1... e5 *", {}, [], "moves 2"),
    ("1. e4 ; a remark ( {\n e5 *", {}, [], "moves 2"),
    ("1. e4\n% a remark ( {\ne5 *", {}, [], "moves 2"),
    ("1. e4!? e5?? ! 2. Nf3! 1/2-1/2", {}, [], "moves 3"),
    ("1. e4 e5 2 Nf3\u202fNc6 *", {}, ["\u202f= no-break-space"], "moves 4"),
    ("*", {}, [], "games_without_moves 1"),
    ("{ never closed 1. e4", {}, [], "games_unclosed 1, move_texts_not_read 3"),
    ("1. e4 (1. d4 *", {}, [], "games_unclosed 1, moves 1, games_without_result 1"),
    ("1. e4 * e5", {}, ["e5= after-result"], "games_after-result 1, moves 1"),
    ("1. e4 e5 1-0 1. d4 d5 0-1", {}, ["d4= after-result"], "moves 2, move_texts_not_read 2"),
    ("1. e4 1/2", {}, ["1/2=1/2-1/2 other-result"], "games_read 1"),
    (f"{MATE} 1\u20130", {}, ["1\u20130=1-0 other-result", "1\u20130= wrong-result"], ""),
    ("1. e4 *\n\x1a", {}, ["\x1a= control-z"], "games_read 1"),
    ("1. e4 (1. d4 1/2) {1/2\xa0} *", {}, [], "moves 1"),
    # Texts that deviate, or denote no move.
    ("1. e4! e5?! 2. Nf3!!! *", {}, ["!!!=$3 evaluation-sign"], "games_read 1"),
    ("1. e2e4!? {0-0 Ng1f3} e5 ( e7e5 )\n\n2. Ng1f3 *", {}, ["e2e4=e4 coordinate-notation",
     "Ng1f3=Nf3 excess-square"], "deviating_moves 2"),
    ("1. Nd4 e5 *", {}, ["Nd4= illegal cannot-reach"], "games_stopped 1, move_texts_not_read 2"),
    ("1. e4 -- 2. d4 Z0 3. e5 e7e6 4. exd6 *", {}, ["--= null-move", "Z0= null-move",
     "e7e6=e6 coordinate-notation", "exd6= illegal nothing-to-capture"],
     "moves 1, null_moves 2, moves_after_null_moves 3"),
    ("1. e4 f6 2. Qh5+ -- *", {}, ["--= not-san"], "games_stopped 1"),
    # Positions and variants.
    ("1. e4 *", {"fen": BARE}, [], "games_bad-position 1, games_from_position 1"),
    ("1. e4", {"Variant": "From Position"}, [], "moves 1"),
    ("1. e4 *", {"Variant": "Nonesuch"}, [], "games_variant 1, move_texts_not_read 1"),
    ("1. e4 *", {"Variant": "Atomic", "fen": "nonsense"}, [], "games_bad-position 1"),
    ("1. e4 *", {"Variant": "Atomic", "fen": "8/\r8"}, [], "games_bad-position 1"),
    ("1. e4 *", {"Variant": "At\romic"}, [], "games_variant 1"),
    ("1. e4 *", {"Variant": "Atomic", "fen": BARE}, [], "games_bad-position 1"),
    ("1. e4 *", {"Variant": "Atomic", "fen": "8/" * 500}, [], "games_bad-position 1"),
    (DROPS, {"Variant": "Crazyhouse"}, ["P@e6=@e6 pawn-letter",
     "P@d3+=@d3 pawn-letter superfluous-check", "@d7+= not-san"],
     "variant crazyhouse moves 8, variant crazyhouse moves_not_proven 2"),
    ("1. a4 a5 2. 0-0 O-O-O *", {"Variant": "Chess960", "fen": CASTLING.format("EAea")},
     ["0-0=O-O zeros-in-castling"], "variant chess960 moves 4"),
    ("1. a4 a5 2. 0-0 O-O-O *", {"Variant": "Chess960", "fen": CASTLING.format("KQkq")},
     ["0-0=O-O zeros-in-castling"], "variant chess960 games 1"),
    ("1. a4 a5 *", {"fen": CASTLING.format("KQkq")}, [], "variant chess960 games 1"),
    ("1. a4 *", {"fen": CASTLING.format("KQkq"), "Variant": "Standard"},
     [f"{RIGHTS}= excess-castling-right"], "moves 1"),
    ("1. Ke2 *", {"fen": BARE_RIGHTS}, [f'[FEN "{BARE_RIGHTS}"]= excess-castling-right'],
     "moves 1"),
    ("1. Ke2 *", {"fen": BARE_RIGHTS, "Variant": "Chess960"},
     [f'[FEN "{BARE_RIGHTS}"]= excess-castling-right'], "variant chess960 moves 1"),
    # Marks that PGN does not know.
    ("1. e4 +- e5 -+ 2. Nf3 = Nc6 \u00b1 3. Bb5 \u2213 a6 \u2a72 4. Ba4 \u2a71 Nf6 \u221e D *", {},
     ["+-=$18 evaluation-sign", "-+=$19 evaluation-sign", "==$10 evaluation-sign",
     "\u00b1=$16 evaluation-sign", "\u2213=$17 evaluation-sign", "\u2a72=$14 evaluation-sign",
     "\u2a71=$15 evaluation-sign", "\u221e=$13 evaluation-sign",
     "D=$220 evaluation-sign"], "games_read 1, moves 8"),
    ("1. Nf3+- d5\u00b1 2. e3\u203c e6!?N 3. Bd3N Bd6??? 4. c4 !!! *", {},
     ["+-=$18 evaluation-sign", "\u00b1=$16 evaluation-sign", "\u203c=$3 evaluation-sign",
     "N=$146 evaluation-sign", "N=$146 evaluation-sign", "???=$4 evaluation-sign",
     "!!!=$3 evaluation-sign"], "moves 7"),
    ("1. e4 N f6 *", {}, ["N= not-san"], "moves 1"),  # it may be a knight's move in two parts
    ("1. e4, d5. 2. Bb5 , c6: *", {}, [",= stray-punctuation", ".= stray-punctuation",
     "Bb5=Bb5+ missing-check", ",= stray-punctuation", ":= stray-punctuation"], "moves 4"),
    ("1. e4 d5 2. Bb5+ ch c6 3. Bxc6 dbl ch Bd7 *", {}, ["ch= check-apart",
     "Bxc6=Bxc6+ missing-check", "dbl ch= check-apart"], "moves 6"),
    ("1. f3 e5 2. g4 Qh4mate 0-1", {}, ["Qh4=Qh4# missing-mate", "mate= check-apart"], "moves 4"),
    ("1. e4 d5 2. Bb5 + c6 *", {}, ["Bb5=Bb5+ missing-check", "+= check-apart"], "moves 4"),
    ("1. Nf30-1", {}, ["0-1=0-1 joined-result"], "games_read 1, moves 1"),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O1/2-1/2", {}, ["1/2-1/2=1/2-1/2 joined-result"],
     "moves 7"),
    ("1. e4 e5 1:0", {}, ["1:0=1-0 other-result"], "games_read 1"),
    ("1. e4 e5 1/2 - 1/2", {}, ["1/2 - 1/2=1/2-1/2 other-result"], "games_read 1"),
    ("1. e4 (1. f4, f5. 2. Nf3+- (2. Bc1,) Nf6 \u00b1 N) *", {"variations": True},
     ["1/,= stray-punctuation", "1/.= stray-punctuation", "1/+-=$18 evaluation-sign",
      "2/Bc1= illegal cannot-reach", "2/,= stray-punctuation", "1/\u00b1=$16 evaluation-sign",
      "1/N=$146 evaluation-sign"], "variation_moves 4"),
    # Results.
    ("1. e4 e5 0-1", {"Result": "1-0"}, ["0-1= wrong-result"], "games_read 1"),
    ("1. e4 e5 *", {"Result": "1-0"}, ["*= wrong-result"], "games_read 1"),
    ("1. e4 e5 1-0", {"Result": "?"}, [], "games_read 1"),
    ("1. e4 e5", {"Result": "1-0"}, [], "games_read 1"),
    # Languages: R is the knight in Estonian and Finnish, and the king in French.
    (GERMAN, {}, ["Sf3=Nf3 foreign-letter", "Lc5=Bc5 foreign-letter"], "moves 4"),
    (GERMAN, {"language": "en"}, ["Sf3= not-san"], "games_stopped 1"),
    (GERMAN, {"language": "es"}, ["Sf3= not-san"], "games_stopped 1"),
    ("1. \u041af3 \u041af6 *", {}, ["\u041af3=Nf3 foreign-letter",
     "\u041af6=Nf6 foreign-letter"], "moves 2"),
    ("1. Rf3 Tb8 *", {}, ["Rf3= illegal cannot-reach"], "games_stopped 1"),
    ("1. e4 e5 2. Ra3 Ta6 *", {}, ["Ra3= illegal blocked"], "games_stopped 1"),
    ("1. e4 e5 2. Re2 *", {"language": "es"}, ["Re2=Ke2 foreign-letter"], "moves 3"),
    # Results, which only a last position contradicts.
    ("1. e4 e5 1-0", {}, [], "moves 2"),
    (f"1. e4 -- {MATE} 1-0", {}, ["--= null-move", "Qh4#=Qh4+ check-written-as-mate"], ""),
    ("1. Re3 1-0", {"fen": FIFTY}, [], "moves 1"),
    ("1. e4 f6 2. Qh5+ 0-1", {"fen": THREE, "Variant": "Three-check"},
     ["Qh5+=Qh5# mate-written-as-check", "0-1= wrong-result"], ""),
    # Variations.
    ("1. e4! {a (1. d2d4) x} (1.d2d4!? $3 {e2e4} d5 ( 1...Ng8f6;(x\n) ) 1... e5 ( \te7e6?! ) *",
     {"variations": True}, ["1/d2d4=d4 coordinate-notation", "2/Ng8f6=Nf6 excess-square",
     "3/e7e6=e6 coordinate-notation"], "variations 3, deviating_variation_moves 3"),
    ("1. e4 (1. d4 Ke7 2. c4 (2. c3) (2. x)) (1. Ke3 e5 (1... c5)) e5 (c5 2. Nf3) *",
     {"variations": True}, ["1/Ke7= illegal own-piece", "4/Ke3= illegal cannot-reach"],
     "games_read 1, moves 2, variations 6, variation_moves 3, variation_texts_not_read 7"),
    ("1. e4 Ke3 (1... e5 2. Nx3 (2. Nf3)) (1... c5) 2. d4 (2. d3) *", {"variations": True},
     ["Ke3= illegal cannot-reach", "1/Nx3= not-san"],
     "variation_moves 3, variation_texts_not_read 2"),
    ("(1. d4) (1. c4) 1. e4 ((1. d4) 1. c4) *", {"variations": True},
     ["1/d4= no-move-replaced"], "moves 1, variation_texts_not_read 3"),
    ("1. e4 (1. d4 -- (1... d5) 2. c4) *", {"variations": True}, ["1/--= null-move"],
     "variation_moves 2, variation_moves_apart 2"),
    ("1. e4 a6 2. e5 d5 3. d4 (3. exd6 e.p.) *", {"variations": True},
     ["1/exd6 e.p.=exd6 en-passant-mark"], "variation_moves 1"),
    (GERMAN.replace("*", "(2... Sc6) *"), {"variations": True}, ["Sf3=Nf3 foreign-letter",
     "Lc5=Bc5 foreign-letter", "1/Sc6=Nc6 foreign-letter"], "variation_moves 1"),
    ("1. e4 (1. d2d4) *", {"variations": True, "Variant": "Atomic"},
     ["1/d2d4=d4 coordinate-notation"], "variation_moves_apart 1"),
]  # fmt: skip


SPACED = {"no-break-space", "stray-punctuation", "check-apart"}
JOINED = {"evaluation-sign", "joined-result"}

PLANTED = [
    ("", "♘f3", "Nf3", "figurine"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O\u2013O", "O-O", "typographic-dash"),
    ("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "N:e5", "Nxe5", "other-capture-sign"),
    ("8/1P2k3/8/8/8/8/8/4K3 w - - 0 1", "b8(Q)", "b8=Q", "promotion-in-parentheses"),
    ("8/1P2k3/8/8/8/8/8/4K3 w - - 0 1", "b8/Q", "b8=Q", "promotion-after-slash"),
    ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "Qh5++", "Qh5+", "double-plus check-written-as-mate"),
    ("", "e4(=)", "e4", "draw-offer"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6 e.p.", "exd6", "en-passant-mark"),
    ("", "e4ep", "e4", "false-en-passant-mark"),
    ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "", "ambiguous"),
    ("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "Nf3", "", "illegal pinned"),
    ("", "--", "", "null-move"),
    ("", "Sf3", "Nf3", "foreign-letter"),
    ("", "Zf3", "", "not-san"),
]
"""A position, a text in it, how its move is written, and what deviates."""
GAMES += [
    (f"{{ of two\nlines }} 1. {written} *", {"fen": fen}, [f"{written}={due} {kind}"], "")
    for fen, written, due, kind in PLANTED
]


@pytest.mark.parametrize(("movetext", "how", "deviations", "counts"), GAMES)
def test_a_game_is_read_and_rewritten(
    movetext: str, how: dict[str, Any], deviations: list[str], counts: str
) -> None:
    tags = {name: value for name, value in how.items() if name[0].isupper() or name == "fen"}
    asked = {name: value for name, value in how.items() if name not in tags}
    text = game(movetext, **tags)
    result = scanned(text.encode(), options()._replace(rewrite=True, **asked))
    found = result.deviations
    assert [in_short(d) for d in found] == deviations
    first = {d.fen for d in found if (d.ply, d.variation) == (1, 0)} - {""}
    assert first <= {how.get("fen") or chess.STARTING_FEN}
    for name, count in (each.rsplit(" ", 1) for each in counts.split(", ") if each):
        assert result.counts.get(name) == int(count), name
    lines = text.split("\n")
    for d in sorted(found, key=lambda d: (d.line, -d.column)):
        if d.kind == "wrong-result":  # it stays, and another deviation may be written over it
            continue
        line = lines[d.line - 1]
        assert line[d.column - 1 : d.end_column - 1] == d.written
        due = " " if d.kind in SPACED else d.canonical or d.written
        is_joined = d.kind in JOINED and d.column > 1 and line[d.column - 2] not in " \t})"
        due = f" {due}" if is_joined else due
        lines[d.line - 1] = line[: d.column - 1] + due + line[d.end_column - 1 :]
    assert result.rewritten.decode() == "\n".join(lines)


def in_short(d: DeviatingMove) -> str:
    number = f"{d.variation}/" if d.variation else ""
    return f"{number}{d.written}={d.canonical} {d.kind}"


VARIANTS = (
    *("Crazyhouse", "Atomic", "Antichess", "Horde", "King of the Hill", "Three-check"),
    "Racing Kings",
)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_of_a_variant_is_read_by_its_rules_and_counted_apart(name: str) -> None:
    variant, chosen = chess.variant.find_variant(name), random.Random(name)
    board = variant()
    texts: list[str] = []
    while len(texts) < 40 and not board.is_game_over():
        move = chosen.choice(list(board.legal_moves))
        texts.append(board.san(move))
        board.push(move)
    text = game(f"{' '.join(texts)} *", Variant=name) + game("1. Nd5 *", Variant=name)
    result = scanned(text.encode())
    assert (result.counts["games_read"], result.counts["games_stopped"]) == (1, 1)
    assert result.counts[f"variant {variant.uci_variant} moves"] == len(texts) > 10
    assert not result.seen
    assert not result.refuting
    assert [d.kind.split()[0] for d in result.deviations] == ["illegal"]


STALEMATE = (
    "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 "
    "9. Qxc8 Kg6 10. Qe6"
)
ENDS = (
    *((f"{MATE} {{White was winning}}", "", "0-1"), (STALEMATE, "", "1/2-1/2")),
    ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#", "", "1-0"),
    ("1. Kxe2", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "1/2-1/2"),
)


@pytest.mark.parametrize(("movetext", "fen", "right"), ENDS)
def test_a_result_is_named_only_if_the_board_contradicts_it(
    movetext: str, fen: str, right: str
) -> None:
    for told in ("1-0", "0-1", "1/2-1/2", "*"):
        result = scanned(game(f"{movetext} {told}", fen=fen, Result=told).encode())
        kinds = [(d.written, d.kind) for d in result.deviations]
        assert kinds == ([] if told in {right, "*"} else [(told, "wrong-result")]), told
        assert all(chess.Board(d.fen).outcome() is not None for d in result.deviations)
    other = "1-0" if right != "1-0" else "0-1"
    (d,) = scanned(game(f"{movetext} {right}", fen=fen, Result=other).encode()).deviations
    assert (d.kind, d.written) == ("wrong-result", f'[Result "{other}"]')


MALFORMED = {
    '[White"A"]': "A",
    '[\tWhite "A"]': "A",
    "[White A]": "A",
    "[White: 'A']": "A",
    '[White "A"': "A",
    '[White "A]': "A",
    '[White "O"Neill"]': 'O"Neill',
    '[White "A"]]': "A",
    '[White-Elo "1"][White"A"]': "A",
    '[White"A"] [Black "B"]': "A",
}
"""Malformed lines of tags, and what can be read of White's name."""


@pytest.mark.parametrize(("line", "name"), MALFORMED.items())
@pytest.mark.parametrize("place", range(4))
def test_a_malformed_tag_is_of_its_section(line: str, name: str, place: int) -> None:
    lines = ['[Event "x"]', '[Site "y"]', '[Black "B"]', '[Result "*"]']
    lines[place] = f"{line}\n{lines[place]}" if place < 3 else f"{lines[3]}\n{line}"
    text = game("1. d4 *") + "\n".join([*lines, "", "1. e4 e5 *", "", ""]) + game("1. c4 *")
    result = scanned(text.encode(), options()._replace(games=True, rewrite=True))
    assert [in_short(d) for d in result.deviations] == [f"{line}= malformed-tag"]
    assert [(g.moves, g.white, g.black, g.outcome) for g in result.games] == [
        (1, "", "", "read"),
        (2, name, "B", "read"),
        (1, "", "", "read"),
    ]
    assert result.rewritten.decode() == text


def test_a_malformed_fen_is_read() -> None:
    text = game("1. Kd2 *", Site="y").replace('[Site "y"]', '[FEN"4k3/8/8/8/8/8/8/4K3 w - - 0 1"]')
    result = scanned(text.encode())
    assert result.counts["games_read"] == result.counts["games_from_position"] == 1
    assert [d.kind for d in result.deviations] == ["malformed-tag"]


def test_empty_lines_between_tags_end_no_section_but_before_an_event() -> None:
    text = '[Event "x"]\n\n\n[White "A"]\n\n1. e4 *\n\n\n[Event "y"]\n\n\n[Event "z"]\n\n1. d4 *\n'
    result = scanned(text.encode(), options()._replace(games=True))
    assert [(g.event, g.white, g.moves) for g in result.games] == [
        ("x", "A", 1),
        ("y", "", 0),
        ("z", "", 1),
    ]
    assert [in_short(d) for d in result.deviations] == ['[White "A"]= empty-lines-in-tags']


def test_windows_1252_is_read_where_a_text_is_not_utf_8() -> None:
    text = game("1. e4 e5 1\u20130", White="\u0160imek", Black="M\u00fcller", Result="1-0")
    for encoding in ("cp1252", "utf-8"):
        result = scanned(text.encode(encoding), options()._replace(games=True))
        assert [(g.white, g.black) for g in result.games] == [("\u0160imek", "M\u00fcller")]
        assert [in_short(d) for d in result.deviations] == ["1\u20130=1-0 other-result"]
    text = text.replace("\u0160", "\x81").replace("1\u20130", "\xbd")
    result = scanned(text.encode("latin-1"), options()._replace(games=True))
    assert [g.white for g in result.games] == ["\x81imek"]
    assert [in_short(d) for d in result.deviations] == [
        "\xbd=1/2-1/2 other-result",
        "\xbd= wrong-result",
    ]


@pytest.mark.usually(2)
@pytest.mark.parametrize("token", ["\u00a0", "-- ", "Sf3 Sf6 ", "+- ", "\x1a ", "Nf3! "])
def test_what_is_kept_of_a_game_is_bounded(token: str) -> None:
    text = f'[Event "x"]\n\n1. e4 {token * 20_001} *\n'.encode()
    (long,) = games(text)
    assert long.is_too_long
    assert not long.moves
    assert not long.odd
    assert len(pickle.dumps(long)) < 1000
    assert long.left == 1 + 20_001 * len(re.findall("[A-Z]|--", token))
    assert read_game(long, text).outcome == "too-long"


def test_games_that_are_a_result_alone_are_counted_alike() -> None:
    text = b"*\n\n" * 30 + b"1. e4 *\n\n*\n"
    told = scanned(text, options()._replace(games=True))
    assert scanned(text).counts == told.counts
    assert told.counts["games_without_moves"] == 31
