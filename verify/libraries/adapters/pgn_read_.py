"""Adapter for pgn-read (PyPI): reads a PGN and shows the position after it, as its samples do.

``python pgn_read_.py strict`` takes the library's ``GameStrictPGN``, without the word ``Game``.
The library shows no move but as it was written, so it cannot be asked which move a string denotes.
"""

import json
import sys
from importlib.metadata import version
from typing import Any

from pgn_read.core.game import Game, generate_fen_for_position
from pgn_read.core.game_strict_pgn import GameStrictPGN
from pgn_read.core.parser import PGN

STRICT = sys.argv[1:] == ["strict"]


def parse(pgn: str) -> Any:
    """The game of a PGN; ``state`` is the index of the first token that the library refuses."""
    found = next(PGN(game_class=GameStrictPGN if STRICT else Game).read_games(pgn))
    if found.state is not None:
        raise ValueError(f"error at {found._text[found.state]!r}")
    return found


def fen(found: Any) -> str:
    """The position after a game: the call of the library's own samples."""
    return generate_fen_for_position(
        found._piece_placement_data.values(),
        found._active_color,
        found._castling_availability,
        found._en_passant_target_square,
        found._halfmove_clock,
        found._fullmove_number,
    )


def play(case: dict[str, Any]) -> str:
    """The FEN after a move in SAN."""
    tags = f'[Event "?"]\n[SetUp "1"]\n[FEN "{case["fen"]}"]\n[Result "*"]'
    return fen(parse(f"{tags}\n\n{case['san']} *\n"))


OPERATIONS = {"play": play}
GREETING = {
    "sanproof": 1,
    "name": "pgn-read",
    "version": version("pgn-read"),
    "language": "Python",
    "settings": "GameStrictPGN" if STRICT else "",
    "operations": list(OPERATIONS),
}

print(json.dumps(GREETING), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"result": OPERATIONS[case["operation"]](case)}
    except Exception as error:  # whatever the library raises, it did not take the move
        answer = {"rejected": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": case["id"]} | answer), flush=True)
