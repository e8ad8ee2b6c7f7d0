"""Files packed badly: large ones that a run might have, as far as their packed size tells.

The kernel refuses what unpacks to many times its size before it looks at the text. Whoever wants
to waste its time therefore packs a part of the text not at all, as these do.
"""

import lzma
import struct
import zlib
from typing import Final

STORED: Final = 16
"""One byte in so many is stored as it is."""
CHUNK: Final = 1 << 16


def xz(text: bytes) -> bytes:
    """A text as an xz file (https://tukaani.org/xz/xz-file-format.txt), a part of it stored."""
    body, check = _lzma2(text), _crc32(text)
    head = _with_crc32(b"\x02\x00\x21\x01\x1c".ljust(8, b"\0"))  # LZMA2, a dictionary of 64 MiB
    unpadded = len(head) + len(body) + len(check)
    index = _with_crc32(_padded(b"\x00\x01" + _number(unpadded) + _number(len(text))))
    flags = b"\x00\x01"  # the check is CRC32
    end = struct.pack("<I", len(index) // 4 - 1) + flags
    stream = b"\xfd7zXZ\x00" + flags + _crc32(flags)
    return stream + head + _padded(body) + check + index + _crc32(end) + end + b"YZ"


def gz(text: bytes) -> bytes:
    """A text as a gzip file (RFC 1952), a part of it stored."""
    stored, packed = zlib.compressobj(0, wbits=-15), zlib.compressobj(1, wbits=-15)
    here = len(text) // STORED
    body = stored.compress(text[:here]) + stored.flush(zlib.Z_FULL_FLUSH)
    body += packed.compress(text[here:]) + packed.flush()
    head = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    return head + body + _crc32(text) + struct.pack("<I", len(text) % (1 << 32))


def _lzma2(text: bytes) -> bytes:
    """Chunks that are stored, then chunks that are packed."""
    here = len(text) // STORED
    chunks = []
    for at in range(0, here, CHUNK):
        piece = text[at : min(at + CHUNK, here)]
        chunks += [b"\x02" if at else b"\x01", struct.pack(">H", len(piece) - 1), piece]
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0}]
    return b"".join([*chunks, lzma.compress(text[here:], lzma.FORMAT_RAW, filters=filters)])


def _number(value: int) -> bytes:
    """As the format writes numbers: seven bits a byte, the lowest first."""
    low, high = value & 127, value >> 7
    return bytes([low | 128]) + _number(high) if high else bytes([low])


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % 4)


def _crc32(content: bytes) -> bytes:
    return struct.pack("<I", zlib.crc32(content))


def _with_crc32(content: bytes) -> bytes:
    return content + _crc32(content)
