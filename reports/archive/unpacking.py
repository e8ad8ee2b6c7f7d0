"""Files of a run, read only as far as is asked: packed ones in pieces, tables by halving.

After each piece of a file the compressor forgets what came before (:func:`reports.tables.files.
gzipped`). So a reader can begin there, and finds a game without unpacking all those before it.
"""

import re
import zlib
from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import Final

from sanproof.proofs.kernel.files import MOST_BYTES
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.schema import MAX_GAME_LENGTH, SchemaError

PIECE_BYTES: Final = 1 << 20
_GZIP: Final = 31
_WITHIN_GZIP: Final = -15
_TRAILER_BYTES: Final = 8
_FLUSHED: Final = re.compile(b"\x00\x00\xff\xff")
"""The end of a piece; it may stand elsewhere by chance."""
_ROUND: Final = re.compile(rb'\n\[Round "([1-9][0-9]{0,6})"\]\n')


def pieces(name: str, packed: bytes, start: int = 0) -> Iterator[bytes]:
    """Unpack a file, if its name says so, from its beginning or from where a piece of it begins.

    Raises:
        SchemaError: It cannot be unpacked, or is larger than any file of a run.
    """
    if not name.endswith(".gz"):
        yield packed
        return
    unpacker = zlib.decompressobj(wbits=_WITHIN_GZIP if start else _GZIP)
    packed = packed[start:]
    total = 0
    try:
        while not unpacker.eof:
            piece = unpacker.decompress(packed, PIECE_BYTES)
            packed = unpacker.unconsumed_tail
            if not piece and not packed and not unpacker.eof:
                raise SchemaError("is cut short")
            total += len(piece)
            if total > MOST_BYTES:
                raise SchemaError("unpacks to more than any file of a run")
            yield piece
    except zlib.error as error:
        raise SchemaError("cannot be unpacked") from error
    if len(unpacker.unused_data) != (_TRAILER_BYTES if start else 0):
        raise SchemaError("has something after its end")


def all_games(name: str, packed: bytes) -> Iterator[bytes]:
    """Yield every game of a PGN file of a run; each ends with its second empty line.

    Raises:
        SchemaError: It does not hold games as a run writes them.
    """
    rest = b""
    for piece in pieces(name, packed):
        *parts, rest = (rest + piece).split(b"\n\n")
        if len(parts) % 2:
            rest = parts.pop() + b"\n\n" + rest
        for tags, moves in zip(parts[::2], parts[1::2], strict=True):
            yield b"%b\n\n%b\n\n" % (tags, moves)
        if len(rest) > MAX_GAME_LENGTH:
            raise SchemaError("holds a game longer than any of a run")
    if rest:
        raise SchemaError("ends within a game")


def chosen_games(name: str, packed: bytes, numbers: Collection[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the games with these numbers; those before and after are not unpacked.

    A file of games in the wrong order lacks some of them.

    Raises:
        SchemaError: It cannot be unpacked.
    """
    wanted = sorted(set(numbers), reverse=True)
    content = b""
    for piece in pieces(name, packed, place_before(packed, wanted[-1]) if wanted else 0):
        content = content[-MAX_GAME_LENGTH:] + piece
        at = 0
        while wanted and (found := content.find(b'\n[Round "%d"]\n' % wanted[-1], at)) >= 0:
            start = content.rfind(b"[Event ", at, found)
            moves = content.find(b"\n\n", found) + 2
            at = content.find(b"\n\n", moves) + 2
            if start < 0 or moves < 2 or at < 2:
                break  # the next piece has the rest of it
            yield wanted.pop(), content[start:at]
        if not wanted:
            return


def place_before(packed: bytes, number: int) -> int:
    """Return the last place where unpacking can begin to find a game; 0 for the beginning."""
    if number == 1:
        return 0
    places = [match.end() for match in _FLUSHED.finditer(packed)]
    found = bisect_left(places, number, key=lambda place: _first_game(packed, place)) - 1
    place = places[found] if found >= 0 else 0
    return place if place and _first_game(packed, place) < number else 0


def _first_game(packed: bytes, place: int) -> int:
    """Return the first whole game after a place; a large number if nothing is unpacked there."""
    try:
        start = zlib.decompressobj(_WITHIN_GZIP).decompress(
            packed[place : place + MAX_GAME_LENGTH], MAX_GAME_LENGTH
        )
    except zlib.error:
        return MOST_BYTES
    match = _ROUND.search(start)
    return int(match[1]) if match else MOST_BYTES


def row_of(table: str, san: str) -> str | None:
    """Return the row of a string in a table, whose rows stand in list order; None if it has none.

    The text is halved until one row is left.
    """
    wanted = list_order(san)
    low, high = table.find("\n") + 1, len(table)
    while low < high:
        start = max(low, table.rfind("\n", low, (low + high) // 2) + 1)
        end = table.find("\n", start)
        row = table[start : end if end >= 0 else len(table)]
        found = list_order(row.partition(",")[0])
        if found == wanted:
            return row
        low, high = (start + len(row) + 1, high) if found < wanted else (low, start)
    return None
