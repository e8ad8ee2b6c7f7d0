"""Files of a run, read only as far as is asked: packed ones in pieces, tables by halving.

After each piece of a file the compressor forgets what came before (:func:`reports.tables.files.
gzipped`). So a reader can begin there, and finds a game without unpacking all those before it.
"""

import gzip
import io
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain
from typing import IO, Final

from sanproof.proofs.kernel.files import MOST_BYTES
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.schema import MAX_GAME_LENGTH, RowForm, SchemaError, ascii_text

PIECE_BYTES: Final = 1 << 20
PARTS_OF_PIECE: Final = 8
_GZIP: Final = 31
_WITHIN_GZIP: Final = -15
_FLUSHED: Final = re.compile(b"\x00\x00\xff\xff")
"""The end of a piece; it may stand elsewhere by chance."""
_ROUND: Final = re.compile(rb'\n\[Round "([1-9][0-9]{0,6})"\]\n')


def pieces(name: str, packed: bytes) -> Iterator[bytes]:
    """Unpack a file, if its name says so, piece by piece.

    Raises:
        SchemaError: It cannot be unpacked, or is larger than any file of a run.
    """
    file: IO[bytes] | gzip.GzipFile = io.BytesIO(packed)
    if name.endswith(".gz"):
        file = gzip.GzipFile(fileobj=file)
    try:
        while piece := file.read(PIECE_BYTES):
            yield piece
            if file.tell() > MOST_BYTES:
                raise SchemaError("unpacks to more than any file of a run")
    except (OSError, EOFError, zlib.error) as error:
        raise SchemaError("cannot be unpacked") from error


def table_rows(name: str, packed: bytes, *forms: RowForm) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row of a table, which is in one of these forms.

    Raises:
        SchemaError: It is not, or cannot be unpacked.
    """
    blocks = _whole_lines(name, packed)
    header, _, text = next(blocks, "").partition("\n")
    form = form_of(header, *forms)
    for block in chain([text], blocks):
        form.check(block)
        for line in block.split("\n")[:-1]:
            yield tuple(line.split(","))


def form_of(header: str, *forms: RowForm) -> RowForm:
    """Return the form that has this header, or raise SchemaError."""
    for form in forms:
        if form.header == header:
            return form
    raise SchemaError(f"begins with {header[:60]!a}, which is no header of a run")


def _whole_lines(name: str, packed: bytes) -> Iterator[str]:
    rest = b""
    for piece in pieces(name, packed):
        whole, end, rest = (rest + piece).rpartition(b"\n")
        if len(rest) > MAX_GAME_LENGTH:
            raise SchemaError("holds a line longer than any of a run")
        if end:
            yield ascii_text(whole + end)
    if rest:
        raise SchemaError("ends within a row")


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


def one_game(packed: bytes, number: int) -> bytes | None:
    """Return the game with a number, of which a few before it are unpacked.

    It may be missed in a file that :func:`reports.tables.files.gzipped` did not pack.
    """
    place = place_before(packed, number)
    unpacker = zlib.decompressobj(_WITHIN_GZIP if place else _GZIP)
    packed, content = packed[place:], b""
    for _ in range(2 * PARTS_OF_PIECE):  # it may begin in one piece and end in the next
        try:
            content += unpacker.decompress(packed, PIECE_BYTES // PARTS_OF_PIECE)
        except zlib.error:
            return None
        packed = unpacker.unconsumed_tail
        found = content.find(b'\n[Round "%d"]\n' % number)
        start, moves = content.rfind(b"[Event ", 0, found), content.find(b"\n\n", found) + 2
        end = content.find(b"\n\n", moves) + 2
        if -1 < start < found and 1 < moves < end:
            return content[start:end]
    return None


def place_before(packed: bytes, number: int) -> int:
    """Return the last place where unpacking can begin to find a game; 0 for the beginning."""
    places = [0, *(match.end() for match in _FLUSHED.finditer(packed))]
    after = bisect_left(places, number, lo=1, key=lambda place: _first_game(packed, place))
    place = places[after - 1]
    return place if _first_game(packed, place) < number else 0


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
