"""Builds, for any move, a position in which it gives check, and one in which it gives mate.

A random hill climb on real boards, judged by python-chess alone: men are added and removed around
the black king until it was not in check before the move and has no reply, or some, after it.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import chess

from tests.generator.explorer import checks, settings

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

CHECKS_TRIED = 6
STARTS_KEPT = 24
"""For a string: it is far from needing that many, and most can be made in hundreds of ways."""
RESTARTS = 80
STEPS = 250
MOST_MEN = 26


class Start(NamedTuple):
    """What the climb may not change."""

    men: dict[chess.Square, chess.Piece]
    king: chess.Square
    empty: chess.Bitboard
    move: chess.Move
    castling: chess.Bitboard = chess.BB_EMPTY


def white(piece: chess.PieceType) -> chess.Piece:
    """A white piece."""
    return chess.Piece(piece, chess.WHITE)


VICTIM = chess.Piece(chess.KNIGHT, chess.BLACK)


def in_quarter(square: chess.Square) -> bool:
    """Whether the square is on the files a to d, ranks 1 to 4."""
    return chess.square_file(square) < 4 and chess.square_rank(square) < 4


def piece_starts() -> dict[str, list[Start]]:
    """Checks by N, B, R and Q in a quarter of the board, by bare string."""
    starts: dict[str, list[Start]] = {}
    for setting in settings():
        if not in_quarter(setting.destination):
            continue
        piece, _, origin, destination, twins = setting
        for capture in (False, True):
            found = starts.setdefault(setting.text(capture=capture), [])
            if len(found) >= STARTS_KEPT:
                continue
            for king, slider, empty in islice(checks(setting, capture=capture), CHECKS_TRIED):
                men = dict.fromkeys((origin, *twins), white(piece))
                if slider:
                    men[slider[0]] = white(slider[1])
                if capture:
                    men[destination] = VICTIM
                found.append(Start(men, king, empty, chess.Move(origin, destination)))
    return starts


def king_starts() -> dict[str, list[Start]]:
    """Checks that White's king uncovers, in a quarter of the board."""
    starts: dict[str, list[Start]] = {}
    for destination in filter(in_quarter, chess.SQUARES):
        for origin in chess.scan_forward(chess.BB_KING_ATTACKS[destination]):
            for king, slider, line in uncovered(origin, destination):
                for cross in ("", "x"):
                    men = {origin: white(chess.KING), slider[0]: white(slider[1])}
                    if cross:
                        men[destination] = VICTIM
                    empty = line if cross else line | chess.BB_SQUARES[destination]
                    start = Start(men, king, empty, chess.Move(origin, destination))
                    text = f"K{cross}{chess.square_name(destination)}"
                    starts.setdefault(text, []).append(start)
    return starts


def uncovered(
    origin: chess.Square, destination: chess.Square, nearest: int = 2
) -> Iterator[tuple[chess.Square, tuple[chess.Square, chess.PieceType], chess.Bitboard]]:
    """The checks that White's king uncovers: Black's king, the slider, and the squares between.

    The kings are at least ``nearest`` squares apart, before the move and after it (FIDE 3.9.2).
    """
    for king in chess.SQUARES:
        if min(chess.square_distance(king, white) for white in (origin, destination)) < nearest:
            continue
        for slider in chess.scan_forward(chess.ray(origin, king)):
            line = chess.between(slider, king)
            if line >> origin & 1 and not (line | chess.BB_SQUARES[slider]) >> destination & 1:
                straight = chess.BB_RANK_MASKS[king] | chess.BB_FILE_MASKS[king]
                kind = chess.ROOK if straight >> origin & 1 else chess.BISHOP
                yield king, (slider, kind), line & ~chess.BB_SQUARES[origin]


def pawn_starts() -> dict[str, list[Start]]:
    """Checks by White's pawns, promoted ones too, on the files a to d of the farther half."""
    starts: dict[str, list[Start]] = {}
    for destination in chess.SquareSet(chess.BB_ALL):
        file, rank = chess.square_file(destination), chess.square_rank(destination)
        if file > 3 or rank < 4:
            continue
        sources = chess.BB_PAWN_ATTACKS[chess.BLACK][destination]
        for origin in [destination - 8, *chess.scan_forward(sources)]:
            name = chess.square_name(destination)
            capture = chess.square_file(origin) != file
            text = f"{chess.square_name(origin)[0]}x{name}" if capture else name
            for promotion in chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN:
                move = chess.Move(origin, destination, promotion if rank == 7 else None)
                ending = f"={chess.piece_symbol(promotion).upper()}" if rank == 7 else ""
                starts[text + ending] = list(_pawn_checks(move, capture=capture))
    return starts


