"""Tables and games of a run's files; one row or game is found without reading all before it.

After each piece of a file the compressor forgets what came before (:func:`reports.tables.files.
gzipped`). So a reader can begin there, and finds a game without unpacking all those before it.
"""

import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from sanproof.proofs.kernel.files import MOST_BYTES
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.schema import MAX_GAME_LENGTH, RowForm, SchemaError
from sanproof.reports.tables.names import PIECE_BYTES

PACKED_BYTES: Final = 1 << 15
_GZIP: Final = 31
_WITHIN_GZIP: Final = -15
_FLUSHED: Final = re.compile(b"\x00\x00\xff\xff")
"""The end of a piece; it may stand elsewhere by chance."""
_ROUND: Final = re.compile(rb'\n\[Round "([1-9][0-9]{0,6})"\]\n')


def table_rows(text: str, *forms: RowForm) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row of a table, which is in one of these forms.

    Raises:
        SchemaError: It is not.
    """
    header, _, rows = text.partition("\n")
    form = form_of(header, *forms)
    start = 0
    while block := rows[start : rows.find("\n", start + PIECE_BYTES) + 1 or None]:
        form.check(block)
        for row in block.split("\n")[:-1]:
            yield tuple(row.split(","))
        start += len(block)


def form_of(header: str, *forms: RowForm) -> RowForm:
    """Return the form that has this header, or raise SchemaError."""
    for form in forms:
        if form.header == header:
            return form
    raise SchemaError(f"begins with {header[:60]!a}, which is no header of a run")


def all_games(text: str) -> Iterator[str]:
    """Yield every game of a PGN file of a run; each ends with its second empty line.

    Raises:
        SchemaError: It does not hold games as a run writes them.
    """
    *parts, rest = text.split("\n\n")
    if rest or len(parts) % 2:
        raise SchemaError("ends within a game")
    for tags, moves in zip(parts[::2], parts[1::2], strict=True):
        yield f"{tags}\n\n{moves}\n\n"


def one_game(packed: bytes, number: int) -> str | None:
    """Return the game with a number, of which a few before it are unpacked.

    It may be missed in a file that :func:`reports.tables.files.gzipped` did not pack.
    """
    place = place_before(packed, number)
    unpacker = zlib.decompressobj(_WITHIN_GZIP if place else _GZIP)
    content = b""
    # The game may begin in one piece and end in the next, and packed they are no larger.
    for at in range(place, place + 2 * PIECE_BYTES, PACKED_BYTES):
        try:
            content += unpacker.decompress(packed[at : at + PACKED_BYTES], PIECE_BYTES)
        except zlib.error:
            return None
        found = content.find(b'\n[Round "%d"]\n' % number)
        start, moves = content.rfind(b"[Event ", 0, found), content.find(b"\n\n", found) + 2
        end = content.find(b"\n\n", moves) + 2
        if -1 < start < found and 1 < moves < end:
            return content[start:end].decode("ascii", "replace")
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
