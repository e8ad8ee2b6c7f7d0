"""The fast path reads the texts that the careful one does, and names what the judge names."""

import random
import re
from collections import Counter
from types import ModuleType
from typing import Any

import chess
import pytest

pytest.importorskip("numba", reason="the fast path is not installed")

import sanproof.verify.scan.borders
import sanproof.verify.scan.movetext
from sanproof.verify.scan import fast
from sanproof.verify.scan.arrays import HAS_RESULT, USUAL
from sanproof.verify.scan.chunks import Chunk
from sanproof.verify.scan.fast import read_texts
from sanproof.verify.scan.movetext import games
from sanproof.verify.scan.scanning import scan_chunk, scan_chunks
from tests.verify.scan.pgn import game, options, random_games, scanned

OPENING = "e4 d5 exd5 c6 dxc6 Nf6 cxb7 Nbd7 "


COMMON = [
    ("Nf3 d5 g3 c5 Bg2 Nc6 0-0", "0-0", "O-O", "zeros-in-castling"),
    ("e2e4 e7e5 g1f3", "g1f3", "Nf3", "coordinate-notation"),
    ("e2e4 d7d5 e4d5", "e4d5", "exd5", "coordinate-notation"),
    (OPENING + "bxa8Q", "bxa8Q", "bxa8=Q", "missing-promotion-sign"),
    ("Ngf3", "Ngf3", "Nf3", "excess-file"),
    ("N1f3", "N1f3", "Nf3", "excess-rank"),
    ("Ng1f3", "Ng1f3", "Nf3", "excess-square"),
    ("Nf3 d5 d4 c5 N1d2", "N1d2", "Nbd2", "rank-instead-of-file"),
    ("e4 d5 e4xd5", "e4xd5", "exd5", "excess-rank"),
    ("e4 f6 Qh5", "Qh5", "Qh5+", "missing-check"),
    ("e4 f6 Qh5#", "Qh5#", "Qh5+", "check-written-as-mate"),
    ("e4+", "e4+", "e4", "superfluous-check"),
    ("e4#", "e4#", "e4", "superfluous-mate"),
    ("f3 e5 g4 Qh4", "Qh4", "Qh4#", "missing-mate"),
    ("f3 e5 g4 Qh4+", "Qh4+", "Qh4#", "mate-written-as-check"),
    ("f2f3 e7e5 g2g4 d8h4", "d8h4", "Qh4#", "coordinate-notation"),
    ("f3 e5 g4 Qd8h4+", "Qd8h4+", "Qh4#", "excess-square mate-written-as-check"),
    ("e4!?", "e4!?", "e4", "annotation"),
    ("e4 e5 Nf3+??", "Nf3+??", "Nf3", "annotation superfluous-check"),
    ("e2e4!", "e2e4!", "e4", "coordinate-notation annotation"),
]


def named(*movetexts: str) -> list[tuple[str, str, str]]:
    """Return what the fast path names; both paths must find the same."""
    data = "".join(game(f"{text} *") for text in movetexts).encode()
    scanned(data, options()._replace(strict=True, rewrite=True, games=True))
    compared = fast.FastScan(Chunk("a", data), options()._replace(strict=True))
    compared.compare()
    assert len(compared.read) == len(movetexts), "python-chess would read it"
    rows = zip(*(column.tolist() for column in compared.named), strict=True)
    return [(data[a:b].decode(), canonical, kind) for a, b, _, _, canonical, kind, _ in rows]


def test_common_deviations_are_named() -> None:
    for movetext, *expected in COMMON:
        assert list(named(movetext, "e4 e5")[-1]) == expected


def test_uci_is_followed_through_castling_passing_and_promotion() -> None:
    found = named(
        "g1f3 b8c6 g2g3 d7d5 f1g2 c8g4 e1g1 d8d6 h2h3 e8c8 h3g4 d6b4 c2c3 d8e8 c3b4 e7e5 b4b5 a7a5 "
        "b5a6 e5e4 a6b7 c8b8"
    )
    assert [canonical for _, canonical, _ in found if canonical in ("O-O", "O-O-O", "bxa6")] == [
        *("O-O", "O-O-O", "bxa6")
    ]
    assert {kind for *_, kind in found} == {"coordinate-notation"}
    assert named("a2a4 b7b5 a4b5 a7a6 b5a6 b8c6 a6a7 a8b8 a7b8n")[-1][1] == "axb8=N"


