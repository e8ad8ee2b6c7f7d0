"""Damage: some bytes or lines of a file, its packing, or something else in the place of a file."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    STRINGS,
)
from tests.campaigns.forging import trees
from tests.campaigns.forging.model import Files, Forgery, Kind, unpack, until_changed, with_text
from tests.campaigns.forging.parts import is_as_good

Change = Callable[[bytes, Random], bytes]
Maker = Callable[[Path], object]
"""Makes something else in the place of a file, such as a pipe."""

# --- Bytes ---


def flip_bit(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def changed_byte(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + random.randbytes(1) + content[at + 1 :]


def inserted(*pieces: bytes) -> Change:
    """Insert one of these pieces somewhere; random bytes otherwise."""

    def change(content: bytes, random: Random) -> bytes:
        at = random.randrange(len(content) + 1)
        return content[:at] + random.choice(pieces or (random.randbytes(1),)) + content[at:]

    return change


def of_bytes(change: trees.Change) -> Change:
    """Change the bytes."""
    return lambda content, random: bytes(change(content, random, None))


def of_lines(change: trees.Change) -> Change:
    """Change the lines, each with its end; of a packed file, which may have few lines, a bit."""

    def changed(content: bytes, random: Random) -> bytes:
        lines = content.splitlines(keepends=True)
        if len(lines) < 3:
            return flip_bit(content, random)
        return b"".join(change(lines, random, None))

    return changed


WEIRD: Final = (
    *(b"\0", b"\x1b[2J", b"\a", b"\x7f", b"\v", b"\f", b"\x1c", b"\xe9", b"\xc3", b"\xed\xa0\x80"),
    *map(str.encode, ("\x85", "\u2028", "\xe9", "\u0661", "\uff11", "\xad", "\u200b", "\u2656")),
)
"""What looks like white space, a line end or a digit to some, or is no text at all."""
ENDS: Final = (b"\n", b"\0", b"garbage", b"\0" * 4)
BYTE_CHANGES: Final[dict[str, Change]] = {
    "a bit flipped": flip_bit,
    "a byte changed": changed_byte,
    **{f"bytes, {name}": of_bytes(change) for name, change in trees.OF_LISTS.items()},
    **{f"lines, {name}": of_lines(change) for name, change in trees.OF_LISTS.items()},
    "a byte inserted": inserted(),
    "a weird character inserted": inserted(*WEIRD),
    "white space inserted": inserted(b" ", b"\n", b"\r", b"\t"),
    "the last byte cut off": lambda content, _: content[:-1],
    "something appended": lambda content, r: content + r.choice((*ENDS, content)),
    "something put in front": lambda content, r: r.choice((*ENDS, b"\xef\xbb\xbf")) + content,
    "other line ends": lambda x, r: x.replace(b"\n", r.choice((b"\r\n", b"\r", b"\n\n", b" "))),
    "UTF-16": lambda content, _: content.decode("latin-1").encode("utf-16"),
    "a line that is too long": lambda x, r: x + b"x" * (LONGEST_LINE + r.randrange(2)) + b"\n",
    "too many line ends": lambda content, _: content + b"\n" * MOST_LINES,
}


# --- Files ---


def damaging(name: str, change: Change) -> Kind:
    """Damage the text of a file."""

    def forge(files: Files, random: Random) -> Forgery:
        old = unpack(name, files[name])
        text = until_changed(old, lambda text: change(text, random))
        harmless = text.isascii() and is_as_good(name, old.decode("ascii"), text.decode("ascii"))
        return Forgery(with_text(files, name, text), harmless)

    return forge


def _socket(path: Path) -> None:
    """Bind a socket through its folder: its name may have about 100 characters, a folder's more."""
    with socket.socket(socket.AF_UNIX) as bound:
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            bound.bind(f"/proc/self/fd/{handle}/{path.name}")
        finally:
            os.close(handle)


def sparse(size: int) -> Maker:
    """Make a file that takes no room on the disk, and may be more than any memory."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(size)

    return make


INSTEAD: Final[dict[str, tuple[Maker, str]]] = {
    "removed": (lambda _: None, "cannot be read"),
    "a directory": (Path.mkdir, "cannot be read: Is a directory"),
    "a pipe": (os.mkfifo, "is not a regular file"),
    "a socket": (_socket, "cannot be read: No such device or address"),
    "a link to nothing": (lambda path: path.symlink_to("nowhere"), ""),
    "a link to itself": (lambda path: path.symlink_to(path), "is a symbolic link"),
    "a link to zeros": (lambda path: path.symlink_to("/dev/zero"), "is a symbolic link"),
    "a link to a terminal": (lambda path: path.symlink_to("/dev/tty"), "is a symbolic link"),
    "a byte too many": (sparse(MOST_BYTES + 1), ""),
    "300 MiB of junk": (sparse(300 << 20), ""),
    "a file of 1 TiB": (sparse(1 << 40), "is larger than any file of a run"),
}


EVIDENCE: Final[dict[str, Kind]] = {
    f"damaged {file}: {name}": damaging(file, change)
    for file in (STRINGS, GAMES, CERTIFICATES)
    for name, change in BYTE_CHANGES.items()
}
