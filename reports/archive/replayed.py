"""The witness of each string for either player, of which the other's is found in the games.

A run keeps one witness for each string, and says in which game the other player plays it.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import chess

from sanproof.proofs.kernel.files import GAMES, EvidenceError, unpacked
from sanproof.proofs.kernel.games import common_length, read_move
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive import ArchiveError, SchemaError
from sanproof.reports.archive.door import Archive, WitnessRow, player_at
from sanproof.reports.archive.schema import check_witness_row

PLAYERS: Final = ("white", "black")


class _Board:
    """Plays games that stand in order: moves that one shares with the one before are kept."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self._moves: Sequence[str] = ()

    def after(self, moves: Sequence[str]) -> chess.Board:
        shared = common_length(self._moves, moves)
        for _ in self._moves[shared:]:
            self.board.pop()
        for move in moves[shared:]:
            self.board.push(read_move(move))
        self._moves = moves
        return self.board


def witnesses_by(archive: Archive, players: Collection[str]) -> Iterator[WitnessRow]:
    """The witness of each string for each of the players who can play it, White's first.

    Raises:
        ArchiveError: The data is damaged, or has no games.
    """
    rows = {row.san: row for row in archive.witnesses()}
    found = {(s, player_at(r.places[0][1])): r for s, r in rows.items() if r.places}
    replay, line = _Board(), ""
    try:
        games = sorted(_lines(archive), key=_place_in_order)
        wanted = [
            (games[game - 1], ply, row.san, game)
            for row in rows.values()
            for game, ply in row.places[1:]
            if player_at(ply) in players
        ]
        for line, ply, san, game in sorted(wanted):
            moves = line.split(" ")[:-2]
            before_fen, uci = replay.after(moves[: ply - 1]).fen(), moves[ply - 1]
            after_fen = replay.after(moves[:ply]).fen()
            check_witness_row(san, before_fen, uci, after_fen)
            shown = WitnessRow(san, before_fen, uci, after_fen, game, ply)
            found[san, player_at(ply)] = shown
    except (AssertionError, IndexError, SchemaError, ValueError) as error:
        raise ArchiveError(f"{archive.directory} is damaged: {GAMES}, {line[-20:]!a}") from error
    for san in rows:
        for player in PLAYERS:
            if player in players and (san, player) in found:
                yield found[san, player]


def _place_in_order(line: str) -> tuple[tuple[int, str], bool]:
    """Return by what a game is numbered: its string, and White's game before Black's."""
    _, ply, san = line.rsplit(" ", 2)
    return list_order(san), int(ply) % 2 == 0


def _lines(archive: Archive) -> list[str]:
    try:
        return unpacked(GAMES, archive.content(GAMES)).decode("ascii").splitlines()
    except (EvidenceError, UnicodeError) as error:
        raise ArchiveError(f"{archive.directory} is damaged: {GAMES}: {error}") from error
