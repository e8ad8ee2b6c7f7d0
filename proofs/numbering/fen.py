"""Reads and writes the fields of a FEN, with errors of one line.

A *board* here is a string with one character for each square, `a8` first, then along the rank and
down the ranks to `h1`: the order in which a FEN names the squares (PGN standard, section 16.1.3.1).
A piece is its FEN letter; an empty square is a full stop. The last two fields are not move counters
here, so other readers of FENs do not serve.
"""

import re
from typing import Final, NamedTuple

EMPTY: Final = "."
FILES: Final = 8
SQUARES: Final = 64
_PIECES: Final = "PNBRQKpnbrqk"


class Fields(NamedTuple):
    """The fields of a FEN. `counters` has the last two, or is None if they were left out."""

    placement: str
    side: str
    castling: str
    en_passant: str
    counters: tuple[int, int] | None


def split_fields(text: str) -> Fields:
    """Split a FEN of one, four or six fields.

    Raises:
        ValueError: The number of fields is wrong, or a field has another form.
    """
    parts = re.split(r"[ \t]+", text.strip(" \t"))
    if len(parts) not in {1, 4, 6}:
        raise ValueError(f"a FEN has six fields (or one, or four), but this one has {len(parts)}")
    side, castling, en_passant = parts[1:4] or ("w", "-", "-")
    counters = (_counter(parts[4]), _counter(parts[5])) if len(parts) == 6 else None
    if side not in {"w", "b"}:
        raise ValueError(f"the second field of a FEN is w or b, not {side!r}")
    return Fields(parts[0], side, castling, en_passant, counters)


def _counter(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"the last two fields of a FEN are whole numbers, not {text!r}")
    return int(text)


def read_board(placement: str) -> str:
    """Return the board of a FEN's first field.

    Raises:
        ValueError: The number of ranks or squares is wrong, or a character is not a piece.
    """
    rows = placement.split("/")
    if len(rows) != 8:
        raise ValueError(f"a board has 8 ranks, and {placement!r} has {len(rows)}")
    return "".join(map(_read_rank, rows))


def _read_rank(row: str) -> str:
    if re.search("[0-9]{2}", row):
        raise ValueError(f"the rank {row!r} has two digits side by side")
    for character in row:
        if character not in _PIECES + "12345678":
            raise ValueError(
                f"the rank {row!r} has {character!r}, which is neither a piece nor 1-8"
            )
    rank = "".join(EMPTY * int(c) if c in "12345678" else c for c in row)
    if len(rank) != FILES:
        raise ValueError(f"the rank {row!r} has {len(rank)} squares, not {FILES}")
    return rank


def write_board(board: str) -> str:
    """Return the first field of the FEN of this board."""
    text = "/".join(board[start : start + FILES] for start in range(0, SQUARES, FILES))
    for length in range(FILES, 0, -1):
        text = text.replace(EMPTY * length, str(length))
    return text
