"""Every irregularity that docs/scan.md names, read by both paths, and random games written badly.

``corpus.pgn`` has each at least once; ``corpus.csv`` says what deviates in it, ``corpus.json`` what
is counted, and ``rewritten.pgn`` is the corpus in canonical SAN. ``python -m
tests.verify.scan.test_corpus`` writes them anew; read the difference before it is kept.
"""

import csv
import io
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, Final

import chess.pgn
import pytest

from sanproof.reports.tables.files import csv_lines
from sanproof.verify.notation.vocabulary import Deviation as Spelling
from sanproof.verify.scan import scanning
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.results import ChunkResult, Deviation, public
from sanproof.verify.scan.scanner import COUNTED, rewritten
from tests.conformance.mutants.measure import core_suite
from tests.examples import examples
from tests.verify.scan.pgn import (
    CORPUS,
    COUNTS,
    FOUND,
    REWRITTEN,
    game,
    options,
    piece,
    random_games,
    scanned,
)


def read_corpus() -> ChunkResult:
    """Read the corpus with everything that can be named."""
    wanted = options()._replace(strict=True, variations=True, rewrite=True, games=True)
    return scanned(CORPUS, wanted)


def expected_files(result: ChunkResult) -> dict[Path, bytes]:
    """Return the files of a result."""
    rows = "".join(
        csv_lines([*public(Deviation())], [[*public(d).values()] for d in result.found])
    ).encode()
    games = [row[1:-2] for row in result.games]
    counts = {"counts": result.counts[0], "strings": result.seen, "games": games}
    counts |= {"in_variations": result.in_variations}
    text = json.dumps(counts, indent=1).encode() + b"\n"
    ((_, anew),) = rewritten([piece(CORPUS)], result.edits)
    return {FOUND: rows, COUNTS: text, REWRITTEN: anew}


def test_the_corpus_is_read_as_it_was() -> None:
    for path, content in expected_files(read_corpus()).items():
        assert content == path.read_bytes(), path.name


def test_the_corpus_has_every_irregularity() -> None:
    with FOUND.open(newline="", encoding="utf-8") as file:
        kinds = {name for row in csv.DictReader(file) for name in row["kind"].split()}
    assert {oddity.value for oddity in Oddity} - kinds == set()
    assert len({deviation.value for deviation in Spelling} & kinds) > 15
    counts = json.loads(COUNTS.read_text())["counts"]
    assert {*COUNTED} - counts.keys() == {"games_left-out", "games_too-long"}


def test_what_is_rewritten_deviates_no_more() -> None:
    again = scanned(REWRITTEN.read_bytes(), options())
    assert not [row for row in again.found if row.canonical]


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


def bad_game(chosen: random.Random, share: float) -> str:
    """Return a random game, perhaps from a position, of whose moves a share is written badly."""
    board = chess.Board()
    fen, texts = "", list[str]()
    if chosen.random() < 0.3:
        for _ in range(chosen.randrange(30)):
            board.push(chosen.choice(list(board.legal_moves)))
            if board.is_game_over():
                board.reset()
        fen = board.fen()
        board = chess.Board(fen)
    for _ in range(chosen.randrange(2, 70)):
        moves = list(board.legal_moves)
        if not moves:
            break
        rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_capture(m)]
        quiet = [m for m in moves if board.piece_type_at(m.from_square) == chess.KNIGHT]
        some = rare if chosen.random() < 0.4 else quiet if chosen.random() < 0.3 else moves
        move = chosen.choice(some or moves)
        is_bad = chosen.random() < share
        texts.append(written_badly(board, move, chosen) if is_bad else board.san(move))
        texts[-1] += chosen.choice(["", "", "", "!", "?", "!?"]) if is_bad else ""
        board.push(move)
    ends = (board.result(), "*", "1-0", "", "e4", "-- *")
    return game(f"{' '.join(texts)} {chosen.choice(ends[: 3 if share else 6])}", fen=fen)


WAYS: Final[tuple[dict[str, Any], ...]] = (
    {"rewrite": True, "games": True},
    {"strict": True, "split": True, "find": "Nf3"},
)


@pytest.mark.parametrize("seed", range(examples(4)))
def test_random_games_are_read_alike_on_both_paths(seed: int) -> None:
    chosen = random.Random(seed)
    data = "".join(bad_game(chosen, (0, 0.03, 0.3, 1)[n % 4]) for n in range(16)).encode()
    for how in WAYS:
        scanned(data, options()._replace(**how))


