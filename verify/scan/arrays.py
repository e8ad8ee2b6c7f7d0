"""The arrays that the loops of the fast path read and fill."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

USUAL: Final = 1
HAS_RESULT: Final = 2
"""The flags of a game."""
TABLE_BITS: Final = 17


class Texts(NamedTuple):
    """The move texts of a chunk's usual games."""

    starts: Int64  # where the chunk's games begin, and its end
    begins: Int32  # where each move text begins; room for half the bytes
    finishes: Int32  # where it ends
    bounds: Int64  # the number of texts before each game, and of all
    flags: Bytes  # the flags of each game, 0 for one that is not usual
    clean: Bytes  # the texts alone as the native reader takes them, a space after each
    clean_bounds: Int32  # where each usual game begins in them; the others are empty


class Moves(NamedTuple):
    """The moves of some games, game after game, as the native reader gives them.

    A game of n moves has n + 1 positions: one before each move and one after the last.
    """

    bounds: Int64  # the number of moves before each game, and of all
    boards: Bytes  # the positions
    castling: NDArray[np.bool_]  # the rights in each: White's kingside and queenside, Black's
    # In each the file of the pawn that has just advanced two squares, or -1.
    en_passant: NDArray[np.int8]
    origins: Bytes  # the square that each move leaves
    destinations: Bytes  # the square that it reaches
    promotions: NDArray[np.int8]  # the kind of piece that a pawn becomes, or -1
    mates: NDArray[np.bool_]  # whether a game's last position is mate


class Table(NamedTuple):
    """Finds the numbers of the proven strings."""

    keys: NDArray[np.uint64]  # the strings, packed; 0 where none is
    values: Int32  # their numbers, at the same places


class MatchArrays(NamedTuple):
    """The arrays that are filled when texts are compared with their moves."""

    numbers: Int32  # the number of each move text's string
    deviating: Int64  # the bits of what deviates in each move text
    # Says which games are looked at; those with a text that has other deviations, or whose
    # string is not proven, are taken out.
    canonical: NDArray[np.bool_]
