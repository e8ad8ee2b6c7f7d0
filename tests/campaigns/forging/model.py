"""The things all forgeries share: the kernel's three files, and ways to change one."""

import lzma
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import list_order
from sanproof.reports.tables.files import gzipped

MAX_TRIES: Final = 1000
"""A change that changes nothing so often never will."""

Files = dict[str, bytes]


class Forgery(NamedTuple):
    """Files with something wrong in them; harmless ones may pass, but as the same theorem."""

    files: Files
    harmless: bool = False


Kind = Callable[[Files, Random], Forgery]


class NotCaught(Exception):
    """What reads the files accepts a forgery, or refuses it in the wrong way."""


def unpack(name: str, content: bytes) -> bytes:
    """Return the text of a file of a run."""
    if name.endswith(".xz"):
        return lzma.decompress(content)
    return zlib.decompress(content, wbits=31) if name.endswith(".gz") else content


def pack(name: str, text: bytes) -> bytes:
    """Return the file of a run with this text."""
    if name.endswith(".xz"):
        return lzma.compress(text, preset=1)
    return gzipped(text) if name.endswith(".gz") else text


def text_of(files: Files, name: str) -> str:
    """Return the text of a file of ASCII."""
    return unpack(name, files[name]).decode("ascii")


def with_text(files: Files, name: str, text: str | bytes) -> Files:
    """Return the files with another text in one of them."""
    return {**files, name: pack(name, text.encode() if isinstance(text, str) else text)}


def until_changed(old: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Return what a change makes that is another.

    Raises:
        ValueError: It never is.
    """
    for _ in range(MAX_TRIES):
        if (new := change(old)) != old:
            return new
    raise ValueError("nothing is changed")


def of_text(name: str, change: Callable[[str, Random], str]) -> Kind:
    """Change the text of a file."""

    def forge(files: Files, random: Random) -> Forgery:
        def changed(text: bytes) -> bytes:
            return change(text.decode("ascii"), random).encode()

        return Forgery(with_text(files, name, until_changed(unpack(name, files[name]), changed)))

    return forge


def list_text(strings: Iterable[str]) -> str:
    """Return strings as a forger who knows the order of the list writes them, one a line."""
    return "\n".join(sorted(set(strings), key=list_order))


def lay_down(files: Files, directory: Path) -> None:
    """Write files to a folder."""
    directory.mkdir(exist_ok=True)
    for name, content in files.items():
        (directory / name).write_bytes(content)
