"""Makes the lists and tables of a run, and chooses the place of each string in the games.

A string without suffix has its place where it is played earliest in any game, and of equally early
games in the one with the fewest captures, because most readers expect `1. e4`, not an endgame. A
string with ``+`` or ``#`` has its place in the game that was made for it, where check is given as
in the witness.
"""

import gzip
import lzma
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import compress, count, zip_longest
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.fens import write_fen
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.kernel.games import common_length, read_move
from sanproof.reports.tables.files import csv_table, joined_lines
from sanproof.reports.tables.names import BARE_LIST, FULL_LIST, IMPOSSIBLE, WITNESSES
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.summary import Survey

HEADER: Final = "san,before_fen,uci,after_fen"
PACKERS: Final = 2


class Place(NamedTuple):
    """The number of a game, from 1, and the index of a move in it, from 0."""

    game: int
    ply: int


def find_places(games: Sequence[PgnGame]) -> dict[str, list[Place]]:
    """Return one place for each player of each string that has a game, the preferred one first."""
    made_for: dict[str, list[Place]] = defaultdict(list)
    for game in games:
        made_for[game.san].append(Place(game.number, game.ply))
    earliest = _earliest(games, {san for san in made_for if san[-1] not in "+#"})
    return {san: earliest.get(san) or places for san, places in made_for.items()}


def _earliest(games: Sequence[PgnGame], sans: set[str]) -> dict[str, list[Place]]:
    """Of these strings the places that are shown, of each player one, the earliest first."""
    captures = [" ".join(game.sans).count("x") for game in games]
    places: dict[str, list[Place]] = defaultdict(list)
    missing = set(sans), set(sans)
    # Ply by ply, for few plies have a string that was not played before.
    for ply, played in enumerate(zip_longest(*(game.sans for game in games))):
        found = missing[ply % 2].intersection(played)
        best: dict[str, tuple[int, int]] = {}
        for index in compress(count(), map(found.__contains__, played)) if found else ():
            rank = captures[index], games[index].number
            best[played[index]] = min(best.get(played[index], rank), rank)
        for san, (_, number) in best.items():
            places[san].append(Place(number, ply))
        missing[ply % 2].difference_update(found)
    return places


def positions_of(wanted: Iterable[tuple[Sequence[str], str]]) -> dict[str, Witness]:
    """Return the position and move of each string, given the legal moves (UCI) up to it.

    Each pair in ``wanted`` has the moves, of which the last is the string's, and the string.
    """
    found, board, played = dict[str, Witness](), chess.Board(), list[str]()
    for moves, san in sorted(wanted):
        *before, last = moves
        shared = common_length(played, before)
        for _ in played[shared:]:
            board.pop()
        for text in before[shared:]:
            board.push(read_move(text))
        fen = write_fen(board)
        board.push(read_move(last))
        played = [*moves]
        found[san] = Witness(san, fen, last, write_fen(board))
    return found


def lists(survey: Survey) -> dict[str, bytes]:
    """Return the lists of strings by file name: those without suffix, and all of them."""
    bare = [san for san in survey.reachable if san[-1] not in "+#"]
    return {BARE_LIST: joined_lines(bare), FULL_LIST: joined_lines(survey.reachable)}


def tables(
    survey: Survey,
    witnesses: Mapping[str, Witness],
    places: Mapping[str, Sequence[Place]] | None = None,
) -> dict[str, bytes]:
    """Return two tables by file name, not packed: of the witnesses, and of the reasons.

    With games, ``places`` has one or two places of each string, which its row contains.
    """
    header, rows = HEADER, [",".join(witnesses[san]) for san in survey.reachable]
    if places is not None:
        header += ",game,ply,other_game,other_ply"
        for at, san in enumerate(survey.reachable):
            cells = "".join(f",{place.game},{place.ply + 1}" for place in places[san])
            rows[at] += cells + ",," * (2 - len(places[san]))
    return {
        WITNESSES: csv_table(header, rows),
        IMPOSSIBLE: csv_table("san,reason", survey.impossible),
    }


def cover_index(cover: Sequence[PgnGame], reachable: Sequence[str]) -> bytes:
    """Return ``cover.csv``: for each string the first game of the cover that has it, and the ply.

    Raises:
        KeyError: No game of the cover has a string, which is the exception's argument.
    """
    first: dict[str, tuple[int, int]] = {}
    for game in cover:
        for ply, san in enumerate(game.sans, 1):
            first.setdefault(san, (game.number, ply))
    return csv_table("san,game,ply", ("{},{},{}".format(san, *first[san]) for san in reachable))


def packed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the same files, compressed if their names end in ``.gz`` or ``.xz``."""
    with ThreadPoolExecutor(PACKERS) as pool:  # Python's compressors let others work meanwhile
        return dict(zip(files, pool.map(packed_as, files, files.values()), strict=True))


def packed_as(name: str, content: bytes, preset: int = 1) -> bytes:
    """Return a file's content, compressed if ``name`` ends in ``.gz``, or in ``.xz`` (fast)."""
    if name.endswith(".gz"):
        return gzip.compress(content, mtime=0)  # the same bytes at any time of day
    if name.endswith(".xz"):
        return lzma.compress(content, preset=preset)
    return content
