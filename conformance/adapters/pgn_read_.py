"""Adapter for pgn-read (PyPI): reads a PGN and shows the position after it, as its samples do.

``python pgn_read_.py strict`` takes the library's ``GameStrictPGN``, without the word ``Game``.
The library shows no move but as it was written. Which move a SAN string denotes is taken from the
FEN before and after it: the squares that the player's pieces left and reached.
"""

import sys
from typing import Any

from answering import answer_cases, game_of, read_by
from pgn_read.core.game import Game, generate_fen_for_position
from pgn_read.core.game_strict_pgn import GameStrictPGN
from pgn_read.core.parser import PGN

STRICT = sys.argv[1:] == ["strict"]


def parse(pgn: str) -> Any:
    """Read the game of a PGN; ``state`` is the index of the first token the library refuses."""
    found = next(PGN(game_class=GameStrictPGN if STRICT else Game).read_games(pgn))
    if found.state is not None:
        raise ValueError(f"error at {found._text[found.state]!r}")
    return found


def fen(found: Any) -> str:
    """Return the position after a game: the call of the library's own samples."""
    return generate_fen_for_position(
        found._piece_placement_data.values(),
        found._active_color,
        found._castling_availability,
        found._en_passant_target_square,
        found._halfmove_clock,
        found._fullmove_number,
    )


def read(case: dict[str, Any]) -> str:
    return read_by(case, play(case))


def play(case: dict[str, Any]) -> str:
    return fen(parse(game_of(case["fen"], case["san"])))


answer_cases("pgn-read", read, play, settings="GameStrictPGN" if STRICT else "")