PIECES = (
    *(" ", "\n", "\r\n", "\n\n", "{", "}", "(", ")", ";", "%", "\n%", "$", "$3", "$x", "*", "1-0"),
    *("1/2-1/2", "0-1", "1.", "1...", "..", "12", "e4", "e4\x00", "e8=Q+", "O-O", "0-0", "!", "?!"),
    *("!!!", "ep", "e.p.", "--", "\x00", "é", "<", ">", "[", '[Event "x"]', '\n[Event "y"]\n'),
    *('\n[Variant "Standard"]\n', '\n[Variant "Atomic"]\n', '\n[FEN "8"]\n', "Qh4e1#", "Qh4xe1#"),
    *("\xa0", "\x1a", "1/2", "½-½", "1\u20130", '\n  [Event "z"]', "\n1. e4", "\nd4", "0-1\n"),
    *("a", "-", "=", "+", "#", "e4(Q)", "(=)", "\ufeff", "\t", "[%eval 1]", "\n[Event", "e4}"),
)


@pytest.mark.parametrize("seed", range(examples(300)))
def test_any_text_is_read_alike_on_both_paths_and_after_another(seed: int) -> None:
    chosen, wanted = random.Random(seed), options()._replace(rewrite=True)
    words = (chosen.choices(PIECES, k=chosen.randrange(1, 16)) for _ in range(2))
    pieces = [piece(chosen.choice(("", " ")).join(some).encode()) for some in words]
    both, alone = scanning.scan_chunk(pieces, wanted), [scanned(p.data, wanted) for p in pieces]
    assert both.counts == [one.counts[0] for one in alone]
    assert [public(d) for d in both.found] == [public(d) for one in alone for d in one.found]
    anew = [
        text for p, one in zip(pieces, alone, strict=True) for text in rewritten([p], one.edits)
    ]
    assert [*rewritten(pieces, both.edits)] == anew


def test_moves_of_the_suite_are_written_and_illegal_ones_refused_on_both_paths() -> None:
    """Coq proves how moves that are given by their squares are written, and what is illegal."""
    cases = [case for case in core_suite()["cases"] if "features" in case]
    written = [case for case in cases if case["operation"] == "write"]
    games = [game(f"{case['uci']} *", fen=case["fen"]) for case in written]
    found = scanned("".join(games).encode()).found
    assert [row.canonical for row in found] == [case["expected"] for case in written]
    games = [game(f"{c['san']} *", fen=c["fen"]) for c in cases if "expected" not in c]
    assert scanned("".join(games).encode()).counts[0]["games_stopped"] == len(games)


def test_usual_games_are_read_by_the_loop_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(scanning, "read_game", None)
    ends = (
        "1. e4 {x} (1. d4) e5! 2. Nf3 $1 *",
        "1. f3 e5 2. g4 Qh4# 0-1",
        "1. e4 f6 2. Qh5+ *",
        "1. e2e4 f6 2. Qd1h5 g6+ 3. Qh5xg6+ *",
    )
    text = "".join((*random_games(1, 20), *map(game, ends))).encode()
    result = scanning.scan_chunk([piece(text)], options())
    assert result.counts[0]["games_read"] == 24


def test_games_without_end_and_with_deep_variations_are_bounded() -> None:
    deep = [game("1. e4 " + "(1. d4 " * n + ")" * n + " *") for n in (101, 100)]
    text = game("1. e4 e5 " + "N " * 20_001) + "".join(deep) + game("1. d4 (1. e4 (1. c4)) *")
    result = scanned(text.encode(), options()._replace(variations=True))
    assert [row[3:6:2] for row in result.games if row.outcome != "read"] == [("too-long", 0)] * 2
    assert result.found == []
    assert result.counts[0]["variations"] == 102
    assert "games_too-long" not in scanned(deep[0].encode()).counts[0]


def test_strings_are_counted_as_python_chess_counts_them() -> None:
    text = "".join(random_games(1, 20))
    file, counts = io.StringIO(text), Counter[str]()
    while (read := chess.pgn.read_game(file)) is not None:
        counts.update(node.san() for node in read.mainline())
    assert {san: row[0] for san, row in scanned(text.encode()).seen.items()} == counts


if __name__ == "__main__":
    for file_path, new in expected_files(read_corpus()).items():
        file_path.write_bytes(new)
