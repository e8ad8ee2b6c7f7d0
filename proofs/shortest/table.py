"""Reads and writes the table of the shortest games, a row for each player and string. Untrusted.

It is a text in 16 parts, each packed on its own: one for the strings to the ranks 1 to 4 of a file,
and one for those to the ranks 5 to 8. So one string is found in a sixteenth of the time. A part has
a row for each game, an empty line, and all moves on one line::

    san,ply,bound,shared,own
    Qh4#,4,4,0,4
    g4,3,1,2,3

    f2f3e7e5g2g4d8h4g2g4...

The string occurs at the ply, from 1, and in no game before the bound. A game begins with as many
moves as it shares with the game above; its own moves, up to mate, are the next on the last line.
They are written as in UCI, but each in four characters: a promotion has its piece in place of the
rank, ``b7aq``. The kernel's replay makes a row true: see :mod:`proofs.shortest.checks`.
"""

import lzma
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError, read_bytes, unpacked

TABLE: Final = "shortest.txt.xz"
FOLDER: Final = "shortest"
PUBLISHED: Final = f"{FOLDER}/{TABLE}"
HEADER: Final = "san,ply,bound,shared,own"
FILES: Final = "abcdefgh"
PARTS: Final = tuple(file + rank for file in FILES for rank in "15")
_MOVE: Final = (FILES, "12345678", FILES, "12345678nbrq")
_BEGIN: Final = re.compile(rb"\xfd7zXZ\0")
"""The first bytes of a packed part."""
_ROWS: Final = re.compile(r"(?:\n[^,\n]{2,8}(?:,[0-9]{1,3}){4}|(?!))*+")


class ShortestRow(NamedTuple):
    """The shortest known game of a player and a string.

    Attributes:
        san: The string.
        ply: The ply of the string in the game, from 1.
        bound: The lower bound on the ply: no game of the player has the string earlier.
        text: The moves of the game in the form of the table.
    """

    san: str
    ply: int
    bound: int
    text: str

    @property
    def player(self) -> str:
        """The player of the string: ``white`` or ``black``."""
        return "white" if self.ply % 2 else "black"

    @property
    def exact(self) -> bool:
        """Whether no game of the player can have the string earlier."""
        return self.ply == self.bound

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the game in UCI."""
        return tuple(_uci(self.text[i : i + 4]) for i in range(0, len(self.text), 4))

    @property
    def line(self) -> str:
        """The game as a line of the kernel's file of games."""
        return f"{' '.join(self.moves)} {self.ply} {self.san}"


def packed_game(moves: Iterable[str]) -> str:
    """Return the moves of a game (UCI) in the form of the table."""
    return "".join(move[:3] + move[-1] for move in moves)


@cache
def _uci(text: str) -> str:
    if text[3].isdecimal():
        return text
    return f"{text[:3]}{'8' if text[1] == '7' else '1'}{text[3]}"


_SMALL: Final = 1 << 16
"""Bytes of a part that the quickest preset packs nearly as well."""


def part_of(san: str) -> str:
    """Return the name of a string's part, such as ``e5`` for ``Nfxe6``: the part's first square."""
    at = max(map(san.rfind, FILES))
    if at < 0:
        return "c1" if san.startswith("O-O-O") else "g1"
    return san[at] + ("1" if san[at + 1 :] < "5" else "5")


def pack_rows(rows: Iterable[ShortestRow]) -> bytes:
    """Return the content of the table's file.

    Raises:
        EvidenceError: The packed parts could not be told apart.
    """
    parts: dict[str, list[ShortestRow]] = {part: [] for part in PARTS}
    for row in rows:
        parts[part_of(row.san)].append(row)
    content = b"".join(map(_pack_part, parts.values()))
    split_table(content)
    return content


