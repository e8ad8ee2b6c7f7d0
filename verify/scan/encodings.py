"""Texts as the scan reads them: bytes of UTF-8 or Latin-1, whose lines end in LF.

Files from old Macintosh computers end their lines in CR alone, and some programs write UTF-16.
What such a file holds is seen from its beginning, and it is translated while it is read. Every
character keeps its line and its column.
"""

import codecs
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

HEAD_BYTES: Final = 1 << 16
"""So much of a text says how it is written."""
_UTF_16: Final = {
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"[\0": "utf-16-le",
    b"\0[": "utf-16-be",
}
"""What UTF-16 begins with: a byte order mark, or without one the bracket of a tag."""

Translation = Callable[[bytes, bool], bytes]
"""Gives the text of the next bytes; the second argument says whether they are the last."""


def translation(head: bytes) -> Translation | None:
    """Return how a text that begins so is translated; None if it is read as it is."""
    decode = None
    if name := _UTF_16.get(head[:2]):
        decode = codecs.getincrementaldecoder(name)(errors="replace").decode
        head = head.decode(name, errors="replace").encode()
    ends_in_cr = b"\r" in head and b"\n" not in head
    if decode is None and not ends_in_cr:
        return None

    def translate(part: bytes, is_last: bool) -> bytes:
        text = decode(part, is_last).encode() if decode else part
        return text.replace(b"\r", b"\n") if ends_in_cr else text

    return translate


def translated(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a text as the scan reads it, translated if its beginning asks for that."""
    head = b""
    while len(head) < HEAD_BYTES and (block := next(blocks, b"")):
        head += block
    translate = translation(head[:HEAD_BYTES])
    if translate is None:
        yield head
        yield from blocks
        return
    for block in chain([head], blocks):
        yield translate(block, False)
    yield translate(b"", True)
