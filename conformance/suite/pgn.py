"""The forms in which the suite writes games as PGN."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sanproof.reports.tables.pgn import wrapped
from sanproof.verify.conformance.suite import Demand


class Form(NamedTuple):
    """A way to write a game: whether it must be read, a sentence with the rule, what is in it."""

    demand: Demand
    why: str
    tags: bool = True
    numbers: bool = True
    comments: bool = False


PGNS: Final = {
    "plain": Form(Demand.MUST, "A game with tags, in export format (PGN standard 8)."),
    "no-tags": Form(
        Demand.MUST, "A game without tags, as the import format allows (PGN standard 3.1).", False
    ),
    "no-numbers": Form(
        Demand.MUST, "Move numbers are optional on import (PGN standard 8.2.2.1).", True, False
    ),
    "comments": Form(
        Demand.MUST,
        "Comments, codes and variations between the moves change nothing (PGN standard 8.2).",
        comments=True,
    ),
    "ambiguous-move": Form(
        Demand.MUST_NOT,
        "The last move can be either of two pieces, so the game cannot go on "
        "(PGN standard 8.2.3.4).",
    ),
    "illegal-move": Form(Demand.MUST_NOT, "The last move is illegal (FIDE 3.10.1)."),
}
"""The forms by name."""


def pgn_of(form: Form, sans: Sequence[str], result: str, last: str | None = None) -> str:
    """A game as PGN, with its result; ``last`` is written as one more move."""
    words: list[str] = []
    moves = [*sans, *([last] if last is not None else [])]
    for ply, san in enumerate(moves):
        number = ply // 2 + 1
        interrupted = form.comments and ply == 1
        if form.numbers and (ply % 2 == 0 or interrupted):
            words.append(f"{number}." if ply % 2 == 0 else f"{number}...")
        words.append(san)
        if form.comments and ply == 0:
            words += ["$1", "{not", "Nf9}", "(1.", "a3", "{a", "pawn)}", ")"]
    tags = ""
    if form.tags:
        names = ("Event", "Site", "Date", "Round", "White", "Black")
        values = ("?", "?", "????.??.??", "?", "?", "?")
        pairs = [*zip(names, values, strict=True), ("Result", result)]
        tags = "".join(f'[{name} "{value}"]\n' for name, value in pairs) + "\n"
    return f"{tags}{wrapped(' '.join([*words, result]))}\n"
