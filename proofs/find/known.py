"""Known legal games, each up to a position of interest: the lines of ``known.txt``. Untrusted.

A line is ``level | mechanism | text | moves``: the moves in UCI from the initial position, and a
text, as JSON, that is read or played after them. The conformance suite is made from these games
(``sources`` there says what the first two columns mean).
"""

import json
from importlib.resources import files
from typing import Final, NamedTuple

import chess

PACKAGE: Final = "sanproof.proofs.find"
NAME: Final = "known.txt"


class KnownGame(NamedTuple):
    """The moves of a legal game from the initial position in UCI, and the next one in SAN."""

    moves: tuple[str, ...]
    san: str


def known_games() -> list[KnownGame]:
    """Return the games whose text is how their next move is written.

    Raises:
        ValueError: A move is illegal.
    """
    text = files(PACKAGE).joinpath(NAME).read_text("utf-8")
    cells = [line.split(" | ") for line in text.splitlines() if not line.startswith("#")]
    games = [(moves.split(), written) for _, _, written, moves in cells if written != "-"]
    found = [KnownGame(tuple(moves), json.loads(written)) for moves, written in games]
    return [game for game in found if _is_written_so(game)]


def _is_written_so(game: KnownGame) -> bool:
    """Check whether the text denotes a move after the game, and is how the move is written."""
    board = chess.Board()
    for uci in game.moves:
        board.push_uci(uci)
    try:
        move = board.parse_san(game.san)
    except ValueError:  # it denotes no move here, or several
        return False
    return bool(move) and board.san(move) == game.san  # a null move does not count
