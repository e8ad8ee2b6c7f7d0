"""Readings: the move that a text means in a position, and its deviations from SAN.

A text can mean the legal moves that agree with all its parts. python-chess decides which moves are
legal, and writes the canonical string.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

import chess

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.rules.san import San, parse_san
from sanproof.reports.tables.words import joined
from sanproof.verify.notation.illegal import obstacles, origin_mask
from sanproof.verify.notation.position import board_of, shown
from sanproof.verify.notation.text import NotSan, WrittenParts, read_text
from sanproof.verify.notation.vocabulary import (
    SUFFIX_DEVIATIONS,
    Deviation,
    FailedTry,
    Illegality,
)


class ReadingVerdict(StrEnum):
    """The verdict on a text in a position. The value is the public name."""

    CANONICAL = "canonical"
    UNDERSTANDABLE = "understandable"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    NOT_SAN = "not-san"


class Candidate(NamedTuple):
    """One of the moves that an ambiguous text can mean, in UCI and in SAN."""

    uci: str
    san: str


class Reading(NamedTuple):
    """The meaning of a text in a position."""

    text: str
    board: chess.Board
    verdict: ReadingVerdict
    sentence: str
    """The verdict and its details, for people."""
    uci: str | None = None
    """The move, if the text means exactly one."""
    canonical: str | None = None
    """The SAN of that move."""
    deviations: tuple[Deviation, ...] = ()
    """The ways in which the text differs from that SAN, in the vocabulary's order."""
    candidates: tuple[Candidate, ...] = ()
    """The moves of an ambiguous text, sorted by their SAN."""
    reason: Illegality | None = None
    """The reason why the text means no legal move."""
    obstacles: tuple[FailedTry, ...] = ()
    """The reasons for each piece that could be meant, the closest to a legal move first."""
    offset: int | None = None
    """The index of the first character at which the text is not SAN."""
    expected: str | None = None
    """The characters that could be there."""

    @property
    def fen(self) -> str:
        """The position as a FEN."""
        return self.board.fen()

    @property
    def move(self) -> chess.Move | None:
        """The move for python-chess, with ``from_square``, ``to_square`` and ``promotion``."""
        return None if self.uci is None else chess.Move.from_uci(self.uci)

    def _repr_svg_(self) -> str:
        return board_svg(self.fen, self.uci)


def read(san: str, fen: str | chess.Board = chess.STARTING_FEN) -> Reading:
    """Return the move that a text means in a position, and how it deviates from SAN.

        read("0-0", fen).verdict.value    # "understandable"

    Raises:
        FenError: The FEN is malformed, or its position is statically invalid. It is a ValueError.
        TypeError: ``san`` is not a ``str``, or ``fen`` is neither a ``str`` nor a board.
    """
    if not isinstance(san, str):
        raise TypeError(f"{san!r} is not a string")
    return judge(san, board_of(fen))


def judge(text: str, board: chess.Board) -> Reading:
    """Read a text in a position, which has to be statically valid and of standard chess.

    The reading keeps the board itself, not a copy.
    """
    written = read_text(text)
    if isinstance(written, NotSan):
        return _not_san(text, board, written)
    moves = denoted(written, board)
    if not moves:
        found = obstacles(written, board)
        sentence = f"{shown(text)} is illegal ({found[0].reason.value}). {found[0].sentence}"
        illegal, reason = ReadingVerdict.ILLEGAL, found[0].reason
        return Reading(text, board, illegal, sentence, reason=reason, obstacles=found)
    if len(moves) > 1:
        candidates = [Candidate(move.uci(), board.san(move)) for move in moves]
        candidates.sort(key=lambda candidate: (len(candidate.san), candidate.san))
        sans = joined([candidate.san for candidate in candidates], "or")
        sentence = f"{shown(text)} is ambiguous: it can be {sans}."
        ambiguous = ReadingVerdict.AMBIGUOUS
        return Reading(text, board, ambiguous, sentence, candidates=tuple(candidates))
    (move,) = moves
    canonical = board.san(move)
    if text == canonical:
        sentence = f"{text} is canonical: it is how {move.uci()} is written."
        return Reading(text, board, ReadingVerdict.CANONICAL, sentence, move.uci(), text)
    found_there = set(_deviations(written, board, move, canonical))
    deviations = tuple(deviation for deviation in Deviation if deviation in found_there)
    sentence = f"{shown(text)} is understandable: it denotes {move.uci()}, written {canonical}."
    verdict = ReadingVerdict.UNDERSTANDABLE
    return Reading(text, board, verdict, sentence, move.uci(), canonical, deviations)


