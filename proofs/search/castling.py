"""The squares of castling. Untrusted."""

from typing import Final, NamedTuple

from sanproof.proofs.rules.squares import parse_square


class Castling(NamedTuple):
    """White's squares in a castling (FIDE 3.8.2)."""

    king_from: int
    king_to: int
    rook_from: int
    rook_to: int
    between: tuple[int, ...]


def _castling(*names: str) -> Castling:
    king_from, king_to, rook_from, rook_to, *between = map(parse_square, names)
    return Castling(king_from, king_to, rook_from, rook_to, tuple(between))


CASTLING: Final = {
    "O-O": _castling("e1", "g1", "h1", "f1", "f1", "g1"),
    "O-O-O": _castling("e1", "c1", "a1", "d1", "d1", "c1", "b1"),
}
