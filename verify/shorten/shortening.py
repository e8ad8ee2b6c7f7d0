"""The search for shorter games in a folder, all games of some plies, and users' games."""

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from itertools import product
from pathlib import Path
from typing import Final

import chess

from sanproof.proofs.games.game import read_line
from sanproof.proofs.kernel.files import GAMES, EvidenceError, read_bytes, text_of
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.shortest.checks import check_rows
from sanproof.proofs.shortest.exhaustion import count_games
from sanproof.proofs.shortest.finish import finish
from sanproof.proofs.shortest.rounds import UNIT_GAMES, ShortestGames, make_round
from sanproof.proofs.shortest.states import new_scratch, write_uci
from sanproof.proofs.shortest.table import (
    PUBLISHED,
    TABLE,
    ShortestRow,
    pack_rows,
    packed_game,
    read_rows,
)
from sanproof.reports.archive.door import Archive, open_complete
from sanproof.reports.escaping import plain, shown
from sanproof.reports.tables.files import write_whole
from sanproof.verify.claims.selection import select
from sanproof.verify.errors import Failure, Interrupted, failure
from sanproof.verify.scan.results import Outcome
from sanproof.verify.scan.scanner import games_of
from sanproof.verify.work.executors import worker_died, worker_pool
from sanproof.verify.work.store import prepare

ARCHIVE: Final = "archive.npz"


class Folder:
    """A folder of the search: the archive, and the table that is made of it."""

    def __init__(self, path: Path, seed: int, only: str | None = None) -> None:
        prepare(path, ARCHIVE, "search")
        self.path = path
        archive = open_complete()
        self.search = ShortestGames(archive.strings(), seed)
        if only is not None:
            self.search.aim_at(select(only).selected)
        self._before: dict[tuple[str, str], ShortestRow] = {}
        try:
            rows = published_rows(archive) or first_rows(archive)
            self._before = {(row.player, row.san): row for row in rows}
            if (path / ARCHIVE).exists():
                self.search.load(path / ARCHIVE)
            else:
                self._begin()
        except EvidenceError as error:
            raise Failure(f"{error}: name another folder, or remove this file.") from error

    def _begin(self) -> None:
        """Begin with the games that are published, and their bounds."""
        number = {san: n for n, san in enumerate(self.search.strings)}
        for (player, san), row in self._before.items():
            self.search.add(row.moves)
            self.search.known.bounds[COLOURS.index(player), number[san]] = row.bound

    def add_games(self, path: Path) -> Iterator[str]:
        """Begin with a user's games too, and say what they bring."""
        found = sum(self.search.add([move.uci() for move in game]) for game in sent_games(path))
        self.save()
        yield f"{found} strings are shown earlier in {path}."

    def rounds(
        self, last: int, workers: int, scheduler: str | None = None, work: int = UNIT_GAMES
    ) -> Iterator[str]:
        """Make rounds until there were so many in all; say after each what is known.

        Raises:
            Interrupted: The user stopped it; what was found in whole rounds is kept.
            Unfinished: A worker died, or gave a wrong result.
        """
        try:
            with worker_pool(workers, scheduler=scheduler) as executor:
                while self.search.rounds < last:
                    make_round(self.search, work, executor.submit)
                    self.save()
                    yield f"round {self.search.rounds}: {self.search}"
        except BrokenExecutor as error:
            raise worker_died("; whole rounds are kept: run the same command again") from error
        except KeyboardInterrupt as error:
            raise Interrupted(
                f"Interrupted; {self.search.rounds} rounds are kept in {self.path}: "
                "run the same command again to continue."
            ) from error

    def save(self) -> None:
        """Write the archive."""
        try:
            self.search.save(self.path / ARCHIVE)
        except OSError as error:
            raise failure(f"{self.path} cannot be written: {error.strerror}.", error) from error

    def write_table(self) -> int:
        """Finish each game with a mate, check it, and write the table; return its rows."""
        rows = list(self._rows())
        check_rows(rows, by_kernel=False)
        try:
            write_whole(self.path / TABLE, pack_rows(rows))
        except OSError as error:
            raise failure(f"{self.path} cannot be written: {error.strerror}.", error) from error
        return len(rows)

    def _rows(self) -> Iterator[ShortestRow]:
        room = new_scratch()
        search = self.search
        for side, (number, san) in product((0, 1), enumerate(search.strings)):
            moves = search.game(side, number)
            before = self._before.get((COLOURS[side], san))
            if before and len(moves) >= before.ply:
                bound = max(before.bound, int(search.known.bounds[side, number]))
                yield before._replace(bound=bound)
            elif moves and (whole := finish(moves, room)):
                bound = int(search.known.bounds[side, number])
                yield ShortestRow(san, len(moves), bound, packed_game(map(write_uci, whole)))
            elif before:
                yield before


def published_rows(archive: Archive) -> list[ShortestRow]:
    """Return the rows of the published table; none if there is no such file."""
    path = archive.directory / PUBLISHED
    return read_rows(path) if path.exists() else []


def first_rows(archive: Archive) -> Iterator[ShortestRow]:
    """Yield a row for each proof game: where there is no table, the search begins with them."""
    text = text_of(GAMES, read_bytes(archive.directory / GAMES))
    for line in text.removesuffix("\n").split("\n"):
        game = read_line(line)
        yield ShortestRow(game.san, game.ply + 1, 1, packed_game(game.moves))


def counts(plies: int) -> Iterator[str]:
    """Count all games of some plies, and say what each ply counts."""
    yield "ply      positions          moves  first strings"
    for ply in count_games(plies):
        yield f"{ply.ply:3} {ply.positions:14,} {ply.moves:14,} {len(ply.firsts):14,}"


def improvements(path: Path) -> list[str]:
    """Name the strings that a user's games show earlier than the published ones do."""
    known = {(row.san, row.player): row.ply for row in published_rows(open_complete())}
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
        Failure: The file cannot be read, or holds a game that is not legal chess to its end.
    """
    number = 0
    for where, read in games_of(str(path)):
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