def written_badly(board: chess.Board, move: chess.Move, chosen: random.Random) -> str:
    """Return a move with a common deviation, or something like one."""
    san = board.san(move)
    body = san.rstrip("+#")
    suffix = san[len(body) :]
    origin, destination = chess.square_name(move.from_square), chess.square_name(move.to_square)
    sign = "x" * ("x" in body)
    piece = body[0] if body[0] in "KQRBN" else ""
    promotion = f"={body[-1]}" * bool(move.promotion)
    part = chosen.choice(["", origin, origin[0], origin[1]])
    return chosen.choice(
        [
            body,
            body + chosen.choice("+#"),
            san + "+",
            san.replace("O", "0"),
            san.replace("=", ""),
            board.uci(move) + chosen.choice(["", suffix]),
            piece + part + sign + destination + promotion + suffix,
            piece + part + destination + promotion,
        ]
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usually(1)
def test_random_games_written_badly_are_the_same_on_both_paths(seed: int) -> None:
    chosen = random.Random(seed)
    written = []
    for number in range(12):
        board = chess.Board()
        texts: list[str] = []
        share = (0.03, 0.3, 1)[number % 3]
        for _ in range(chosen.randrange(2, 60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_capture(m)]
            move = chosen.choice(rare if rare and chosen.random() < 0.4 else moves)
            if seed >= 2:
                is_uci = seed == 2 or ((number % 2 or len(texts) > 9) and chosen.random() < share)
                texts.append(board.uci(move) if is_uci else board.san(move))
            else:
                bad = chosen.random() < share
                text = written_badly(board, move, chosen) if bad else board.san(move)
                texts.append(text + chosen.choice(["", "", "", "!", "?", "!?"]))
            board.push(move)
        written.append(game(f"{' '.join(texts)} *"))
    data = "".join(written).encode()
    scanned(data, options()._replace(rewrite=True, rows="csv", games=True))
    scanned(data, options()._replace(rewrite=True, strict=True))
    compared = fast.FastScan(Chunk("a", data), options())
    compared.compare()
    assert len(compared.named[0])
    assert seed != 2 or len(compared.read) == len(written)


@pytest.mark.parametrize(("most", "sample"), [(0, 1), (7, 2), (7, 100), (1000, 1)])
def test_what_is_not_told_is_counted_on_both_paths(most: int, sample: int) -> None:
    """The first are told in the order of the file, whichever path reads their games."""
    written = [
        game("1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5+ *"),
        game("1. Ng1f3 (1. e2e4) *"),
        game("1. O-O+ Kd8! *", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        game("1. e2e4 Z0 2. 0-0 *"),
        game("1. e2e4 e7e5 2. d1h5 b8c6 3. f1c4 g8f6 4. h5f7+ *"),
    ]
    data = "".join(written).encode()
    wanted = options()._replace(strict=True, variations=True, sample=sample)
    every = scanned(data, wanted)
    assert not every.unlisted
    some = scanned(data, wanted._replace(most=most))
    assert some.deviations == every.deviations[:most]
    counted = Counter((d.kind, d.variation > 0) for d in every.deviations[most:])
    assert dict(some.unlisted) == counted
    assert some.counts == every.counts


AT_TAGS: tuple[tuple[str, dict[str, str]], ...] = (
    ('[Event "a"] 1. e4 e5 *', {"Event": "a"}),
    ('[Event "a"]\n[Site "b"] [Round "1"]1. e4\n1... e5 *', {"Site": "b", "Round": "1"}),
    ('[Event "a"]\r[Site "b"]\r\r1. e4 e5 *', {"Site": "b"}),
    ('[Event "a"] 1. e4 { ]\n} e5 *', {"Event": "a"}),
    ('[Event "x] 1. d4 [y"] e4 e5 *', {}),
    ('[Event "x] 1. d4 y"]\n\ne4 e5 *', {}),
    ('[Event "a"]]\n[Site "b\n[Round "1" 1. d4\n[ \n1. e4 e5 *', {}),
    ('[Event "a \\"b\\" \\\\"]\n[X "x"] [X "y"]\n\ne4 e5', {"Event": 'a "b" \\', "X": "x"}),
    (' [Event "x"]\n\t[Site "y"]\n\n1. e4 e5 *', {"Event": "x", "Site": "y"}),
    ('[White "J\xf6rg"]\n\ne4 e5', {"White": "Jörg"}),
)


@pytest.mark.parametrize(("text", "tags"), AT_TAGS)
def test_tags_are_read_and_moves_on_their_lines(text: str, tags: dict[str, str]) -> None:
    data = text.encode("latin-1")
    (read,) = games(data)
    assert [data[span.start : span.end].decode() for span in read.moves] == ["e4", "e5"]
    assert tags.items() <= read.tags.items()
    compare_readers(data)


PIECES = (
    *(" ", "\n", "\r\n", "\n\n", "{", "}", "(", ")", ";", "%", "\n%", "$", "$3", "$x", "*", "1-0"),
    *("1/2-1/2", "0-1", "1.", "1...", "..", "12", "e4", "Nf3", "e8=Q+", "O-O", "0-0", "!", "?!"),
    *("!!!", "ep", "e.p.", "--", "\x00", "é", "<", ">", "[", '[Event "x"]', '\n[Event "y"]\n'),
    *('\n[Variant "Standard"]\n', '\n[Variant "Atomic"]\n', '\n[FEN "8"]\n', "Qh4e1#", "Qh4xe1#"),
    *("\xa0", "\x1a", "1/2", "½-½", "1\u20130", '\n  [Event "z"]', "\n1. e4", "\nd4", "0-1\n"),
    *("a", "-", "=", "+", "#", "e4(Q)", "(=)", "\ufeff", "\t", "[%eval 1]", "\n[Event", "e4}"),
)


def compare_readers(text: bytes) -> int:
    """See that the compiled reader agrees on every game that it takes; how many it takes."""
    fast, slow = read_texts(text), list(games(text))
    assert [g.start for g in slow] == fast.starts[:-1].tolist()
    taken = 0
    for i, read in enumerate(slow):
        flags = int(fast.flags[i])
        if not flags & USUAL:
            continue
        taken += 1
        part = slice(fast.bounds[i], fast.bounds[i + 1])
        spans = list(zip(fast.begins[part].tolist(), fast.finishes[part].tolist(), strict=True))
        assert spans == [(span.start, span.end) for span in read.moves]
        assert bool(flags & HAS_RESULT) == read.has_result
        assert not read.is_open
        assert read.after_result is None
        assert not read.odd
        assert "FEN" not in read.tags
        assert read.tags.get("Variant", "Standard") == "Standard"
    return taken


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usually(1)
def test_the_compiled_reader_agrees_on_what_it_takes(seed: int) -> None:
    chosen = random.Random(seed)
    scanned('[Event "a"]\n\n\ufeff1. e4 *\n'.encode())  # the mark is no part of the tags
    taken = compare_readers("".join(random_games(seed, 30)).encode())
    assert taken == 30
    for _ in range(1500):
        words = chosen.choices(PIECES, k=chosen.randrange(1, 14))
        text = chosen.choice(("", " ")).join(words).encode()
        taken += compare_readers(text)
    assert taken > 50


@pytest.mark.parametrize("module", [sanproof.verify.scan.borders, sanproof.verify.scan.movetext])
def test_no_possessive_group_looks_around(module: ModuleType) -> None:
    """Before Python 3.11.5 it would end at the wrong place: ``Nf`` for ``Nf3``, on Debian 12."""
    patterns = [value for value in vars(module).values() if isinstance(value, re.Pattern)]
    assert patterns
    for pattern in patterns:
        assert not looks_around(re._parser.parse(pattern.pattern, pattern.flags & re.VERBOSE))  # type: ignore[attr-defined]
    assert looks_around(re._parser.parse(r"(?:(?!(?<!a)b)[^ ])++"))  # type: ignore[attr-defined]


def looks_around(parsed: Any, *, within: bool = False) -> bool:  # noqa: ANN401 - of re's parser
    """Check whether a parsed expression looks ahead or behind within a possessive repetition."""
    for item in parsed:
        if isinstance(item, tuple) or type(item).__name__ == "SubPattern":
            if looks_around(item, within=within or str(parsed[0]) == "POSSESSIVE_REPEAT"):
                return True
        elif isinstance(item, list):
            if looks_around(item, within=within):
                return True
        elif within and str(item) in {"ASSERT", "ASSERT_NOT"}:
            return True
    return False


@pytest.mark.parametrize(
    "how",
    [
        {"rewrite": True, "games": True},
        {"variations": True, "strict": True, "most": 1},
        {"where": "White == 'A'"},
    ],
    ids=["rewritten", "strict", "where"],
)
@pytest.mark.parametrize("is_odd", [False, True])
def test_small_chunks_together_are_as_each_alone(how: dict[str, Any], is_odd: bool) -> None:
    texts = [
        *(text.encode() for text in random_games(5, 6)),
        game("1. e4+ e5 (1... c5) 2. Ng1f3! Nc6+ 1-0", White="A").encode().rstrip(),
        game("1. e4 Ke2 *").encode() + game("1. e4+ e5 2. 0-0 *", White="A").encode(),
        game("1. Kd1 *", fen="8/8/8/8/8/k7/8/4K3 w - - 0 1").encode(),
    ]
    texts += [b"1. e4 e5 *", b"[White A]\n\n1. e4 *", b"", b"\xef\xbb\xbf" + texts[0]] * is_odd
    chunks = [Chunk("a", text, place=n) for n, text in enumerate(texts)]
    wanted = options()._replace(**how)
    assert scan_chunks(chunks, wanted) == [scan_chunk(chunk, wanted) for chunk in chunks]
