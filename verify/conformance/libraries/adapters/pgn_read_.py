"""Adapter for pgn-read (PyPI): reads a PGN and shows the position after it, as its samples do.

``python pgn_read_.py strict`` takes the library's ``GameStrictPGN``, without the word ``Game``.
The library shows no move but as it was written. Which move a SAN string denotes is taken from the
FEN before and after it: the squares that the player's men left and reached.
"""

import sys
from typing import Any

from answering import answer_cases
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


def men(position: str) -> dict[str, str]:
    """The men on the squares of a FEN; a dot where there is none."""
    placement = position.partition(" ")[0]
    for digit in "12345678":
        placement = placement.replace(digit, "." * int(digit))
    return {
        "abcdefgh"[file] + str(8 - rank): man
        for rank, row in enumerate(placement.split("/"))
        for file, man in enumerate(row)
    }


def read(case: dict[str, Any]) -> str:
    """The move that a SAN string denotes, in UCI."""
    before, after = men(case["fen"]), men(play(case))
    changed = [square for square in before if before[square] != after[square]]
    white = " w " in case["fen"]
    left = [
        square for square in changed if after[square] == "." and before[square].isupper() == white
    ]
    reached = [square for square in changed if after[square] != "."]
    if len(left) == 2:  # castling is the king's move
        left = [square for square in left if before[square] in "Kk"]
        reached = [square for square in reached if after[square] in "Kk"]
    (origin,), (destination,) = left, reached
    promoted = before[origin] in "Pp" and after[destination] not in "Pp"
    return origin + destination + (after[destination].lower() if promoted else "")


def play(case: dict[str, Any]) -> str:
    """The FEN after a move in SAN."""
    tags = f'[Event "?"]\n[SetUp "1"]\n[FEN "{case["fen"]}"]\n[Result "*"]'
    return fen(parse(f"{tags}\n\n{case['san']} *\n"))


answer_cases("pgn-read", read, play, settings="GameStrictPGN" if STRICT else "")
