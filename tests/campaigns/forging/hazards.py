"""Files that want much memory or time: who reads them has 1 GiB and a minute, and must refuse them.

Some are small and unpack to more than a file may have. Others are as large as a file may be, and
hold what costs most to take apart. The kernel's program reads them.
"""

import lzma
import struct
import zlib
from collections.abc import Callable
from typing import Final

from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    STRINGS,
)
from tests.campaigns.forging.parts import Certificate, formula_of

MEBIBYTE: Final = 1 << 20
STORED: Final = 16
"""One byte in so many is stored as it is: what is packed too well is refused unread."""
CHUNK: Final = 1 << 16

Make = Callable[[Certificate], bytes]
Hazard = tuple[str, Make, str]
"""The file, its content beside a certificate of the sound evidence, and what is said of it."""


# --- Packing badly ---


def xz(text: bytes) -> bytes:
    """Return an xz file (https://tukaani.org/xz/xz-file-format.txt), a part of it stored."""
    body, check = _lzma2(text), _crc32(text)
    head = _with_crc32(b"\x02\x00\x21\x01\x1c".ljust(8, b"\0"))  # LZMA2, a dictionary of 64 MiB
    unpadded = len(head) + len(body) + len(check)
    index = _with_crc32(_padded(b"\x00\x01" + _number(unpadded) + _number(len(text))))
    flags = b"\x00\x01"  # the check is CRC32
    end = struct.pack("<I", len(index) // 4 - 1) + flags
    stream = b"\xfd7zXZ\x00" + flags + _crc32(flags)
    return stream + head + _padded(body) + check + index + _crc32(end) + end + b"YZ"


def gz(text: bytes) -> bytes:
    """Return a gzip file (RFC 1952), a part of it stored."""
    stored, packed = zlib.compressobj(0, wbits=-15), zlib.compressobj(1, wbits=-15)
    here = len(text) // STORED
    body = stored.compress(text[:here]) + stored.flush(zlib.Z_FULL_FLUSH)
    body += packed.compress(text[here:]) + packed.flush()
    head = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    return head + body + _crc32(text) + struct.pack("<I", len(text) % (1 << 32))


def _lzma2(text: bytes) -> bytes:
    """Return chunks that are stored, then chunks that are packed."""
    here = len(text) // STORED
    chunks = []
    for at in range(0, here, CHUNK):
        piece = text[at : min(at + CHUNK, here)]
        chunks += [b"\x02" if at else b"\x01", struct.pack(">H", len(piece) - 1), piece]
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0}]
    return b"".join([*chunks, lzma.compress(text[here:], lzma.FORMAT_RAW, filters=filters)])


def _number(value: int) -> bytes:
    """Return a number as the format writes it: seven bits a byte, the lowest first."""
    low, high = value & 127, value >> 7
    return bytes([low | 128]) + _number(high) if high else bytes([low])


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % 4)


def _crc32(content: bytes) -> bytes:
    return struct.pack("<I", zlib.crc32(content))


def _with_crc32(content: bytes) -> bytes:
    return content + _crc32(content)


