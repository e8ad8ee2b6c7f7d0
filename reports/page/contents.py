"""Reads from a run's files everything that its page needs."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import Archive, WitnessRow
from sanproof.reports.tables import names
from sanproof.reports.tables.outputs import Place

DESCRIPTIONS: Final = {
    names.FULL_LIST: "every string that can be written, one a line",
    names.BARE_LIST: "the same list without the strings that end with + or #",
    names.WITNESSES: "for each string a position (FEN), the move and the position after it",
    names.GAMES_PGN: "the games: one for each string and each player who can play it (PGN)",
    GAMES: "the same games as plain text, for the audit",
    names.COVER_PGN: "fewer games, which together show every string (PGN)",
    names.COVER: "the same games as plain text, for the audit",
    names.COVER_INDEX: (
        f"for each string the first game of {names.COVER_PGN} that shows it, and the ply"
    ),
    names.IMPOSSIBLE: "every other string of the grammar, with the reason why it is impossible",
    CERTIFICATES: "the refutations that prove the other strings impossible",
    names.SUMMARY: "the counts, for programs",
    names.SUMMARY_TEXT: "the counts, for readers",
    names.MANIFEST: "the SHA-256 of each file, and the versions of the programs",
}
"""What the page says of each file of a run, in its order."""


class Contents(NamedTuple):
    """The data of a run's page.

    The reachable strings and their witnesses are in list order. A download is a name, a description
    and the content.

    If the run has games, ``moments`` has the place of each reachable string for each player who can
    play it, the one to show first being the first. ``moves`` has the moves of each game that occurs
    there, with blanks between: in SAN for a game of the run, by its number there, and in UCI for
    one of the shortest known, whose number is 0 or less.
    """

    archive: Archive
    reachable: list[San]
    impossible: dict[str, Reason]
    witnesses: list[WitnessRow]
    moments: dict[str, list[Place]]
    moves: dict[int, str]
    downloads: list[tuple[str, str, bytes]]


def read_contents(archive: Archive) -> Contents:
    """Read a run for its page.

    Raises:
        ArchiveError: A file of the run is missing or damaged.
    """
    witnesses = list(archive.witnesses())
    moments, moves = choose_games(archive, witnesses) if archive.has_games else ({}, {})
    reasons = {reason.value: reason for reason in Reason}
    files = dict(archive.files())
    files[names.MANIFEST] = (archive.directory / names.MANIFEST).read_bytes()
    return Contents(
        archive,
        reachable=list(map(parse_san, archive.strings())),
        impossible={san: reasons[name] for san, name in archive.impossible()},
        witnesses=witnesses,
        moments=moments,
        moves=moves,
        downloads=[
            (name, said, files[name]) for name, said in DESCRIPTIONS.items() if name in files
        ],
    )


def choose_games(
    archive: Archive, witnesses: Iterable[WitnessRow]
) -> tuple[dict[str, list[Place]], dict[int, str]]:
    """Return the moments and moves of :class:`Contents`.

    They are from the shortest games known of a string, or else from those its witness names.

    Raises:
        ArchiveError: The games, or the table of the shortest, are damaged.
    """
    moments: dict[str, list[Place]] = {}
    moves, numbers = dict[int, str](), dict[str, int]()
    for witness in witnesses:
        rows = archive.shortest_of(witness.san)
        for row in sorted(rows, key=lambda row: row.ply):
            number = numbers.setdefault(row.text, -len(numbers))
            moves[number] = " ".join(row.moves)
            moments.setdefault(witness.san, []).append(Place(number, row.ply - 1))
        if not rows:
            moments[witness.san] = [Place(game, ply - 1) for game, ply in witness.places]
    wanted = {place.game for both in moments.values() for place in both if place.game > 0}
    if wanted:
        moves |= {game.number: " ".join(game.sans) for game in archive.games(wanted)}
    return moments, moves
