"""Games of variants: read with their own rules, checked, and counted apart."""

import random

import chess
import chess.variant
import pytest

from sanproof.verify.scan.chunks import Chunk, ChunkResult
from sanproof.verify.scan.scanning import scan_chunk
from tests.verify.scan.pgn import game, options, scanned

VARIANTS = [
    *("Crazyhouse", "Atomic", "Antichess", "Horde", "King of the Hill", "Three-check"),
    "Racing Kings",
]
CASTLING = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w {} - 0 1"


def found(text: str) -> ChunkResult:
    return scan_chunk(Chunk("a.pgn", text.encode()), options()._replace(fast=False))


def random_game(board: chess.Board, variant: str, seed: int) -> str:
    start, chosen = board.fen(), random.Random(seed)
    texts: list[str] = []
    while len(texts) < 40 and not board.is_game_over():
        move = chosen.choice(list(board.legal_moves))
        texts.append(board.san(move))
        board.push(move)
    return game(f"{' '.join(texts)} *", fen=start, Variant=variant)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_of_a_variant_is_read_by_its_rules_and_counted_apart(name: str) -> None:
    variant = chess.variant.find_variant(name)
    result = found(random_game(variant(), name, 1) + game("1. Nd5 *", Variant=name))
    counts = result.counts
    assert (counts["games_read"], counts["games_stopped"]) == (1, 1)
    assert counts[f"variant {variant.uci_variant} moves"] > 10
    assert "moves" not in counts
    assert not result.seen
    assert not result.refuting
    assert [d.kind.split()[0] for d in result.deviations] == ["illegal"]


def test_pawns_are_dropped_with_their_letter_or_without() -> None:
    """Lichess wrote P@e6 for years; python-chess writes @e6."""
    moves = "1. e4 d5 2. exd5 Qxd5 3. P@e6?! Qxd2+ 4. Bxd2 P@d3+?? 5. @d7+ *"
    text = game(moves, Variant="Crazyhouse")
    result = found(text)
    named = [(d.written, d.canonical, d.kind) for d in result.deviations]
    assert named[0] == ("P@e6", "@e6", "pawn-letter")
    assert named[1] == ("P@d3+", "@d3", "pawn-letter superfluous-check")
    strict = scan_chunk(
        Chunk("a.pgn", text.encode()), options()._replace(strict=True, fast=False)
    ).deviations
    assert [d.kind for d in strict if d.ply > 1][:2] == [
        "pawn-letter annotation",
        "pawn-letter annotation superfluous-check",
    ]


@pytest.mark.parametrize("fen", [CASTLING.format("EAea"), CASTLING.format("KQkq")])
def test_castling_of_chess960_is_read_from_either_sort_of_fen(fen: str) -> None:
    moves = "1. a4 a5 2. 0-0 O-O-O *"
    result = found(game(moves, fen=fen, Variant="Chess960"))
    assert result.counts["variant chess960 moves"] == 4
    assert [(d.written, d.canonical) for d in result.deviations] == [("0-0", "O-O")]
    (row,) = found(game(moves, fen=fen)).games
    assert row.outcome == "bad-position"


def test_chess960_writes_nothing_that_chess_does_not() -> None:
    """The argument is in docs/scan.md; this plays some."""
    text = "".join(
        random_game(chess.Board.from_chess960_pos(number), "Chess960", number)
        for number in range(0, 960, 64)
    )
    counts = found(text).counts
    assert counts["games_read"] == counts["variant chess960 games"] == 15
    assert "variant chess960 moves_not_proven" not in counts


def test_moves_that_only_a_variant_has_are_known_to_be_so() -> None:
    moves = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxd2+ 4. Qxd2 Nf6 5. Q@d5 @e4+ *"
    result = found(game(moves, Variant="Crazyhouse"))
    assert result.counts["variant crazyhouse moves_not_proven"] == 2
    assert [(d.written, d.canonical, d.kind) for d in result.deviations] == [
        ("@e4+", "@e4", "superfluous-check")
    ]


def test_what_no_reader_knows_is_named() -> None:
    rows = found(
        game("1. e4 *", Variant="Bughouse 5D")
        + game("1. e4 *", Variant="Atomic", fen="nonsense")
        + game("1. e4 *", Variant="Atomic", fen="8/8/8/8/8/8/8/8 w - - 0 1")
        + game("1. e4 *", Variant="Atomic", fen="8/" * 500)
    ).games
    assert [row.outcome for row in rows] == ["variant", *["bad-position"] * 3]
    assert rows[0].reason == "Bughouse 5D"