def denoted(written: WrittenParts, board: chess.Board) -> list[chess.Move]:
    """Return the legal moves that agree with all parts of the text."""
    if written.castling:
        kingside = written.castling == "O-O"
        moves = board.generate_castling_moves()
        return [move for move in moves if (move.to_square > move.from_square) == kingside]
    origins = origin_mask(written, board)
    if not origins:
        return []
    if len(written.destination) == 1:
        file = chess.BB_FILES[ord(written.destination) - ord("a")]
        agreeing = list(board.generate_legal_moves(origins & ~file, file))
    else:
        square = chess.parse_square(written.destination)
        others = ~board.occupied_co[board.turn]  # python-chess takes a rook's square for castling
        agreeing = list(board.generate_legal_moves(origins, chess.BB_SQUARES[square] & others))
        if origins & board.kings:
            castling = board.generate_castling_moves(origins)
            agreeing += [move for move in castling if move.to_square == square]
    if not written.promotion:
        return agreeing
    kind = chess.PIECE_SYMBOLS.index(written.promotion.lower())
    return [move for move in agreeing if move.promotion == kind]


def reading_json(reading: Reading) -> dict[str, object]:
    """Return a reading as a JSON object. What does not apply is null or empty."""
    parts = reading._asdict()
    san, sentence, _ = parts.pop("text"), parts.pop("sentence"), parts.pop("board")
    for name in ("candidates", "obstacles"):
        parts[name] = [part._asdict() for part in parts[name]]
    return {"san": san, **parts, "sentence": sentence}


def _deviations(
    written: WrittenParts, board: chess.Board, move: chess.Move, canonical: str
) -> Iterator[Deviation]:
    """In what the text of a move differs from its canonical string."""
    due = parse_san(canonical)
    yield from written.deviations
    if written.suffix or not written.is_coordinates:
        suffix = written.suffix
        if suffix == "++":
            suffix = "+" if due.suffix == "+" and _is_double_check(board, move) else "#"
        if suffix != due.suffix:
            yield SUFFIX_DEVIATIONS[suffix, due.suffix]
    if written.en_passant:
        true = board.is_en_passant(move)
        yield Deviation.EN_PASSANT_MARK if true else Deviation.FALSE_EN_PASSANT_MARK
    if written.capture and not due.capture:
        yield Deviation.SUPERFLUOUS_CAPTURE_SIGN
    if not (written.castling or written.is_coordinates):
        yield from _missing_or_excess(written, due)


def _missing_or_excess(written: WrittenParts, due: San) -> Iterator[Deviation]:
    """Yield the parts, except the suffix, that are missing, or written and not needed."""
    if len(written.destination) == 1:
        yield Deviation.MISSING_DESTINATION_RANK
    if due.capture and not written.capture:
        yield Deviation.MISSING_CAPTURE_SIGN
    if due.piece and not written.piece:
        yield Deviation.MISSING_PIECE_LETTER
    if not due.destination:
        yield Deviation.CASTLING_AS_KING_MOVE
    elif Deviation.LONG_ALGEBRAIC not in written.deviations:
        file, rank = written.file and not due.file, written.rank and not due.rank
        if due.file and not written.file:
            yield Deviation.RANK_INSTEAD_OF_FILE if rank else Deviation.MISSING_FILE
        elif file and rank:
            yield Deviation.EXCESS_SQUARE
        elif file or rank:
            yield Deviation.EXCESS_FILE if file else Deviation.EXCESS_RANK


def _is_double_check(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    double = chess.popcount(board.checkers_mask()) == 2
    board.pop()
    return double


def _not_san(text: str, board: chess.Board, where: NotSan) -> Reading:
    offset, expected = where.offset, where.expected
    place = "at its end"
    if offset < len(text):
        place = f"at character {offset + 1} ({shown(text[offset])})"
    sentence = f"{shown(text)} is not SAN: {place}, expected {expected}. {where.hint}".rstrip()
    return Reading(text, board, ReadingVerdict.NOT_SAN, sentence, offset=offset, expected=expected)
