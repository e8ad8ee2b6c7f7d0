"""What is known of a string: light to import, for commands that only read verdicts."""

from enum import Enum


class Verdict(Enum):
    """What is known of a string; no bool, because *not found* is not *impossible*."""

    REACHABLE = "reachable"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"

    __hash__ = object.__hash__  # verdicts are counted a million times, and Enum's is slow
