"""Folders in which something else stands in place of a file, and files that want much memory."""

import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME, closing_formula
from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    STRINGS,
)
from tests.attack.containers import zeros
from tests.packing import xz


class Trap(NamedTuple):
    """A change of a folder with the three files.

    Attributes:
        name: What was done, in a few words.
        set_up: Changes the folder.
        says: The file and the words that the refusal must have.
    """

    name: str
    set_up: Callable[[Path], object]
    says: str


def _instead(file: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Something in place of a file."""

    def set_up(folder: Path) -> None:
        (folder / file).unlink()
        make(folder / file)

    return set_up


def _packed(text: Iterable[bytes]) -> Callable[[Path], object]:
    """A packed file that is not too small for what it holds."""
    return lambda path: path.write_bytes(xz(b"".join(text)))


def _games(count: int) -> bytes:
    """So many games of one move, packed."""
    return xz(b"".join(b"e2e4 %07d x\n" % number for number in range(count)))


def _sparse(size: int) -> Callable[[Path], None]:
    """A file that takes no room on the disk, and may be more than any memory."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(size)

    return make


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    """A socket's name may have about a hundred characters, a folder's more."""
    with socket.socket(socket.AF_UNIX) as bound:
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            bound.bind(f"/proc/self/fd/{handle}/{path.name}")
        finally:
            os.close(handle)


def _moved_away(path: Path) -> None:
    """A link to a file that is as it should be."""
    other = path.parent / "elsewhere"
    other.write_bytes(b"")
    path.symlink_to(other)


def _certificate(body: Iterable[bytes]) -> Callable[[Path], object]:
    """One certificate of O-O: its header, and a refutation of its clauses."""
    return _packed([b"cube O-O\nscope geometry\nopen %s\n" % " ".join(OPEN).encode(), *body, b"\n"])


OPEN: Final = ("O-O", "O-O#", "O-O+")
FIRST: Final = 1 + len(closing_formula(CUBES_BY_NAME["O-O"], Scope.GEOMETRY, OPEN).clauses)
"""The number of a refutation's first line, after those of the clauses."""


def _lemmas(literals: bytes, hints: bytes, lines: int) -> list[bytes]:
    """Clauses that hold because they hold what is true; as many of them as a file may have."""
    return [b"%d 1 %s0 %s0\n" % (number, literals, hints) for number in range(FIRST, FIRST + lines)]


def _full(literals: bytes) -> Callable[[Path], object]:
    """A certificate with as many clauses as there is room for, made when it is wanted."""

    def make(path: Path) -> None:
        _certificate(_lemmas(literals, b"1 ", MOST_BYTES // LONGEST_LINE - 1))(path)

    return make


LITERALS: Final = (LONGEST_LINE - 20) // 3
REPEATED: Final = b"-9 " * LITERALS
DISTINCT: Final = b"".join(b"%d " % x for x in range(1000, 1000 + 12_000))

INSTEAD: Final[dict[str, tuple[Callable[[Path], object], str]]] = {
    "nothing": (lambda _: None, "cannot be read: No such file or directory"),
    "a directory": (Path.mkdir, "cannot be read: Is a directory"),
    "a pipe": (_pipe, "is not a regular file"),
    "a socket": (_socket, "cannot be read: No such device or address"),
    "a link to a file": (_moved_away, "is a symbolic link"),
    "a link to nothing": (lambda path: path.symlink_to("nowhere"), "is a symbolic link"),
    "a link to itself": (lambda path: path.symlink_to(path), "is a symbolic link"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "is a symbolic link"),
    "a byte too many": (_sparse(MOST_BYTES + 1), "is larger than any file of a run"),
    "a file of 1 TiB": (_sparse(1 << 40), "is larger than any file of a run"),
}
BOMBS: Final[dict[str, tuple[str, Callable[[Path], object], str]]] = {
    "10 GiB of zeros": (
        GAMES, lambda path: path.write_bytes(zeros(160)), "unpacks to more than any file"),
    "64 MiB of zeros": (
        CERTIFICATES, _packed([bytes(MOST_BYTES)]), "line 1 is longer than any"),
    "64 MiB of zeros in 10 kB": (
        GAMES, lambda path: path.write_bytes(zeros(1)), "unpacks to more than any file"),
    "64 MiB and a byte": (
        GAMES, _packed([b"x" * MOST_BYTES, b"x"]), "unpacks to more than any file"),
    "64 MiB on one line": (CERTIFICATES, _packed([b"7" * MOST_BYTES]), "line 1 is longer than any"),
    "64 MiB on one line, unpacked": (
        STRINGS, lambda path: path.write_bytes(b"7" * MOST_BYTES), "line 1 is longer than any"),
    "64 MiB of line ends": (
        GAMES, _packed([b"\n" * MOST_BYTES]), "has more lines than any file of a run"),
    "2 MiB of line ends for games": (
        GAMES, _packed([b"\n" * MOST_LINES]), "not whole, sorted and all different"),
    "2 MiB of line ends for certificates": (
        CERTIFICATES, _packed([b"\n" * MOST_LINES]), "more certificates than cubes"),
    "64 MiB of lines of spaces": (
        GAMES, _packed([(b" " * LONGEST_LINE + b"\n") * 1023]), "not whole, sorted"),
    "a million games of one move": (
        GAMES, lambda path: path.write_bytes(_games(10**6)), "does not end a"),
    "a million certificates": (
        CERTIFICATES, _packed([b"cube O-O\n\n" * 10**6]), "more certificates than cubes"),
    "a clause that repeats one literal": (
        CERTIFICATES, _certificate(_lemmas(b"-9 " * LITERALS, b"1 ", 1)), "cube O-O: the refut"),
    "as many such clauses as there is room for": (
        CERTIFICATES, _full(REPEATED), "cube O-O: the refutation does not end"),
    "as many long clauses as there is room for": (
        CERTIFICATES, _full(DISTINCT), "cube O-O: the refutation does not end"),
    "a clause that does not follow, with many literals": (
        CERTIFICATES, _certificate([b"%d %s0 1 0\n" % (FIRST, b"-9 " * LITERALS)]),
        "does not follow"),
    "a clause with 30,000 hints": (
        CERTIFICATES, _certificate([b"%d 5 0 %s0\n" % (FIRST, b"1 " * 30_000)]), "does not follow"),
    "30,000 hints to a long clause": (
        CERTIFICATES, _certificate([
            *_lemmas(b"-9 " * LITERALS, b"1 ", 1),
            b"%d -9 -1 0 %s0\n" % (FIRST + 1, b"%d " % FIRST * 13_000)]),
        "does not follow|does not end in the empty"),
    "a line of 30,000 open strings": (
        CERTIFICATES, _packed([b"cube O-O\nscope geometry\nopen%s\n\n" % (b" a" * 30_000)]),
        "is not a SAN string"),
    "a cube with a long name": (
        CERTIFICATES, _packed([b"cube %s\nscope geometry\nopen\n\n" % (b"O-O" * 20_000)]),
        "is not a cube"),
    "a string of 60,000 characters": (
        GAMES, _packed([b"f2f3 e7e5 g2g4 d8h4 1 %s\n" % (b"f" * 60_000)]), "game of fff"),
    "a game of 13,000 plies": (
        GAMES, _packed([b"g1f3 g8f6 f3g1 f6g8 " * 3250 + b"1 Nf3\n"]), "fivefold repetition"),
}  # fmt: skip
TRAPS: Final = [
    *(
        Trap(f"{name} for {file}", _instead(file, make), f"{file}: .*{says}")
        for name, (make, says) in INSTEAD.items()
        for file in (STRINGS, GAMES, CERTIFICATES)
    ),
    *(
        Trap(name, _instead(file, make), f"{file}: .*({says})")
        for name, (file, make, says) in BOMBS.items()
    ),
]
