"""The generator against the theory and python-chess; the published files, byte for byte."""

from __future__ import annotations

import csv
import gzip
import random
from functools import reduce
from operator import or_
from pathlib import Path

import chess
import pytest

from sanproof.generator import files
from sanproof.generator.strings import ATTACKS, can_check
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.theory.arrangements import attempts
from tests.reports.samples import BARE, SUFFIXED
from tests.verify.command import ROOT

CHECKING = {text[:-1] for text in SUFFIXED if text.endswith("+")}


@pytest.mark.parametrize("texts", [BARE, SUFFIXED], ids=["bare", "suffixed"])
def test_each_list_is_sorted(texts: list[str]) -> None:
    assert texts == sorted(set(texts), key=lambda text: (len(text), text))


def checks(piece: str, pieces: tuple[int, ...], destination: int, *, capture: bool) -> bool:
    ways = (0 if piece in "NK" else chess.between(square, destination) for square in pieces)
    empty = reduce(or_, ways, 0 if capture else 1 << destination)
    return can_check(("", piece, piece, pieces, destination, empty))


def test_it_answers_as_the_theory_does() -> None:
    """Not only whether some origin and twins give check, but which do.

    The theory shares no code with the generator, and overlooks nothing, as Coq proves.
    """
    rng, answers = random.Random(1), set()
    officers = [text for text in BARE if text[0] in "NBRQ"]
    harmless = [text for text in officers if text not in CHECKING]
    for text in rng.sample(officers, 30) + harmless:
        san = parse_san(f"{text}+")
        destination, capture = parse_square(san.destination), san.capture == "x"
        for attempt in filter(lambda attempt: attempt.fits, attempts(san)):
            answer = checks(san.piece, attempt.pieces, destination, capture=capture)
            assert answer == (attempt.king is not None), (text, attempt)
            answers.add(answer)
    assert answers == {True, False}


def uncovers(origin: chess.Square, destination: chess.Square, king: chess.Square) -> bool:
    """Check whether a king's move uncovers a slider's check behind it; other squares are empty."""
    for slider in chess.scan_forward(chess.ray(origin, king)):
        line = chess.between(slider, king)
        if line >> origin & 1 and not (line | chess.BB_SQUARES[slider]) >> destination & 1:
            return True
    return False


def test_the_kings_checks_are_those_that_it_uncovers() -> None:
    """Of each move by itself. Where kings may touch, no answer is another.

    So a generator without that rule has the same lists: no test can notice.
    """
    for origin in chess.SQUARES:
        for destination in chess.SquareSet(chess.BB_KING_ATTACKS[origin]):
            for nearest in (1, 2):  # the kings touch, or keep apart (FIDE 3.9.2)
                kings = [
                    king
                    for king in chess.SQUARES
                    if all(chess.square_distance(king, s) >= nearest for s in (origin, destination))
                ]
                expected = any(uncovers(origin, destination, king) for king in kings)
                for capture in (False, True):
                    assert checks("K", (origin,), destination, capture=capture) == expected


@pytest.mark.parametrize("each", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_a_position_shows_each_string(each: int) -> None:
    """Python-chess writes each string in the position that is published for it, and no other."""
    with gzip.open(ROOT / "data" / "witnesses.csv.gz", "rt", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    assert [row["san"] for row in rows] == SUFFIXED
    assert (ROOT / "data" / "san_strings.txt").read_text().split() == BARE
    for row in rows[::each]:
        board = chess.Board(row["before_fen"])
        assert board.is_valid()
        assert board.san(board.parse_uci(row["uci"])) == row["san"]


def test_python_chess_writes_no_other_string_in_random_games() -> None:
    known, rng = set(SUFFIXED), random.Random(2)
    for _ in range(6):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            moves = list(board.legal_moves)
            assert {board.san(move) for move in moves} <= known
            board.push(rng.choice(moves))


def test_attacks_are_those_of_python_chess() -> None:
    for letter, attacked in ATTACKS.items():
        for square in chess.SQUARES:
            board = chess.Board(None)
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
            assert attacked[square].keys() == set(board.attacks(square))
            for target, way in attacked[square].items():
                assert way == (0 if letter in "PNK" else chess.between(square, target))


# The files


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test write the lists that were made once."""
    monkeypatch.setattr(files, "both_lists", lambda: (BARE, SUFFIXED))


def test_one_string_a_line_and_no_newline_at_the_end(tmp_path: Path) -> None:
    paths = [Path(path) for path in files.write_published_files(tmp_path)]
    assert [path.name for path in paths] == ["san_strings.txt", "san_strings_with_symbols.txt"]
    for path, texts in zip(paths, (BARE, SUFFIXED), strict=True):
        content = path.read_bytes()
        assert content == "\n".join(texts).encode("ascii")
        assert content == (ROOT / "data" / path.name).read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert files.write_published_files(tmp_path) == list(map(str, paths))


@pytest.mark.parametrize("name", [files.BARE_NAME, files.SUFFIXED_NAME])
def test_another_file_of_the_name_is_refused_and_neither_list_written(
    tmp_path: Path, name: str
) -> None:
    """Also what looks like a list: it may be the only one of its kind."""
    content = files.published_files()[name] + b"\n"
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileExistsError, match="content") as caught:
        files.write_published_files(tmp_path)
    assert caught.value.filename == str(tmp_path / name)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(name, content)]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(type(error)):
        files.write_published_files(tmp_path)
    assert list(tmp_path.iterdir()) == []
