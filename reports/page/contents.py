"""The contents of the page, read once from a run's files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from sanproof.proofs.games.game import CheckedGame, ProofGame, Recorder
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.shortest.table import TABLE
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError, WitnessRow
from sanproof.reports.archive.observed import Observed, unproven
from sanproof.reports.archive.shortest import Shortest
from sanproof.reports.tables import names
from sanproof.reports.tables.places import Place

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
"""Each file of a run, in the order of the page. Only files named here are published: a forged run
could name any other."""

_NAMED: Final = {why.value: why for why in Reason}


class Games(NamedTuple):
    """The games that the page shows.

    Each reachable string has a moment for each player who can play it, the one to show first being
    the first. ``moves`` has those of each game that a moment names, in SAN with blanks between.
    Games of the run have its numbers, and the shortest games known numbers below 1. ``counts`` are
    those of the summary.
    """

    moments: dict[str, list[Place]]
    moves: dict[int, str]
    counts: dict[str, Any]


class Download(NamedTuple):
    """A file that the page offers."""

    name: str
    description: str
    content: bytes


class Contents(NamedTuple):
    """A run as the page shows it.

    ``only`` is the shell pattern of the strings that the run is about, None if about all. The
    strings that can be written and their witnesses stand in list order; each that cannot has its
    reason, and those that are neither are counted. ``games`` is None if the run has none, and
    ``observed`` if played strings were not counted; ``shortest`` if no table of games is there.
    """

    only: str | None
    reachable: list[San]
    impossible: dict[str, Reason]
    undecided: int
    witnesses: list[WitnessRow]
    games: Games | None
    versions: list[tuple[str, str]]
    downloads: list[Download]
    observed: Observed | None = None
    shortest: Shortest | None = None

    @property
    def is_complete(self) -> bool:
        """Check whether the run decided every string of the grammar."""
        return self.only is None and self.undecided == 0


def read_contents(archive: Archive) -> Contents:
    """Read a run.

    Raises:
        ArchiveError: The files of the run are not those of one run.
    """
    reachable = list(map(parse_san, archive.strings()))
    strings = set(map(str, reachable))
    witnesses = list(archive.witnesses())
    impossible = {san: _NAMED[name] for san, name in archive.impossible()}
    observed = archive.observed
    for says, found in (
        ("has a witness for {}, which is not reachable", {row.san for row in witnesses} - strings),
        ("has no witness for {}", strings.difference(row.san for row in witnesses)),
        ("says both of {}: reachable and impossible", strings & impossible.keys()),
        (
            "says that {} was played, but not that it is reachable",
            set(unproven(observed.times, strings) if observed else ()),
        ),
    ):
        if found:
            raise ArchiveError(f"{archive.directory} {says.format(min(found))}")
    return Contents(
        only=archive.summary["only"],
        reachable=reachable,
        impossible=impossible,
        undecided=archive.summary["undecided"],
        witnesses=witnesses,
        games=with_shortest(archive, witnesses) if archive.has_games else None,
        versions=list(archive.summary["versions"].items()),
        downloads=list(_downloads(archive)),
        observed=observed,
        shortest=archive.shortest,
    )


def _downloads(archive: Archive) -> Iterator[Download]:
    contents = dict(archive.files())
    contents[names.MANIFEST] = (archive.directory / names.MANIFEST).read_bytes()
    for name, description in DESCRIPTIONS.items():
        if name in contents:
            yield Download(name, description, contents[name])


def choose_games(archive: Archive, witnesses: Iterable[WitnessRow]) -> Games:
    """Choose the games to show for the strings of a run: those that its witnesses name.

    Raises:
        ArchiveError: A string has no game, or a game does not show its string.
    """
    moves = {game.number: " ".join(game.sans) for game in archive.games()}
    moments = {row.san: _moments(archive, row, moves) for row in witnesses}
    shown = {moment.game for both in moments.values() for moment in both}
    counts = archive.summary["games"]
    if counts is None or counts["games"] != len(moves) or (moves and not counts["plies_mean"]):
        raise ArchiveError(f"{archive.directory} has other games than its summary says")
    return Games(moments, {n: moves[n] for n in sorted(shown)}, counts)


def _moments(archive: Archive, row: WitnessRow, moves: dict[int, str]) -> list[Place]:
    for number, ply in row.places:
        if number not in moves:
            raise ArchiveError(f"{archive.directory} has no game {number}")
        if moves[number].split(" ")[ply - 1 : ply] != [row.san]:
            raise ArchiveError(f"{archive.directory} has game {number}, which lacks {row.san}")
    if not row.places:
        raise ArchiveError(f"{archive.directory} has no game that shows {row.san}")
    return [Place(number, ply - 1) for number, ply in row.places]


def with_shortest(archive: Archive, witnesses: Sequence[WitnessRow]) -> Games:
    """Choose the shortest games known, and games of the run for strings that have none.

    Raises:
        ArchiveError: The games of the run do not fit, or a shortest game does not show its string.
    """
    if archive.shortest is None:
        return choose_games(archive, witnesses)
    moments: dict[str, list[Place]] = {}
    moves, numbers = dict[int, str](), dict[str, int]()
    rows = [row for witness in witnesses for row in archive.shortest.rows_of(witness.san)]
    record = _recorder()
    try:
        for row in sorted(rows, key=lambda row: row.text):  # so python-chess plays less again
            number = numbers.setdefault(row.text, -len(numbers))
            game = ProofGame(row.san, row.player, row.ply - 1, row.moves)
            moves[number] = " ".join(record(game).sans)
            moments.setdefault(row.san, []).append(Place(number, row.ply - 1))
    except GameError as error:
        raise ArchiveError(f"{archive.directory} is damaged: {TABLE}: {error}") from error
    for both in moments.values():
        both.sort(key=lambda place: place.ply)
    left = [row for row in witnesses if row.san not in moments]
    games = choose_games(archive, left) if left else Games({}, {}, archive.summary["games"])
    shown, played = games.moments | moments, games.moves | moves
    in_order = {row.san: shown[row.san] for row in witnesses}
    return Games(in_order, {n: played[n] for n in sorted(played)}, games.counts)


def _recorder() -> Callable[[ProofGame], CheckedGame]:
    """Return what plays games and writes them down: compiled code where numba is installed."""
    try:
        from sanproof.proofs.games.player import record_game  # noqa: PLC0415
    except ImportError:
        return Recorder().record
    return record_game
