"""What a proof game is, and how one is written down."""

from typing import Final, NamedTuple

WHITE: Final = "white"
BLACK: Final = "black"
COLOURS: Final = (WHITE, BLACK)


class ProofGame(NamedTuple):
    """Moves (UCI) from the starting array to checkmate; the move at ``ply`` is written ``san``.

    Attributes:
        san: The string that the game shows.
        colour: Who plays it.
        ply: The index of its move.
        moves: All moves of the game.
    """

    san: str
    colour: str
    ply: int
    moves: tuple[str, ...]


def write_game(game: ProofGame) -> str:
    """A game as one line: string, colour, ply, moves."""
    return " ".join([game.san, game.colour, str(game.ply), *game.moves])


def read_game(line: str) -> ProofGame:
    """The game that :func:`write_game` wrote."""
    san, colour, ply, *moves = line.split()
    return ProofGame(san, colour, int(ply), tuple(moves))
