"""The definition in docs/notation.md of every bare string in a position, and checks against it.

This shares no code with the judge and goes the other way: it starts from each legal move, and
makes every string that agrees with it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules.san import parse_san
from sanproof.verify.notation.reading import judge

EXCESS: Final = {
    ("", "file"): {"excess-file"},
    ("", "rank"): {"excess-rank"},
    ("", "square"): {"excess-square"},
    ("file", ""): {"missing-file"},
    ("file", "rank"): {"rank-instead-of-file"},
    ("file", "square"): {"excess-rank"},
    ("rank", "square"): {"excess-file"},
}
"""The name of the deviation if the second is written where the first is due."""


class Expected(NamedTuple):
    """The answer that is due: the verdict, the moves, and the deviations of a single move."""

    verdict: str
    moves: tuple[str, ...]
    deviations: frozenset[str]


ILLEGAL: Final = Expected("illegal", (), frozenset())


def expectations(board: chess.Board) -> dict[str, Expected]:
    """Return what the judge must say of bare strings that denote something; others are illegal."""
    denoted: dict[str, list[chess.Move]] = defaultdict(list)
    for move in board.legal_moves:
        for text in agreeing_strings(move, board):
            denoted[text].append(move)
    return {text: expected(text, moves, board) for text, moves in denoted.items()}


def agreeing_strings(move: chess.Move, board: chess.Board) -> Iterator[str]:
    """Yield the bare strings of the universe that agree with a legal move."""
    if board.is_castling(move):
        yield "O-O" if chess.square_file(move.to_square) == 6 else "O-O-O"
    letter = board.piece_at(move.from_square).symbol().upper().replace("P", "")  # type: ignore[union-attr]
    origin, destination = chess.square_name(move.from_square), chess.square_name(move.to_square)
    promotions = [""]
    if move.promotion:
        promotions.append("=" + chess.piece_symbol(move.promotion).upper())
    for file, rank, x, promotion in product(
        ("", origin[0]), ("", origin[1]), ("", "x"), promotions
    ):
        rest = file + rank + x + destination + promotion
        if letter or not is_small_bishop(rest):
            yield letter + rest
        if letter and file and rank:
            yield rest
        if letter == "B" and not (file or rank) and is_small_bishop("b" + rest):
            yield "b" + rest


def is_small_bishop(text: str) -> bool:
    """Check whether the b of a string of the universe is a bishop: before a square of d to h."""
    return text[0] == "b" and text[1:].removeprefix("x")[0] in "defgh"


def expected(text: str, moves: list[chess.Move], board: chess.Board) -> Expected:
    """Return what the judge must say of a string that these moves agree with."""
    ucis = tuple(sorted(move.uci() for move in moves))
    if len(moves) > 1:
        return Expected("ambiguous", ucis, frozenset())
    canonical = board.san(moves[0])
    if text == canonical:
        return Expected("canonical", ucis, frozenset())
    return Expected("understandable", ucis, frozenset(deviations(text, canonical, moves[0])))


def deviations(text: str, canonical: str, move: chess.Move) -> Iterator[str]:
    """Yield in what a bare string differs from the canonical string of its only move."""
    written, due = parse_san(text), parse_san(canonical)
    if not written.piece and written.file and written.rank and not written.capture:
        yield "coordinate-notation"
        return
    small_bishop = is_small_bishop(text)
    if small_bishop:
        yield "lower-case-piece"
    if due.suffix:
        yield {"+": "missing-check", "#": "missing-mate"}[due.suffix]
    if written.capture != due.capture:
        yield "superfluous-capture-sign" if written.capture else "missing-capture-sign"
    if written.piece.startswith("O"):
        return
    if due.piece and not written.piece and not small_bishop:
        yield "missing-piece-letter"
    if due.piece.startswith("O"):
        yield "castling-as-king-move"
        return
    parts = "" if small_bishop else kind_of_origin(written.file, written.rank)
    yield from EXCESS.get((kind_of_origin(due.file, due.rank), parts), set())
    assert chess.parse_square(due.destination) == move.to_square


def kind_of_origin(file: str, rank: str) -> str:
    return {(0, 0): "", (1, 0): "file", (0, 1): "rank", (1, 1): "square"}[len(file), len(rank)]


def differences(board: chess.Board, texts: Iterable[str]) -> list[str]:
    """Return the bare strings of which judge and definition say different things."""
    expected = expectations(board)
    said = [(text, judged(text, board), expected.get(text, ILLEGAL)) for text in texts]
    return [f"{text}: {found}, not {due}" for text, found, due in said if found != due]


def judged(text: str, board: chess.Board) -> Expected:
    """Return what the judge says, in the oracle's form."""
    reading = judge(text, board)
    moves = [candidate.uci for candidate in reading.candidates]
    if reading.uci is not None:
        moves.append(reading.uci)
    named = frozenset(deviation.value for deviation in reading.deviations)
    return Expected(reading.verdict.value, tuple(sorted(moves)), named)
