"""Searches shorter games in a folder, counts all games of a few plies, and checks users' games."""

from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

import chess

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.shortest.checks import check_rows
from sanproof.proofs.shortest.exhaustion import count_games
from sanproof.proofs.shortest.search import UNIT_GAMES, ShortestGames
from sanproof.proofs.shortest.table import PUBLISHED, TABLE, ShortestRow, pack_rows, read_rows
from sanproof.reports.archive.door import open_complete
from sanproof.reports.escaping import plain, shown
from sanproof.reports.tables.files import write_whole
from sanproof.verify.claims.selection import select
from sanproof.verify.errors import Failure, Interrupted, failure
from sanproof.verify.scan.reading import Game, read_game
from sanproof.verify.scan.results import Outcome
from sanproof.verify.scan.scanner import Damage, chunks_of
from sanproof.verify.scan.sources import find_sources
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.store import prepare


class Folder:
    """A folder of the search, with a table of shortest games that each round improves."""

    def __init__(self, path: Path, seed: int, only: str | None = None) -> None:
        prepare(path, TABLE, "search")
        self.table = path / TABLE
        try:
            self.rows = read_rows(self.table) if self.table.exists() else published_rows()
        except EvidenceError as error:
            raise Failure(f"{error}: name another folder, or remove this file.") from error
        strings, selected = open_complete().strings(), select(only).selected
        self.search = ShortestGames(strings, self.rows, seed, selected)

    def improve(
        self,
        rounds: int,
        workers: int = 1,
        scheduler: str | None = None,
        sent: Path | None = None,
        games: int = UNIT_GAMES,
    ) -> Iterator[str]:
        """Add the games of a file, search rounds, and yield a sentence after each.

        Raises:
            Failure: The file cannot be read, or a game in it is not legal to its end.
            Interrupted: The user stopped it. The table has the results of complete rounds.
            Unfinished: A worker died.
        """
        if sent:
            added = [self.search.add([move.uci() for move in game]) for game in sent_games(sent)]
            yield f"{sum(added)} strings are shown earlier in {sent}."
        self.write()
        try:
            with worker_pool(workers, scheduler=scheduler) as executor:
                for number in range(1, rounds + 1):
                    self.search.make_round(executor.submit, games)
                    self.write()
                    yield f"round {number}: {self.search}"
        except KeyboardInterrupt as error:
            raise Interrupted(
                f"Interrupted; {self.table} has the games of whole rounds: run the same command "
                "again to go on from there."
            ) from error

    def write(self) -> None:
        """Write the table, after the kernel has checked its new games, which end in mate."""
        before, self.rows = set(self.rows), list(self.search.rows())
        check_rows([row for row in self.rows if row not in before])
        try:
            write_whole(self.table, pack_rows(self.rows))
        except OSError as error:
            raise failure(f"{self.table} cannot be written: {error.strerror}.", error) from error


def published_rows() -> list[ShortestRow]:
    """Return the rows of the published table of shortest games.

    Raises:
        Failure: There is no such table.
    """
    path = open_complete().directory / PUBLISHED
    if not path.exists():
        raise Failure(f"{path} is missing: the search begins with its games.")
    return read_rows(path)


def counts(plies: int) -> Iterator[str]:
    """Count all games of ``plies`` plies, and yield a line for each ply."""
    yield "ply      positions          moves  first strings"
    known: set[int] = set()
    for ply in count_games(plies):
        new = set(ply.firsts) - known  # the other player may have written them before
        known |= new
        yield f"{ply.ply:3} {ply.positions:14,} {ply.moves:14,} {len(new):14,}"


def improvements(path: Path) -> list[str]:
    """Return a sentence for each string that a user's game has earlier than the published ones."""
    known = {(row.san, row.player): row.ply for row in published_rows()}
    found: dict[tuple[str, str], str] = {}
    best = known.copy()
    for number, moves in enumerate(sent_games(path), 1):
        board = chess.Board()
        for ply, move in enumerate(moves, 1):
            san, player = goal = board.san_and_push(move), COLOURS[(ply - 1) % 2]
            if ply < best.get(goal, 0):
                best[goal] = ply
                found[goal] = f"{san} by {player}: ply {ply} in game {number}, {known[goal]} before"
    return list(found.values())


def sent_games(path: Path) -> Iterator[list[chess.Move]]:
    """Yield the moves of each game of a PGN file, which is read as ``sanproof scan`` reads it.

    Raises:
        Failure: The file cannot be read, or a game in it is not legal chess to its end.
    """
    number = 0
    for where, read in _games_of(str(path)):
        number += 1
        if read.first:
            raise Failure(f"{where} does not begin from the initial position of chess.")
        if read.stop:
            raise Failure(f"{where} has a move that cannot be played: {shown(read.stop)}.")
        if read.outcome != Outcome.READ:
            raise Failure(f"{where} is not read: {plain(read.reason).rstrip('.')}.")
        if read.ended >= 0 or any(played.apart for played in read.played):
            raise Failure(f"{where} has a null move, or goes on after its end.")
        if not read.played:
            raise Failure(f"{where} has no moves.")
        yield [chess.Move.from_uci(played.uci) for played in read.played]
    if not number:
        raise Failure(f"{path} contains no game: is this the right file?")


def _games_of(name: str) -> Iterator[tuple[str, Game]]:
    """Yield the games of a file, a folder or ``-``, as a scan reads them, each with its place.

    Raises:
        Failure: A file cannot be read to its end, or a game is too long.
    """
    damaged: list[Damage] = []
    for piece in chain.from_iterable(chunks_of(find_sources([name]), damaged)):
        ends = pairwise([*piece.starts, len(piece.data)])
        for number, both in enumerate(ends, start=piece.games + 1):
            yield f"{piece.source}: game {number}", read_game(piece.data, *both)
    for damage in damaged:
        raise Failure(f"{damage['source']} cannot be read: {damage['why']}.")
