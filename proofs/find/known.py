"""Known legal games, each up to a position of interest: the lines of ``known.txt``. Untrusted.

A line is ``level | mechanism | text | moves``: the moves in UCI from the initial position, and a
text, as JSON, that is read or played after them; ``-`` without one. The conformance suite begins
with these games, and takes the texts that a reader may accept. The level is of an earlier suite.
"""

import json
from importlib.resources import files
from typing import Final, NamedTuple

PACKAGE: Final = "sanproof.proofs.find"
NAME: Final = "known.txt"


class KnownGame(NamedTuple):
    """The moves of a legal game from the initial position in UCI, and a text for the next one."""

    moves: tuple[str, ...]
    san: str


def known_games() -> list[KnownGame]:
    """Return the games with a text, which may denote no move, or be written otherwise."""
    lines = files(PACKAGE).joinpath(NAME).read_text("utf-8").splitlines()
    cells = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [
        KnownGame(tuple(moves.split()), json.loads(text))
        for _, _, text, moves in cells
        if text != "-"
    ]
