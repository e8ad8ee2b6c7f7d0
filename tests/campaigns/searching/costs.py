"""A search for inputs that cost too much: patterns of tokens, of which two sizes are measured.

What is read must cost memory and time in proportion to its size, and not much for each byte. A
pattern that seems to break this is measured again at the largest size that is read at once.
"""

import os
import resource
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final, NamedTuple

from sanproof.verify.errors import Failure
from sanproof.verify.gate.lists import parse_list
from sanproof.verify.scan.borders import LONGEST_GAME_BYTES, cut
from sanproof.verify.scan.chunks import Chunk, Options
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.work.store import unpacked
from tests.campaigns.forging.model import NotCaught
from tests.verify.scan.pgn import options

SIZE: Final = 1 << 18
MAX_MEMORY: Final = 1 << 30
MAX_SECONDS_PER_MB: Final = 20.0
"""Of a processor that is quiet: games of fourteen bytes, each with a text that is no move."""
MAX_RATIO: Final = 3.0
"""Twice the input may take so many times as long; what is quadratic takes four times."""
_NOISE_SECONDS: Final = 0.3
_GIVEN_SECONDS: Final = 120

TAG: Final = b'[Event "x"]\n\n'
MOVETEXT: Final = (
    *(b"1. e4 ", b"e5 ", b"Nf3 ", b"Nf6 ", b"Ng1 ", b"Ng8 ", b"Ng1f3 ", b"Nf3! ", b"Sf3 ", b"Zz9 "),
    *(b"-- ", b"Z0 ", b"0000 ", b"e.p. ", b"O-O ", b"0-0 ", b"+- ", b"+", b"=", b"?? ", b", "),
    *(b". ", b"(", b")", b"(e4) ", b"{", b"}", b"{}", b";", b"$1 ", b"1-0 ", b"1/2 ", b"*"),
    *(b"N ", b"\xc2\xa0", b"\xa0", b"\x1a", b"\xef\xbb\xbf", b"\xff", b"\0", b"\r", b"\n", b"\n\n"),
    *(b" ", b"\n%x\n", b'\n[A "x"]\n', b"\n[x\n", b'\n[Event "x"]\n\n', b'"', b"\\", b"a", b"8/"),
    *(b"1.", b"*\n\n"),
)  # fmt: skip
NESTED: Final = ((b"(", b")"), (b"(Nf3 ", b")"), (b"{", b"}"), (b"[", b"]"), (b"e4 (d4 ", b") "))
JSON: Final = (
    *(b"[],", b"{},", b'"",', b"1,", b"1.5,", b'{"a":1},', b"[[1]],", b'"\\ud800",', b"null,"),
)
LISTS: Final = (
    *(b"e4\n", b"e5,", b"\n", b" ", b"\0", b"\r", b"Nf3\tNf6\n", b"\xff", b'"', b"[", b"{}"),
)


class Target(NamedTuple):
    """Something that reads what others write.

    Attributes:
        read: Reads a text; what is refused in a sentence is read.
        tokens: What a text consists of.
        frames: What may stand before and after it.
        largest: So many bytes are read at once.
    """

    read: Callable[[bytes], object]
    tokens: Sequence[bytes]
    frames: Sequence[tuple[bytes, bytes]]
    largest: int


def scan(text: bytes, wanted: Options) -> None:
    """Scan a text chunk by chunk."""
    for piece in cut(iter([text])):
        scan_chunk(Chunk("x.pgn", piece.data, piece.part), wanted)


WANTED: Final = tuple(
    options()._replace(sample=1000, **how)
    for how in (
        {},
        {"most": 5000, "strict": True, "variations": True, "fast": False},
        {"games": True, "rewrite": True},
        {"rows": "csv", "fast": False},
    )
)
GAMES: Final = (
    (TAG, b" *\n"),
    (TAG + b"1. e4 ", b" *\n"),
    (b"", b""),
    (b'[Event "', b'"]\n\n1. e4 *'),
)
TARGETS: Final = {
    **{
        f"games, {number}": Target(
            partial(scan, wanted=wanted), MOVETEXT, GAMES, LONGEST_GAME_BYTES
        )
        for number, wanted in enumerate(WANTED, start=1)
    },
    "rows of a store": Target(
        lambda text: unpacked(zlib.compress(text, 1)), JSON, [(b"[", b"1]")], 1 << 24
    ),
    "lists": Target(lambda text: parse_list("x.txt", text), LISTS, [(b"", b"")], 1 << 25),
    "lists in JSON": Target(
        lambda text: parse_list("x.json", text), JSON, [(b"[", b"1]")], 1 << 25
    ),
}