GERMAN = "1. e4 e5 2. Sf3 Sc6 3. Lb5 Sf6 4. 0-0 Sxe4 5. Te1 Dh4 *"


def test_a_game_tells_its_language() -> None:
    for moves, count in (
        (GERMAN, 7),
        ("1. \u041af3 \u041af6 2. \u041ac3 *", 3),
        ("1. Cf3 d5 2. Tg1 *", 2),
    ):
        result = found(game(moves))
        assert result.counts["games_read"] == 1, moves
        foreign = [d for d in result.deviations if "foreign-letter" in d.kind.split()]
        assert len(foreign) == count
    (d, *_) = found(game(GERMAN)).deviations
    assert (d.written, d.canonical, d.kind, d.fen.split()[1]) == (
        "Sf3",
        "Nf3",
        "foreign-letter",
        "w",
    )


def test_a_game_that_may_be_in_several_languages_is_not_guessed() -> None:
    """R is the knight in Estonian and Finnish, and the king in French."""
    (row,) = found(game("1. Rf3 Tb8 *")).games
    assert row.outcome == "stopped"
    both = found(game("1. e4 e5 2. Ra3 Ta6 *"))
    assert both.counts.get("games_stopped") == 1


def test_the_language_may_be_told() -> None:
    wanted = options()._replace(language="es", fast=False)
    spanish = scan_chunk(Chunk("a", game("1. e4 e5 2. Re2 *").encode()), wanted)
    assert [(d.written, d.canonical) for d in spanish.deviations] == [("Re2", "Ke2")]
    assert scan_chunk(Chunk("a", game("1. Sf3 *").encode()), wanted).counts["games_stopped"] == 1
    assert (
        scan_chunk(Chunk("a", game(GERMAN).encode()), wanted._replace(language="en")).counts[
            "games_stopped"
        ]
        == 1
    )


MATE = "1. f3 e5 2. g4 Qh4#"
STALEMATE = (
    "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 "
    "9. Qxc8 Kg6 10. Qe6"
)
DEAD = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("movetext", "fen", "right"),
    [
        (MATE, "", "0-1"),
        (f"{MATE} {{White was winning}}", "", "0-1"),
        ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#", "", "1-0"),
        (STALEMATE, "", "1/2-1/2"),
        ("1. Kxe2", DEAD, "1/2-1/2"),
    ],
)
def test_a_result_is_named_only_if_the_board_contradicts_it(
    movetext: str, fen: str, right: str
) -> None:
    for told in ("1-0", "0-1", "1/2-1/2", "*"):
        result = scanned(game(f"{movetext} {told}", fen=fen, Result=told).encode())
        kinds = [(d.written, d.kind) for d in result.deviations]
        assert kinds == ([] if told in {right, "*"} else [(told, "wrong-result")]), told
        if kinds:
            assert chess.Board(result.deviations[0].fen).outcome() is not None
    other = "1-0" if right != "1-0" else "0-1"
    (d,) = scanned(game(f"{movetext} {right}", fen=fen, Result=other).encode()).deviations
    assert d.kind == "wrong-result"
    assert d.written.startswith("[Result ")


def test_a_result_of_a_game_that_could_go_on_is_nobodys_mistake() -> None:
    for text in ("1. e4 e5 1-0", f"1. e4 -- {MATE} 1-0", "1. f3 e5 2. g4 (2. h3) Qh4# (Qg5) *"):
        assert not [d for d in found(game(text)).deviations if d.kind == "wrong-result"]
    fifty = "8/8/8/4k3/8/8/4R3/4K3 w - - 149 200"
    assert not found(game("1. Re3+ 1-0", fen=fifty)).deviations
    three = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+3 0 1"
    won = game("1. e4 f6 2. Qh5+ 0-1", fen=three, Variant="Three-check")
    assert "wrong-result" in [d.kind for d in found(won).deviations]


def test_a_wrong_result_stays_as_it_is_written() -> None:
    text = game(f"{MATE} 1\u20130").encode()
    result = scanned(text, options()._replace(rewrite=True))
    assert [d.kind for d in result.deviations] == ["other-result", "wrong-result"]
    assert result.rewritten == text.replace("\u2013".encode(), b"-")