def _pack_part(rows: Iterable[ShortestRow]) -> bytes:
    from sanproof.proofs.kernel.games import common_length  # noqa: PLC0415 - loads python-chess

    lines, moves, before = [HEADER], "", ""
    for san, ply, bound, text in sorted(rows, key=lambda row: (row.text, row.ply, row.san)):
        shared = common_length(before, text) // 4
        lines.append(f"{san},{ply},{bound},{shared},{len(text) // 4 - shared}")
        moves += text[4 * shared :]
        before = text
    content = "\n".join([*lines, "", moves, ""]).encode("ascii")
    preset = 9 if len(content) > _SMALL else 0  # its dictionary of 64 MiB takes a tenth of a second
    return lzma.compress(content, preset=preset | lzma.PRESET_EXTREME)


def split_table(content: bytes) -> dict[str, bytes]:
    """Return the packed parts of a table by name.

    Raises:
        EvidenceError: There are not 16 parts.
    """
    starts = [match.start() for match in _BEGIN.finditer(content)]
    if len(starts) != len(PARTS) or starts[0]:
        raise EvidenceError(f"{TABLE}: has {len(starts)} parts, not {len(PARTS)}")
    ends = [*starts[1:], len(content)]
    parts = (content[start:end] for start, end in zip(starts, ends, strict=True))
    return dict(zip(PARTS, parts, strict=True))


def read_part(packed: bytes, part: str, only: str | None = None) -> Iterator[ShortestRow]:
    """Yield the rows of a part, or only those of one string, whose neighbours are not checked.

    Raises:
        EvidenceError: The part is damaged, has two rows of a player's string, or a row of a string
            that belongs to another part.
    """
    name = f"part {part} of {TABLE}"
    try:
        rows, _, moves = (
            unpacked(TABLE, packed).decode("ascii").removesuffix("\n").partition("\n\n")
        )
    except UnicodeDecodeError as error:
        raise EvidenceError(f"{name}: has bytes that are not ASCII") from error
    if not (rows.startswith(HEADER) and _ROWS.fullmatch(rows, len(HEADER))):
        raise EvidenceError(f"{name}: is not in the form of the table")
    text, at = "", 0
    seen: set[tuple[str, str]] = set()
    for row in rows.split("\n")[1:]:
        san, plies, earliest, shared, own = row.split(",")
        end = at + 4 * int(own)
        text = text[: 4 * int(shared)] + moves[at:end]
        at = end
        if only not in (None, san):
            continue
        ply, bound = int(plies), int(earliest)
        if len(text) != 4 * (int(shared) + int(own)):
            raise EvidenceError(f"{name}: {san} has a game of more moves than are there")
        if part_of(san) != part:
            raise EvidenceError(f"{name}: has a row of {san}, which is looked for elsewhere")
        found = ShortestRow(san, ply, bound, text)
        if not (0 < bound <= ply <= len(text) // 4 and _are_moves(text)):
            raise EvidenceError(f"{name}: no game has {san} at ply {ply}, not before {bound}")
        if (san, found.player) in seen:
            raise EvidenceError(f"{name}: has two rows of {found.player}'s {san}")
        seen.add((san, found.player))
        yield found
    if at != len(moves):
        raise EvidenceError(f"{name}: has moves of no game at its end")


def _are_moves(text: str) -> bool:
    """Check whether each four characters are two squares, or a promotion."""
    return not any(text[i::4].strip(_MOVE[i]) for i in range(4))


def read_rows(path: Path) -> list[ShortestRow]:
    """Return all rows of a table's file, or raise an EvidenceError if it has another form."""
    return rows_of(read_bytes(path))


def rows_of(content: bytes) -> list[ShortestRow]:
    """Return all rows of a table, or raise an EvidenceError if it has another form."""
    parts = split_table(content).items()
    return [row for part, packed in parts for row in read_part(packed, part)]


def earliest(rows: Iterable[ShortestRow]) -> dict[str, ShortestRow]:
    """Map each string to the row of the player who is known to play it earlier."""
    best: dict[str, ShortestRow] = {}
    for row in rows:
        if row.san not in best or row.ply < best[row.san].ply:
            best[row.san] = row
    return best
