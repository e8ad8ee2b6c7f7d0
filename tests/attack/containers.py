"""Files that are damaged, packed in another way, or larger than they look."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    STRINGS,
)
from tests.proofs.kernel.evidence import Evidence

Contents = dict[str, bytes]
"""What the three files hold, by their names."""

PACKED: Final = (GAMES, CERTIFICATES)


class Damage(NamedTuple):
    """A change of what a file holds.

    Attributes:
        name: What was done, in a few words.
        make: Makes the changed contents.
        harmless: As of a :class:`tests.attack.forgery.Forgery`.
    """

    name: str
    make: Callable[[Contents, Random], Contents]
    harmless: bool = False


def contents_of(evidence: Evidence) -> Contents:
    """The files of some evidence."""
    strings, *packed = (text.encode("utf-8", "surrogateescape") for text in evidence)
    quickly = partial(lzma.compress, preset=0)
    return {STRINGS: strings, **dict(zip(PACKED, map(quickly, packed), strict=True))}


def _of_text(name: str, change: Callable[[bytes, Random], bytes]) -> Damage:
    """A change of the text of a file, which is packed again."""

    def make(contents: Contents, random: Random) -> Contents:
        file = random.choice(list(contents))
        packed = file in PACKED
        text = change(lzma.decompress(contents[file]) if packed else contents[file], random)
        return {**contents, file: lzma.compress(text, preset=0) if packed else text}

    return Damage(name, make)


def _of_file(name: str, change: Callable[[bytes], bytes], *, harmless: bool = False) -> Damage:
    """A change of a packed file as it stands on the disk."""

    def make(contents: Contents, random: Random) -> Contents:
        file = random.choice(PACKED)
        return {**contents, file: change(contents[file])}

    return Damage(name, make, harmless)


def _anywhere(what: bytes) -> Callable[[bytes, Random], bytes]:
    def change(text: bytes, random: Random) -> bytes:
        at = random.randint(0, len(text))
        return text[:at] + what + text[at:]

    return change


def _byte_changed(content: bytes) -> bytes:
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]


def _repacked(form: int = lzma.FORMAT_XZ, check: int = -1) -> Callable[[bytes], bytes]:
    return lambda content: lzma.compress(lzma.decompress(content), format=form, check=check)


def _in_two_streams(content: bytes) -> bytes:
    text = lzma.decompress(content)
    half = len(text) // 2
    return lzma.compress(text[:half]) + lzma.compress(text[half:])


def _large_dictionary(content: bytes) -> bytes:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 4 * MOST_BYTES}]
    return lzma.compress(lzma.decompress(content), filters=filters)


WEIRD: Final = {
    "NUL": b"\0", "an escape": b"\x1b[2J", "a bell": b"\a", "a delete": b"\x7f", "a tab": b"\t",
    "a vertical tab": b"\v", "a form feed": b"\f", "a carriage return": b"\r",
    "a file separator": b"\x1c", "a next line": "\x85".encode(), "a line separator":
    "\u2028".encode(), "an accent": "\xe9".encode(), "Latin-1": b"\xe9", "an Arabic digit":
    "\u0661".encode(), "a fullwidth digit": "\uff11".encode(), "a soft hyphen": "\xad".encode(),
    "a space of no width": "\u200b".encode(), "a byte-order mark": b"\xef\xbb\xbf",
    "half a character": b"\xc3", "a surrogate": b"\xed\xa0\x80",
}  # fmt: skip
DAMAGES: Final = [
    *(_of_text(f"{name} somewhere", _anywhere(what)) for name, what in WEIRD.items()),
    _of_text("a byte-order mark in front", lambda text, _: b"\xef\xbb\xbf" + text),
    _of_text("line ends of Windows", lambda text, _: text.replace(b"\n", b"\r\n")),
    _of_text("line ends of old Macs", lambda text, _: text.replace(b"\n", b"\r")),
    _of_text("UTF-16", lambda text, _: text.decode().encode("utf-16")),
    _of_text("a line end more in front", lambda text, _: b"\n" + text),
    _of_text("nothing", lambda _text, _: b""),
    _of_text("a line end and nothing else", lambda _text, _: b"\n"),
    _of_text("the text twice", lambda text, _: text * 2),
    _of_text("half of the text", lambda text, _: text[: len(text) // 2]),
    _of_text("a line that is too long", lambda text, _: text + b"x" * (LONGEST_LINE + 1) + b"\n"),
    _of_text("a line that is almost too long", lambda text, _: text + b"x" * LONGEST_LINE + b"\n"),
    _of_text("2 MiB of line ends", lambda text, _: text + b"\n" * MOST_LINES),
    _of_text("one line end too many for any", lambda _text, _: b"\n" * (MOST_LINES + 1)),
    _of_file("no bytes", lambda _: b""),
    _of_file("text that is not packed", lzma.decompress),
    _of_file("gzip", lambda content: gzip.compress(lzma.decompress(content))),
    _of_file("zlib", lambda content: zlib.compress(lzma.decompress(content))),
    _of_file("bzip2", lambda content: bz2.compress(lzma.decompress(content))),
    _of_file("the old form of LZMA", _repacked(form=lzma.FORMAT_ALONE)),
    _of_file("packed twice", lzma.compress),
    _of_file("another check", _repacked(check=lzma.CHECK_NONE), harmless=True),
    _of_file("in two streams", _in_two_streams),
    _of_file("a dictionary that needs much memory", _large_dictionary),
    _of_file("a byte changed", _byte_changed),
    _of_file("a byte more", lambda content: content + b"\0"),
    _of_file("padding of four bytes", lambda content: content + bytes(4)),
    _of_file("a byte less", lambda content: content[:-1]),
    _of_file("half of the bytes", lambda content: content[: len(content) // 2]),
    _of_file("the header only", lambda content: content[:12]),
    _of_file("the file twice", lambda content: content * 2),
    Damage("the list packed", lambda c, _: {**c, STRINGS: lzma.compress(c[STRINGS])}),
    Damage("games and certificates exchanged", lambda c, _: {
        **c, GAMES: c[CERTIFICATES], CERTIFICATES: c[GAMES]}),
    Damage("the list for games", lambda c, _: {**c, GAMES: lzma.compress(c[STRINGS])}),
]  # fmt: skip


# --- Small files that unpack to much ---


def _variable_length(number: int) -> bytes:
    """A number as the index of an .xz file writes it: seven bits a byte, the lowest first."""
    parts = []
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


@cache
def zeros(times: int, size: int = 1 << 26) -> bytes:
    """An .xz file of one stream that unpacks to zeros: one block of this size, several times.

    Its parts are those of "The .xz File Format", sections 2 (stream), 3 (block) and 4 (index).
    """
    packed = lzma.compress(bytes(size), check=lzma.CHECK_NONE, preset=0)
    header, footer = packed[:12], packed[-12:]
    index_size = 4 * (int.from_bytes(footer[4:8], "little") + 1)
    block, old_index = packed[12 : -12 - index_size], packed[-12 - index_size : -12]
    sizes = (len(block) - padding for padding in range(4))  # a record has the size without it
    records = [_variable_length(n) + _variable_length(size) for n in sizes]
    (record,) = (record for record in records if old_index[2:].startswith(record))
    index = b"\0" + _variable_length(times) + record * times
    index += bytes(-len(index) % 4)
    index += zlib.crc32(index).to_bytes(4, "little")
    fields = (len(index) // 4 - 1).to_bytes(4, "little") + footer[8:10]
    footer = zlib.crc32(fields).to_bytes(4, "little") + fields + footer[10:]
    return header + block * times + index + footer