def _pawn_checks(move: chess.Move, *, capture: bool) -> Iterator[Start]:
    board = chess.Board(None)
    origin, destination = move.from_square, move.to_square
    board.set_piece_at(destination, white(move.promotion or chess.PAWN))
    for king in board.attacks(destination) - chess.SquareSet([origin]):
        men = {origin: white(chess.PAWN)}
        if capture:
            men[destination] = VICTIM
        empty = 0 if capture else chess.BB_SQUARES[destination]
        if move.promotion != chess.KNIGHT:
            empty |= chess.between(destination, king) & ~chess.BB_SQUARES[origin]
        yield Start(men, king, empty, move)


def castling_starts() -> dict[str, list[Start]]:
    """Checks by the castling rook."""
    starts = {}
    for text, uci, rook, arrival in (
        ("O-O", "e1g1", chess.H1, chess.F1),
        ("O-O-O", "e1c1", chess.A1, chess.D1),
    ):
        men = {chess.E1: white(chess.KING), rook: white(chess.ROOK)}
        starts[text] = [
            Start(
                men,
                king,
                chess.between(chess.E1, rook) | chess.between(arrival, king),
                chess.Move.from_uci(uci),
                chess.BB_SQUARES[rook],
            )
            for king in chess.SquareSet(chess.BB_FILES[chess.square_file(arrival)])
            if chess.square_rank(king) > 1
        ]
    return starts


@cache
def all_starts() -> dict[str, list[Start]]:
    """The checks by which a quarter of the board's moves can be decided, by bare string."""
    return piece_starts() | king_starts() | pawn_starts() | castling_starts()


def search(text: str, suffix: str, starts: list[Start], rng: random.Random) -> chess.Board | None:
    """A statically valid position in which the move's SAN is `text` and `suffix`, if found."""
    for _ in range(RESTARTS):
        start = rng.choice(starts)
        board = _climb(start, suffix, rng)
        if board and board.is_valid() and board.san(start.move) == text + suffix:
            return board
    return None


def _climb(start: Start, suffix: str, rng: random.Random) -> chess.Board | None:
    fixed = chess.SquareSet(start.men.keys() | {start.king}).mask
    mover = start.men[start.move.from_square]
    free = list(chess.SquareSet(chess.BB_ALL & ~fixed & ~start.empty))
    board = chess.Board(None)
    board.set_piece_map(start.men | {start.king: chess.Piece(chess.KING, chess.BLACK)})
    if board.king(chess.WHITE) is None:
        homes = [square for square in free if chess.square_distance(square, start.king) > 1]
        board.set_piece_at(rng.choice(homes), white(chess.KING))
    board.castling_rights = start.castling
    near = [square for square in free if chess.square_distance(square, start.king) <= 2]
    faults = _faults(board, start.move, suffix)
    for _ in range(STEPS):
        if not faults:
            return board
        other = board.copy(stack=False)
        _mutate(other, rng.choice(near if near and rng.random() < 0.6 else free), free, mover, rng)
        other_faults = _faults(other, start.move, suffix)
        if other_faults <= faults and chess.popcount(other.occupied) <= MOST_MEN:
            board, faults = other, other_faults
    return None


def _mutate(
    board: chess.Board,
    square: chess.Square,
    free: list[chess.Square],
    mover: chess.Piece,
    rng: random.Random,
) -> None:
    """Add a man, or take one away; the king goes elsewhere, and no twin comes."""
    old = board.piece_at(square)
    if old == white(chess.KING):
        board.remove_piece_at(square)
        board.set_piece_at(rng.choice(free), old)
    elif old and rng.random() < 0.5:
        board.remove_piece_at(square)
    else:
        outer = chess.square_rank(square) in (0, 7)
        kinds = chess.PIECE_TYPES[1:5] if outer else chess.PIECE_TYPES[:5]
        man = chess.Piece(rng.choice(kinds), rng.choice(chess.COLORS))
        if man != mover:
            board.set_piece_at(square, man)


def _faults(board: chess.Board, move: chess.Move, suffix: str) -> int:
    """How far the position is from showing the string; 0 when it does."""
    king = board.king(chess.BLACK)
    assert king is not None
    if attackers := len(board.attackers(chess.WHITE, king)):
        return 1000 * attackers
    if not board.is_legal(move):
        return 900
    board.push(move)
    try:
        if not board.is_check():
            return 700
        replies = board.legal_moves.count()
    finally:
        board.pop()
    return replies if suffix == "#" else int(not replies)
