"""A slow second answer to which moves of N, B, R and Q can be written, and which can check.

It knows nothing of the generator's rule. It takes its attacks from python-chess, goes through the
whole board without mirrors, and settles "can some position show no check before the move?" by
putting a blocker on every square that may hold one: more blockers only take attacks away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


class Setting(NamedTuple):
    """The men that a move with this discriminator needs."""

    piece: chess.PieceType
    discriminator: str
    origin: chess.Square
    destination: chess.Square
    twins: tuple[chess.Square, ...]

    def text(self, *, capture: bool) -> str:
        """The bare string."""
        cross = "x" if capture else ""
        letter = chess.piece_symbol(self.piece).upper()
        return letter + self.discriminator + cross + chess.square_name(self.destination)


class Check(NamedTuple):
    """A square for the black king; the slider behind the origin, if any; what must be empty."""

    king: chess.Square
    slider: tuple[chess.Square, chess.PieceType] | None
    empty: chess.Bitboard


def attacks(piece: chess.PieceType, square: chess.Square, occupied: chess.Bitboard) -> int:
    """What the piece attacks from the square."""
    if piece == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    reached = chess.BB_EMPTY
    if piece in (chess.BISHOP, chess.QUEEN):
        reached |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    if piece in (chess.ROOK, chess.QUEEN):
        reached |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
        reached |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return reached


def settings() -> Iterator[Setting]:
    """Every origin with every fewest twins that force a discriminator on it."""
    for piece in PIECES:
        for destination in chess.SQUARES:
            reach = list(chess.scan_forward(attacks(piece, destination, 0)))
            for origin in reach:
                yield from _settings_from(piece, origin, destination, reach)


def _settings_from(
    piece: chess.PieceType, origin: chess.Square, destination: chess.Square, reach: list[int]
) -> Iterator[Setting]:
    def all_arrive(*squares: chess.Square) -> bool:
        occupied = chess.SquareSet(squares).mask
        return all(attacks(piece, square, occupied) >> destination & 1 for square in squares)

    file, rank = chess.square_file, chess.square_rank
    yield Setting(piece, "", origin, destination, ())
    name = chess.square_name(origin)
    twins = [square for square in reach if square != origin and all_arrive(origin, square)]
    for twin in twins:
        discriminator = name[1] if file(twin) == file(origin) else name[0]
        yield Setting(piece, discriminator, origin, destination, (twin,))
    for twin in twins:
        if file(twin) == file(origin):
            for other in twins:
                if rank(other) == rank(origin) and all_arrive(origin, twin, other):
                    yield Setting(piece, name, origin, destination, (twin, other))


def checks(setting: Setting, *, capture: bool) -> Iterator[Check]:
    """Every way in which the move gives a check that was not there before it."""
    piece, _, origin, destination, twins = setting
    before = (origin, *twins)
    men = chess.SquareSet((*before, destination)).mask
    empty = 0 if capture else chess.BB_SQUARES[destination]
    if piece != chess.KNIGHT:
        for man in before:
            empty |= chess.between(man, destination)
    for king in chess.scan_forward(chess.BB_ALL & ~men & ~empty):
        for slider, line in _lines_to(setting, king, men | empty):
            blockers = chess.BB_ALL & ~(empty | line & ~chess.BB_SQUARES[origin])
            if blockers & men & ~empty != men & ~empty:
                continue  # a man stands in the way
            if any(attacks(piece, man, blockers) >> king & 1 for man in before):
                continue
            after = blockers & ~chess.BB_SQUARES[origin] | chess.BB_SQUARES[destination]
            square, kind = slider or (destination, piece)
            if attacks(kind, square, after) >> king & 1:
                yield Check(king, slider, empty | line & ~chess.BB_SQUARES[origin])


def _lines_to(
    setting: Setting, king: chess.Square, taken: chess.Bitboard
) -> Iterator[tuple[tuple[chess.Square, chess.PieceType] | None, chess.Bitboard]]:
    """Whence the king might be attacked: the slider, and the squares between it and the king."""
    piece, _, origin, destination, _ = setting
    yield None, chess.between(destination, king) if piece != chess.KNIGHT else 0
    for slider in chess.scan_forward(chess.ray(origin, king) & ~taken):
        line = chess.between(slider, king)
        if line >> origin & 1:
            straight = chess.BB_RANK_MASKS[king] | chess.BB_FILE_MASKS[king]
            kind = chess.ROOK if straight >> origin & 1 else chess.BISHOP
            if piece not in (kind, chess.QUEEN):
                yield (slider, kind), line


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
