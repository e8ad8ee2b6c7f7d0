"""The lists and tables that a run leaves behind, made from the survey of its verdicts."""

import lzma
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from sanproof.proofs.board.witness import Witness
from sanproof.reports.tables.files import csv_table, gzipped, joined_lines
from sanproof.reports.tables.names import BARE_LIST, FULL_LIST, IMPOSSIBLE, WITNESSES
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from sanproof.reports.tables.places import Place
from sanproof.reports.tables.survey import Survey

WITNESS_HEADER: Final = "san,before_fen,uci,after_fen"
PLAYED_HEADER: Final = f"{WITNESS_HEADER},game,ply,other_game,other_ply"
PACKERS: Final = 2


def lists(survey: Survey) -> dict[str, bytes]:
    """Return the two lists in their published form: the bare strings, and all of them."""
    bare = [san for san in survey.reachable if san[-1] not in "+#"]
    return {BARE_LIST: joined_lines(bare), FULL_LIST: joined_lines(survey.reachable)}


def tables(
    survey: Survey,
    witnesses: Mapping[str, Witness],
    places: Mapping[str, Sequence[Place]] | None = None,
) -> dict[str, bytes]:
    """Return the reachable strings' witnesses and the impossible ones' reasons, not packed.

    With games, each witness has its places: one for each player who plays the string.
    """
    header = WITNESS_HEADER if places is None else PLAYED_HEADER
    rows = (
        ",".join([*witnesses[san], *(() if places is None else _cells(places[san]))])
        for san in survey.reachable
    )
    return {
        WITNESSES: csv_table(header, rows),
        IMPOSSIBLE: csv_table("san,reason", survey.impossible),
    }


def _cells(places: Sequence[Place]) -> list[str]:
    """Return two places; the cells of the second are empty if one player alone has the string."""
    cells = [f"{place.game},{place.ply + 1}" for place in places]
    return [*cells, *[","] * (2 - len(cells))]


def games_pgn(games: Iterable[PgnGame]) -> bytes:
    """Return a file of games in PGN, not packed."""
    return "".join(map(write_pgn, games)).encode("ascii")


def cover_index(cover: Sequence[PgnGame], reachable: Sequence[str]) -> bytes:
    """``cover.csv``: for each string the first game of the cover that shows it, and the ply.

    Raises:
        KeyError: The cover does not show a string; it is the exception's argument.
    """
    first: dict[str, tuple[int, int]] = {}
    for game in cover:
        for ply, san in enumerate(game.sans, 1):
            first.setdefault(san, (game.number, ply))
    rows = ((san, *first[san]) for san in reachable)
    return csv_table("san,game,ply", (f"{san},{number},{ply}" for san, number, ply in rows))


def packed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the same files, packed side by side if their names say so."""
    with ThreadPoolExecutor(PACKERS) as pool:  # Python's compressors let others work meanwhile
        return dict(zip(files, pool.map(packed_as, files, files.values()), strict=True))


def packed_as(name: str, content: bytes, preset: int = 1) -> bytes:
    """Return a file's content, packed if its name says so; with xz by default in little time."""
    if name.endswith(".gz"):
        return gzipped(content)
    if name.endswith(".xz"):
        return lzma.compress(content, preset=preset)
    return content
