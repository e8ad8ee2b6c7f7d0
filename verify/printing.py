"""Printing texts in pieces."""

import sys
from collections.abc import Iterable


def print_pieces(pieces: Iterable[str], *, whole: bool) -> None:
    """Print an ASCII text in pieces.

    Args:
        pieces: The text.
        whole: Whether it is of use only as a whole: then it is printed when it is complete.
    """
    if not whole:
        for piece in pieces:
            sys.stdout.write(piece)
    else:
        from tempfile import TemporaryFile  # noqa: PLC0415 - takes long to import

        with TemporaryFile("w+", encoding="ascii", newline="\n") as file:
            file.writelines(pieces)
            file.seek(0)
            while piece := file.read(1 << 20):
                sys.stdout.write(piece)
    sys.stdout.flush()
