"""Where two files differ, in a sentence."""

from bisect import bisect_left
from typing import Final

EXCERPT: Final = 60


def difference(ours: bytes, theirs: bytes) -> str:
    """Say where a file first differs: the line as it is, and as it should be."""
    length = min(len(ours), len(theirs))
    # The shortest beginning that differs is one longer than what is the same.
    prefixes = range(1, length + 1)
    at = bisect_left(prefixes, True, key=lambda n: ours[:n] != theirs[:n])
    if at == length and (ours[at:] or theirs[at:]).startswith(b"\n"):
        at += 1  # one of them has lines more
    number = max(ours, theirs, key=len).count(b"\n", 0, at) + 1
    start = max(ours, theirs, key=len).rfind(b"\n", 0, at) + 1
    should, does = (_excerpt(content, start, at) for content in (ours, theirs))
    return f"line {number} is {does}, and should be {should}"


def _excerpt(content: bytes, start: int, at: int) -> str:
    """Return the line that begins at ``start``, or the part of it where ``at`` is."""
    if start > len(content):
        return "the end"
    begin = start if at - start < EXCERPT // 2 else at - EXCERPT // 2
    line = content[begin : begin + EXCERPT].split(b"\n", 1)[0]
    return "..." * (begin > start) + ascii(line.decode("latin-1"))
