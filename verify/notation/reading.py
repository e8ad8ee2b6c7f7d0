"""Readings: the move that a text denotes in a position, and its deviations from SAN.

A text denotes the legal moves that agree with every part that is written. python-chess says which
moves are legal, and writes the canonical string.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

import chess

from sanproof.verify.notation.illegal import obstacles, origin_mask
from sanproof.verify.notation.position import board_of, capital, joined
from sanproof.verify.notation.text import NotSan, WrittenParts, read_text, shown
from sanproof.verify.notation.vocabulary import (
    SUFFIX_DEVIATIONS,
    Deviation,
    FailedTry,
    Illegality,
    in_order,
)


class ReadingVerdict(StrEnum):
    """The verdict on a text in a position; the value is the public name."""

    CANONICAL = "canonical"
    UNDERSTANDABLE = "understandable"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    NOT_SAN = "not-san"


class Candidate(NamedTuple):
    """One of the moves that an ambiguous text denotes: in UCI, and as it is written."""

    uci: str
    san: str


class Reading(NamedTuple):
    """The meaning of a text in a position.

    Attributes:
        text: The text.
        verdict: What the text is there.
        sentence: The verdict, with what else is to be said, for people.
        uci: The move, if the text denotes exactly one.
        canonical: How that move is written.
        deviations: In what the text differs from that, in the vocabulary's order.
        candidates: The moves of an ambiguous text, by canonical string.
        reason: Why an illegal text denotes no legal move.
        obstacles: The same for each piece that could be meant, the closest to a legal move first.
        offset: The index of the character at which a text stops being SAN.
        expected: What could have stood there.
    """

    text: str
    verdict: ReadingVerdict
    sentence: str
    uci: str | None = None
    canonical: str | None = None
    deviations: tuple[Deviation, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    reason: Illegality | None = None
    obstacles: tuple[FailedTry, ...] = ()
    offset: int | None = None
    expected: str | None = None


_CANONICAL: Final = re.compile(
    r"(?:O-O(?:-O)?|([KQRBN]?)([a-h]?)([1-8]?)(x?)[a-h][1-8](?:=[QRBN])?)([+#]?)"
)
_KING_CASTLES_TO: Final = chess.BB_C1 | chess.BB_G1 | chess.BB_C8 | chess.BB_G8


def read(san: str, fen: str | chess.Board = chess.STARTING_FEN) -> Reading:
    """Read any text in the position of a FEN, or of a board.

    Raises:
        FenError: It is no FEN, or the position is statically invalid.
        TypeError: It is neither a FEN nor a board.
    """
    return judge(san, board_of(fen))


def judge(text: str, board: chess.Board) -> Reading:
    """Read a text in a position, which is statically valid and of standard chess."""
    written = read_text(text)
    if isinstance(written, NotSan):
        return _not_san(text, written)
    moves = denoted(written, board)
    if not moves:
        return _illegal(text, board, written)
    if len(moves) > 1:
        return _ambiguous(text, board, moves)
    (move,) = moves
    canonical = board.san(move)
    if text == canonical:
        sentence = f"{text} is canonical: it is how {move.uci()} is written."
        return Reading(text, ReadingVerdict.CANONICAL, sentence, move.uci(), canonical)
    deviations = in_order(_deviations(written, board, move, canonical))
    sentence = f"{shown(text)} is understandable: it denotes {move.uci()}, written {canonical}."
    verdict = ReadingVerdict.UNDERSTANDABLE
    return Reading(text, verdict, sentence, move.uci(), canonical, deviations)


def denoted(written: WrittenParts, board: chess.Board) -> list[chess.Move]:
    """The legal moves that agree with every part that is written."""
    if written.castling:
        kingside = written.castling == "O-O"
        moves = board.generate_castling_moves()
        return [move for move in moves if (move.to_square > move.from_square) == kingside]
    agreeing = list(_agreeing(written, board))
    if written.promotion:
        kind = chess.PIECE_SYMBOLS.index(written.promotion.lower())
        return [move for move in agreeing if move.promotion == kind]
    return agreeing


def reading_json(reading: Reading) -> dict[str, object]:
    """A reading as it is written in JSON; what does not apply is null or empty."""
    parts = reading._asdict()
    san, sentence = parts.pop("text"), parts.pop("sentence")
    for name in ("candidates", "obstacles"):
        parts[name] = [part._asdict() for part in parts[name]]
    return {"san": san, **parts, "sentence": sentence}


def _agreeing(written: WrittenParts, board: chess.Board) -> Iterator[chess.Move]:
    """The legal moves that agree with all but the promotion; no castling is written."""
    origins = origin_mask(written, board)
    if not origins:
        return
    others = ~board.occupied_co[board.turn]  # python-chess takes a rook's square for castling
    if len(written.destination) == 1:
        file = ord(written.destination) - ord("a")
        for move in board.generate_legal_moves(origins, chess.BB_FILES[file] & others):
            if chess.square_file(move.from_square) != file:
                yield move
        return
    destination = chess.BB_SQUARES[chess.parse_square(written.destination)]
    yield from board.generate_legal_moves(origins, destination & others)
    if destination & _KING_CASTLES_TO and origins & board.kings:
        for move in board.generate_castling_moves(origins):
            if chess.BB_SQUARES[move.to_square] & destination:
                yield move


def _deviations(
    written: WrittenParts, board: chess.Board, move: chess.Move, canonical: str
) -> set[Deviation]:
    """In what the text of a move differs from its canonical string."""
    match = _CANONICAL.fullmatch(canonical)
    if match is None:
        raise ValueError(f"{canonical} is not how a move is written")
    piece, file, rank, capture, suffix = (part or "" for part in match.groups())
    found = set(written.deviations)
    found |= _deviations_of_suffix(written, board, move, suffix)
    found |= _deviations_of_capture(written, board, move, captures=bool(capture))
    if canonical.startswith("O"):
        found |= _deviations_of_castling(written)
    else:
        found |= _deviations_of_origin(written, piece, bool(file), bool(rank))
    return found


def _deviations_of_suffix(
    written: WrittenParts, board: chess.Board, move: chess.Move, due: str
) -> set[Deviation]:
    suffix = written.suffix
    if not suffix and written.is_coordinates:
        return set()
    if suffix == "++":
        suffix = due if due == "+" and _is_double_check(board, move) else "#"
    return set() if suffix == due else {SUFFIX_DEVIATIONS[suffix, due]}


def _is_double_check(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    double = chess.popcount(board.checkers_mask()) == 2
    board.pop()
    return double


def _deviations_of_capture(
    written: WrittenParts, board: chess.Board, move: chess.Move, *, captures: bool
) -> set[Deviation]:
    found = set()
    if written.en_passant:
        true = board.is_en_passant(move)
        found.add(Deviation.EN_PASSANT_MARK if true else Deviation.FALSE_EN_PASSANT_MARK)
    if len(written.destination) == 1:
        found.add(Deviation.MISSING_DESTINATION_RANK)
    if written.capture and not captures:
        found.add(Deviation.SUPERFLUOUS_CAPTURE_SIGN)
    if captures and not (written.capture or written.is_coordinates):
        found.add(Deviation.MISSING_CAPTURE_SIGN)
    return found


def _deviations_of_castling(written: WrittenParts) -> set[Deviation]:
    if written.castling or written.is_coordinates:
        return set()
    found = {Deviation.CASTLING_AS_KING_MOVE}
    return found if written.piece else found | {Deviation.MISSING_PIECE_LETTER}


def _deviations_of_origin(
    written: WrittenParts, piece: str, file_is_due: bool, rank_is_due: bool
) -> set[Deviation]:
    if written.is_coordinates:
        return set()
    found = {Deviation.MISSING_PIECE_LETTER} if piece and not written.piece else set()
    if Deviation.LONG_ALGEBRAIC in written.deviations:
        return found
    excess_rank = bool(written.rank) and not rank_is_due
    if file_is_due and not written.file:
        found.add(Deviation.RANK_INSTEAD_OF_FILE if excess_rank else Deviation.MISSING_FILE)
        return found
    excess_file = bool(written.file) and not file_is_due
    if excess_file and excess_rank:
        found.add(Deviation.EXCESS_SQUARE)
    elif excess_file or excess_rank:
        found.add(Deviation.EXCESS_FILE if excess_file else Deviation.EXCESS_RANK)
    return found


def _ambiguous(text: str, board: chess.Board, moves: list[chess.Move]) -> Reading:
    candidates = [Candidate(move.uci(), board.san(move)) for move in moves]
    candidates.sort(key=lambda candidate: (len(candidate.san), candidate.san))
    sentence = (
        f"{shown(text)} is ambiguous: "
        f"it can be {joined([candidate.san for candidate in candidates], 'or')}."
    )
    return Reading(text, ReadingVerdict.AMBIGUOUS, sentence, candidates=tuple(candidates))


def _illegal(text: str, board: chess.Board, written: WrittenParts) -> Reading:
    found = obstacles(written, board)
    sentence = f"{shown(text)} is illegal ({found[0].reason.value}). {found[0].sentence}"
    bishop = _as_bishop(written, board)
    if bishop:
        sentence += f" {capital(bishop)}"
    return Reading(
        text,
        ReadingVerdict.ILLEGAL,
        sentence,
        reason=found[0].reason,
        obstacles=found,
    )


def _as_bishop(written: WrittenParts, board: chess.Board) -> str:
    """A hint if the b of a text is the file, but a bishop's move would be legal."""
    if written.piece or written.file != "b" or written.rank or len(written.destination) < 2:
        return ""
    moves = denoted(written._replace(piece="B", file=""), board)
    if not moves:
        return ""
    sans = joined([board.san(move) for move in moves], "or")
    return f"the b is the b-file here; a bishop has a capital letter: {sans}."


def _not_san(text: str, where: NotSan) -> Reading:
    at_end = where.offset >= len(text)
    place = (
        "at its end" if at_end else f"at character {where.offset + 1} ({shown(text[where.offset])})"
    )
    sentence = f"{shown(text)} is not SAN: {place}, expected {where.expected}."
    if where.hint:
        sentence += f" {where.hint}"
    return Reading(
        text,
        ReadingVerdict.NOT_SAN,
        sentence,
        offset=where.offset,
        expected=where.expected,
    )