class Pattern(NamedTuple):
    """A text of any size, by its shape."""

    shape: str
    pieces: tuple[bytes, ...]
    frame: tuple[bytes, bytes]

    def text(self, size: int) -> bytes:
        """Return about so many bytes of it."""
        before, after = self.frame
        whole = b"".join(self.pieces)
        if self.shape == "nested":
            times = size // len(whole)
            return before + self.pieces[0] * times + self.pieces[1] * times + after
        if self.shape == "mixed":
            count = size * len(self.pieces) // len(whole)
            return before + b"".join(Random(1).choices(self.pieces, k=count)) + after
        return before + whole * (size // len(whole)) + after


def drawn(target: Target, random: Random) -> Pattern:
    """Return a pattern that is drawn."""
    shape, frame = random.choice(("repeated", "repeated", "mixed", "nested")), random.choice
    if shape == "nested":
        return Pattern(shape, random.choice(NESTED), frame(target.frames))
    pieces = tuple(random.choices(target.tokens, k=random.choice((1, 1, 2, 3, 4))))
    return Pattern(shape, pieces, frame(target.frames))


class Cost(NamedTuple):
    """The cost: seconds of the processor, and bytes at the peak."""

    seconds: float
    memory: int


def cost(read: Callable[[bytes], object], text: bytes) -> Cost:
    """Return what reading a text costs, measured in a process of its own.

    Raises:
        NotCaught: It ends in an error, or takes too long.
    """
    child = os.fork()
    if not child:
        code = 1
        with suppress(BaseException):
            resource.setrlimit(resource.RLIMIT_CPU, (_GIVEN_SECONDS, _GIVEN_SECONDS))
            with suppress(Failure, ValueError):
                read(text)
            code = 0
        os._exit(code)
    _, status, used = os.wait4(child, 0)
    if status:
        raise NotCaught(f"ends with {os.waitstatus_to_exitcode(status)}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def breach(target: Target, pattern: Pattern, size: int = SIZE) -> str:
    """Return what is wrong with the cost of a pattern; empty if nothing is.

    Raises:
        NotCaught: It cannot be read at all.
    """
    none, once, twice = (cost(target.read, pattern.text(n)) for n in (0, size, 2 * size))
    seconds = twice.seconds - none.seconds
    growth = max(0, twice.memory - once.memory) / size
    rate = seconds / (2 * size / 1e6)
    is_steep = seconds > MAX_RATIO * max(0, once.seconds - none.seconds) + _NOISE_SECONDS
    is_large = none.memory + growth * target.largest > MAX_MEMORY
    if not (is_steep or is_large or rate > MAX_SECONDS_PER_MB):
        return ""
    # Chance, a table that has grown, or indeed: the whole tells.
    whole = cost(target.read, pattern.text(target.largest if is_large else 4 * size))
    if whole.memory > MAX_MEMORY:
        return f"takes {whole.memory / 1e6:,.0f} MB of memory"
    if is_steep and whole.seconds - none.seconds > MAX_RATIO * seconds:
        return f"takes {seconds:.1f} s, and {whole.seconds:.1f} s twice as long"
    rate = (whole.seconds - none.seconds) / (4 * size / 1e6)
    return f"takes {rate:.1f} s a MB" if not is_large and rate > MAX_SECONDS_PER_MB else ""


def search(name: str, random: Random) -> None:
    """Draw a pattern, and measure it.

    Raises:
        NotCaught: It costs too much.
    """
    target = TARGETS[name]
    pattern = drawn(target, random)
    with suppress(Failure, ValueError):
        target.read(TAG + b"1. e4 *\n")  # loads what the processes then share
    try:
        wrong = breach(target, pattern)
    except NotCaught as error:
        wrong = str(error)
    if wrong:
        raise NotCaught(f"{pattern!r}: {wrong}")