def xz_bomb(text: bytes, mebibytes: int) -> bytes:
    """Return so much of the repeated text as an xz file, without its end, which is not read."""
    file = lzma.compress(b"x", preset=0)
    header = file[: 12 + 4 * (file[12] + 1)]  # the stream's, and the first block's
    block = text * (2 * MEBIBYTE // len(text))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0}]
    chunks = lzma.compress(block, format=lzma.FORMAT_RAW, filters=filters)[:-1]
    return header + chunks * (mebibytes // 2)


# --- Contents ---


def full(text: bytes, head: bytes = b"", pack: Callable[[bytes], bytes] = bytes) -> Make:
    """Make as much of the repeated text as a file may have."""
    return lambda _: pack(head + text * ((MOST_BYTES - len(head)) // len(text)))


def whole(*pieces: bytes) -> Make:
    """Make a packed file of these pieces."""
    return lambda _: xz(b"".join(pieces))


def lines(form: str, count: int) -> Make:
    """Make lines that are sorted and all different."""
    return lambda _: xz(
        "".join(f"{form.format(n)}\n" for n in range(10**6, 10**6 + count)).encode()
    )


def in_certificate(body: Callable[[int], bytes], times: int = 0) -> Make:
    """Make a certificate of a cube, with this body after its first number; filled up by default."""

    def make(certificate: Certificate) -> bytes:
        number = certificate.steps[0].number
        head = "\n".join([*certificate.header, ""]).encode()
        count = times or (MOST_BYTES - len(head)) // len(body(number + 10**5))
        return xz(b"".join([head, *(body(number + i) for i in range(count)), b"\n"]))

    return make


def true_clause(literals: bytes, hints: bytes = b"1 ") -> Callable[[int], bytes]:
    """Make a clause that holds, because it holds what is true."""
    return lambda number: b"%d 1 %s0 %s0\n" % (number, literals, hints)


def many_hints(filler: bytes) -> Make:
    """Make long clauses that follow, each after very many hints that lead no further.

    The first follows because variable 1 is true. Under the others' assumption all of its literals
    but that one are false, again and again, until at last the formula's second clause is false.
    """

    def make(certificate: Certificate) -> bytes:
        number = certificate.steps[0].number
        cube, scope, left_open, _ = certificate
        second = " ".join(map(str, formula_of(cube, scope, left_open)[1])).encode()
        literals = (second + b" " + filler)[: LONGEST_LINE // 2].rpartition(b" ")[0]
        hints = b"%d " % number * (LONGEST_LINE // 2 // len(b"%d " % number) - 10)
        clauses = [b"%d 1 %s 0 1 0\n" % (number, literals)]
        clauses += [b"%d %s 0 %s2 0\n" % (number + i, literals, hints) for i in range(1, 500)]
        return xz(b"".join(["\n".join([*certificate.header, ""]).encode(), *clauses, b"\n"]))

    return make


REPEATED: Final = b"-9 " * ((LONGEST_LINE - 20) // 3)
DISTINCT: Final = b"".join(b"%d " % x for x in range(1000, 13_000))
NOT_REFUTED: Final = "does not end in the empty|does not follow|the hints name more"
HAZARDS: Final[dict[str, Hazard]] = {
    "xz: 1 GiB of zeros": (CERTIFICATES, lambda _: xz_bomb(bytes(1), 1024), ""),
    "xz: a dictionary of 512 MiB": (CERTIFICATES, lambda _: lzma.compress(
        b"cube", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}]), ""),
    "a byte too many": (GAMES, whole(b"x" * MOST_BYTES, b"x"), "unpacks to more than any file"),
    "a list of one line": (STRINGS, full(b"7"), "longer than any"),
    "games of line ends": (GAMES, full(b"\n", pack=xz), "more lines than any"),
    "certificates of line ends": (CERTIFICATES, full(b"\n", pack=xz), "more lines than any"),
    "two million line ends for certificates": (CERTIFICATES, whole(b"\n" * MOST_LINES), ""),
    "a million certificates": (CERTIFICATES, whole(b"cube O-O\n\n" * 10**6), ""),
    "games of a move": (GAMES, lines("e2e4 1 e{}", MOST_LINES - 9), ""),
    "a game of 13,000 plies": (
        GAMES, whole(b"g1f3 g8f6 f3g1 f6g8 " * 3250 + b"1 Nf3\n"), "fivefold repetition"),
    "a cube with a long name": (
        CERTIFICATES, whole(b"cube %s\nscope geometry\nopen\n\n" % (b"O-O" * 20_000)), ""),
    "empty steps": (CERTIFICATES, in_certificate(lambda _: b"1 0 1 0\n", 2_000_000), ""),
    "as many such clauses as there is room for": (
        CERTIFICATES, in_certificate(true_clause(REPEATED)), NOT_REFUTED),
    "as many long clauses as there is room for": (
        CERTIFICATES, in_certificate(true_clause(DISTINCT)), NOT_REFUTED),
    "hints to a clause of one literal again and again": (CERTIFICATES, many_hints(b"2 " * 40_000),
        NOT_REFUTED),
    "hints to a clause of very many literals": (CERTIFICATES, many_hints(
        b" ".join(b"%d" % x for x in range(2, 20_000))), NOT_REFUTED),
}  # fmt: skip
