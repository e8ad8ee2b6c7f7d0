"""Writes and reads proof games as PGN, in the standard's export format but for one tag.

Besides the seven tags of every PGN file a game has ``PlyCount``, ``Shows`` (its string) and
``ShownAtPly`` (when it is played, the first ply being 1). Export format has such additional tags in
ASCII order (PGN standard 8.1.1), where ``ShownAtPly`` comes first; here ``Shows`` stands before
``ShownAtPly``. For a reader that makes no difference: import format has tags in any order. No
players are named, because these games were never played.
"""

import re
from collections.abc import Iterable
from sys import intern
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import list_order

LONGEST_LINE: Final = 79  # PGN standard 8.2.1: lines of movetext are shorter than 80 characters

_FORM: Final = """[Event "sanproof"]
[Site "?"]
[Date "????.??.??"]
[Round "{number}"]
[White "?"]
[Black "?"]
[Result "{result}"]
[PlyCount "{plies}"]
[Shows "{san}"]
[ShownAtPly "{shown_at}"]

{movetext}

"""
_WITNESS: Final = """[Event "sanproof"]
[Site "?"]
[Date "????.??.??"]
[Round "{number}"]
[White "?"]
[Black "?"]
[Result "{result}"]
[FEN "{fen}"]
[SetUp "1"]

{move} {result}

"""
_PATTERN: Final = re.compile(
    re.escape(_FORM).replace(r"\ ", " ").replace(r"\{", "(?P<").replace(r"\}", '>[^"]*)'), re.ASCII
)


class PgnGame(NamedTuple):
    """A proof game as it is published, with its number, its string, and all moves in SAN.

    Numbers count from 1. The string's move has the index ``ply``, from 0. The last move is mate.
    """

    number: int
    san: str
    ply: int
    sans: tuple[str, ...]

    @property
    def colour(self) -> str:
        """The player of the string: ``white`` or ``black``."""
        return "black" if self.ply % 2 else "white"


def number_games(games: Iterable[tuple[str, int, tuple[str, ...]]]) -> list[PgnGame]:
    """Return the games, numbered in list order of their strings, White's before Black's.

    Each is given as its string, the index of the string's move (from 0), and all moves.
    """
    in_order = sorted(games, key=lambda game: (list_order(game[0]), game[1] % 2))
    return [PgnGame(i, *game) for i, game in enumerate(in_order, 1)]


def write_pgn(game: PgnGame) -> str:
    """Return the game's text, with the empty line that ends it."""
    result = "1-0" if len(game.sans) % 2 else "0-1"
    return _FORM.format(
        number=game.number,
        result=result,
        plies=len(game.sans),
        san=game.san,
        shown_at=game.ply + 1,
        movetext=wrapped(f"{movetext(game.sans)} {result}"),
    )


def games_pgn(games: Iterable[PgnGame]) -> bytes:
    """Return the content of a PGN file, not packed."""
    return "".join(map(write_pgn, games)).encode("ascii")


def witness_pgn(san: str, fen: str, number: int | None = None) -> str:
    """Return PGN of one move from a position. ``number`` is that of the proof game, for Round."""
    _, turn, _, _, _, move_number = fen.split(" ")
    result = "*"
    if san.endswith("#"):
        result = "1-0" if turn == "w" else "0-1"
    move = f"{move_number}{'.' if turn == 'w' else '...'} {san}"
    return _WITNESS.format(number=number or "?", result=result, fen=fen, move=move)


def movetext(sans: Iterable[str]) -> str:
    """Return moves from the initial position with their numbers, on one line."""
    moves = list(sans)
    moves[::2] = [f"{number}. {san}" for number, san in enumerate(moves[::2], 1)]
    return " ".join(moves)


def wrapped(text: str) -> str:
    """Break movetext into lines of at most 79 characters, as PGN requires."""
    lines, start = [], 0
    while len(text) - start > LONGEST_LINE:
        end = text.rindex(" ", start, start + LONGEST_LINE + 1)
        lines.append(text[start:end])
        start = end + 1
    return "\n".join([*lines, text[start:]])


def read_pgn(text: str) -> PgnGame:
    """Read the text of one proof game, as :func:`write_pgn` writes it.

    Raises:
        ValueError: The text does not have the tags of a proof game.
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError("its tags are not those of a proof game")
    *moves, _ = match["movetext"].split() or [""]
    del moves[::3]  # the numbers
    ply = int(match["shown_at"]) - 1
    return PgnGame(int(match["number"]), match["san"], ply, tuple(map(intern, moves)))
