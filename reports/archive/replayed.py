"""The witness of each string for either player, of which the other's is found in the games.

A run keeps one witness for each string, and says in which game the other player plays it.
"""

from collections.abc import Collection, Iterator
from typing import Final

from sanproof.proofs.kernel.files import GAMES, unpacked
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive import reading
from sanproof.reports.archive.door import Archive, WitnessRow, player_at
from sanproof.reports.tables.outputs import positions_of

PLAYERS: Final = ("white", "black")


def witnesses_by(archive: Archive, players: Collection[str]) -> Iterator[WitnessRow]:
    """Yield the witness of each string for each of the players who can play it, White's first.

    Raises:
        ArchiveError: The data is damaged, or has no games.
    """
    rows = {row.san: row for row in archive.witnesses()}
    found = {(s, player_at(r.places[0][1])): r for s, r in rows.items() if r.places}
    places = {s: r.places[1] for s, r in rows.items() if r.places[1:]}
    with reading(archive.directory, GAMES):
        text = unpacked(GAMES, archive.content(GAMES)).decode("ascii")
        games = sorted(text.splitlines(), key=_place_in_order)
        wanted = [
            (games[game - 1].split(" ")[:ply], san)
            for san, (game, ply) in places.items()
            if player_at(ply) in players
        ]
        for san, witness in positions_of(wanted).items():
            game, ply = places[san]
            found[san, player_at(ply)] = WitnessRow(*witness, game, ply)
    for san in rows:
        for player in PLAYERS:
            if player in players and (san, player) in found:
                yield found[san, player]


def _place_in_order(line: str) -> tuple[tuple[int, str], bool]:
    """Return by what a game is numbered: its string, and White's game before Black's."""
    _, ply, san = line.rsplit(" ", 2)
    return list_order(san), int(ply) % 2 == 0
