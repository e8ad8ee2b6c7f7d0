"""The forms in which the suite writes games as PGN."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sanproof.reports.tables.pgn import wrapped


class Form(NamedTuple):
    """A way to write a game.

    Attributes:
        demand: Whether it must be read.
        why: A sentence with the rule.
        tags: Whether it has tags.
        numbers: Whether moves are numbered.
        after: What stands after the first move.
        skipped: The number of plies played before it begins, with a FEN tag.
        change: What is done to the whole text.
    """

    demand: str
    why: str
    tags: bool = True
    numbers: bool = True
    after: str = ""
    skipped: int = 0
    change: Callable[[str], str] = str


PGNS: Final = {
    "plain": Form("must", "A game with tags, in export format (PGN standard 8)."),
    "no-tags": Form(
        "must", "A game without tags, as the import format allows (PGN standard 3.1).", False
    ),
    "no-numbers": Form(
        "must", "Move numbers are optional on import (PGN standard 8.2.2.1).", True, False
    ),
    "comments": Form(
        "must",
        "Comments, codes and variations between the moves change nothing (PGN standard 8.2).",
        after="$1 {not Nf9} (1. a3 {a pawn)} )",
    ),
    "nested": Form(
        "must",
        "Variations may hold variations, and change nothing (PGN standard 8.2.5).",
        after="(1. a3 (1. b3 b6 (1... c6)) 1... a6) (1. c3)",
    ),
    "line-comment": Form(
        "must",
        "A comment may begin with ; and end with its line (PGN standard 5).",
        after="; Nf9 { (\n",
    ),
    "escape": Form(
        "must",
        "A line that begins with % is skipped (PGN standard 6).",
        after="\n% Nf9 { (\n",
    ),
    "fen": Form(
        "must",
        "The game begins in the position of the tag FEN, with its counts (PGN standard 9.7).",
        skipped=5,
    ),
    "line-ends": Form(
        "must",
        "Lines may end with a carriage return and a line feed (PGN standard 3.2.2, 4.1).",
        change=lambda text: text.replace("\n", "\r\n"),
    ),
    "quotes": Form(
        "must",
        "A quote and a backslash in a tag stand after a backslash (PGN standard 7).",
        change=lambda text: text.replace('White "?"', r'White "A \"B]\" \\"'),
    ),
    "no-blanks": Form(
        "must",
        "No blank is needed after a move number (PGN standard 7, 8.2.2.1).",
        change=lambda text: re.sub(r"(\d\.)\s", r"\1", text),
    ),
    "byte-order-mark": Form(
        "may",
        "Some programs write a byte order mark; the standard knows none (PGN standard 4.1).",
        change="\ufeff".__add__,
    ),
    "no-result": Form(
        "may",
        "The result at the end is missing, which the standard asks for (PGN standard 8.2.6).",
        change=lambda text: f"{text.rpartition(' ')[0]}\n",
    ),
    "ambiguous-move": Form(
        "must not",
        "The last move can be either of two pieces, so the game cannot go on "
        "(PGN standard 8.2.3.4).",
    ),
    "illegal-move": Form("must not", "The last move is illegal (FIDE 3.10.2)."),
}
"""The forms by name."""


def pgn_of(form: Form, sans: Sequence[str], result: str, last: str | None, fen: str) -> str:
    """Return a game as PGN, with its result, from a position after the skipped plies.

    ``last`` is written as one more move.
    """
    words: list[str] = []
    moves = [*sans, *([last] if last is not None else [])]
    for ply, san in enumerate(moves, form.skipped):
        is_first, is_black = ply == form.skipped, ply % 2
        interrupted = form.after and ply == 1
        if form.numbers and (not is_black or is_first or interrupted):
            words.append(f"{ply // 2 + 1}.{'..' * is_black}")
        words.append(san)
        if is_first and form.after:
            words.append(form.after)
    tags = ""
    if form.tags:
        names = ("Event", "Site", "Date", "Round", "White", "Black")
        values = ("?", "?", "????.??.??", "?", "?", "?")
        pairs = [*zip(names, values, strict=True), ("Result", result)]
        pairs += [("SetUp", "1"), ("FEN", fen)] if form.skipped else []
        tags = "".join(f'[{name} "{value}"]\n' for name, value in pairs) + "\n"
    text = " ".join([*words, result]).replace(" \n", "\n").replace("\n ", "\n")
    return form.change(f"{tags}{text if chr(10) in text else wrapped(text)}\n")
