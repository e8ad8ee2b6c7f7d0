"""The gate: is a list exactly the proven one? Every difference comes with its evidence."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from proofs.rules.san import San
from proofs.verdicts.malformed import MalformedSan, read_san
from proofs.verdicts.reasons import NoReason, reason, sentence
from reports.exports.archive import Archive, ArchiveError, GameRow, WitnessRow
from verify.gate.lists import StringList, shown, title

BARE: Final = "without suffix"
ALL: Final = "with and without suffix"
MOST_DESCRIBED: Final = 100_000
"""Entries that differ and are described; three times as many as a proven list has."""


class Missing(NamedTuple):
    """A reachable string that the list lacks, with a position and, where there is one, a game."""

    san: str
    before_fen: str
    uci: str
    after_fen: str
    game: tuple[str, ...] | None
    ply: int | None


class TooMany(NamedTuple):
    """A string of the list that is impossible, or that has a suffix in a list without."""

    san: str
    place: int
    reason: str
    sentence: str


class Strange(NamedTuple):
    """An entry that is no SAN string at all; ``text`` is fit to be printed."""

    text: str
    place: int
    sentence: str


class Duplicate(NamedTuple):
    """An entry that stood in the list before."""

    text: str
    place: int
    first: int


class GateReport(NamedTuple):
    """How a list differs from the proven one.

    Attributes:
        source: The name of the list.
        unit: What the places count: a ``line`` or an ``item``.
        kind: Which proven list it was held against: the strings ``without suffix``, or
            ``with and without suffix``.
        entries: How many entries it has.
        expected: How many strings the proven list has.
        missing: Strings that it lacks, in list order.
        too_many: Strings that it should not have, in its own order.
        duplicates: Entries that repeat others.
        strange: Entries that are no SAN strings.
        more: How many other entries differ, beyond the first 100,000: too many or no SAN strings,
            or repeated. They are counted only, so that any list takes bounded time and memory.
        notes: Remarks that change nothing.
    """

    source: str
    unit: str
    kind: str
    entries: int
    expected: int
    missing: list[Missing]
    too_many: list[TooMany]
    duplicates: list[Duplicate]
    strange: list[Strange]
    notes: tuple[str, ...] = ()
    more: int = 0

    def __repr__(self) -> str:
        """The answer in a line: the fields may hold every string there is."""
        return f"<GateReport: {self.headline}>"

    @property
    def exact(self) -> bool:
        """Whether the list holds each string of the proven one once, and nothing else."""
        return not (self.missing or self.too_many or self.duplicates or self.strange)

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        name = title(self.source)
        proven = f"the {self.expected:,} reachable strings {self.kind}"
        if self.exact:
            return f"{name} is exactly right: {proven}, each once."
        parts = [
            (len(self.missing), "missing"),
            (len(self.too_many), "too many"),
            (len(self.duplicates), "repeated"),
            (len(self.strange), "not SAN"),
            (self.more, "more that differ"),
        ]
        counts = ", ".join(f"{number:,} {what}" for number, what in parts if number)
        return f"{name} is NOT right, held against {proven}: {counts}."


class Evidence(NamedTuple):
    """Where the evidence for differences comes from.

    Attributes:
        missing: Evidence for reachable strings, in their order.
        too_many: The name of the reason why a string is impossible, and a sentence.
    """

    missing: Callable[[Sequence[str]], list[Missing]]
    too_many: Callable[[San], tuple[str, str]]


def gate(
    strings: StringList,
    archive: Archive,
    *,
    bare: bool | None = None,
    evidence: Evidence | None = None,
) -> GateReport:
    """Hold a list against the proven one.

    Args:
        strings: The list.
        archive: The proven strings.
        bare: Whether it is the list without suffixes; None to take the one it is closer to.
        evidence: Where evidence comes from; the archive's if None.

    Raises:
        ArchiveError: The archive is damaged.
    """
    first: dict[str, int] = {}
    duplicates: list[Duplicate] = []
    for place, text in enumerate(strings.entries, 1):
        if (before := first.setdefault(text, place)) == place:
            continue
        if len(duplicates) < MOST_DESCRIBED:
            duplicates.append(Duplicate(shown(text), place, before))
    if bare is None:
        bare = _is_closer_to_bare(first, archive)
    proven = archive.strings(bare=bare)
    evidence = evidence or published_evidence(archive)
    missing = [san for san in proven if san not in first]
    known = set(proven)
    too_many, strange = [], []
    others = ((text, place) for text, place in first.items() if text not in known)
    for text, place in islice(others, MOST_DESCRIBED):
        try:
            san = read_san(text)
        except MalformedSan as error:
            strange.append(Strange(shown(text.lstrip("\n")), place, _why_strange(text, error)))
            continue
        too_many.append(TooMany(text, place, *_why_too_many(san, evidence, bare=bare)))
    repeated = len(strings.entries) - len(first)
    return GateReport(
        strings.source,
        strings.unit,
        BARE if bare else ALL,
        len(strings.entries),
        len(proven),
        evidence.missing(missing) if missing else [],
        too_many,
        duplicates,
        strange,
        strings.notes,
        repeated - len(duplicates) + sum(1 for _ in others),
    )


def _is_closer_to_bare(texts: Iterable[str], archive: Archive) -> bool:
    """Whether fewer strings tell the list from the bare one than from that of all strings."""
    everything, bare, given = archive.strings(), archive.strings(bare=True), set(texts)
    return len(given.symmetric_difference(bare)) < len(given.symmetric_difference(everything))


def _why_strange(text: str, error: MalformedSan) -> str:
    if text.startswith("\n"):
        return f"{text[1:]} is not a string"
    if not text:
        return "it is empty"
    if text != text.strip():
        return f"{shown(text)} has white space around it"
    return str(error)


def _why_too_many(san: San, evidence: Evidence, *, bare: bool) -> tuple[str, str]:
    if bare and san.suffix:
        return "suffix", f"{san} has a suffix, and this list is the one without."
    return evidence.too_many(san)


def published_evidence(archive: Archive) -> Evidence:
    """The evidence that an archive holds: its witnesses and games, and the named reasons."""
    playable = set(archive.strings())

    def why(san: San) -> tuple[str, str]:
        try:
            named = reason(san.bare, playable=bool(san.suffix) and str(san.bare) in playable)
        except NoReason as error:
            raise ArchiveError(
                f"{archive.directory} is not a genuine run: its list lacks {san}"
            ) from error
        return named.value, sentence(san, named)

    return Evidence(lambda sans: _witnesses(sans, archive), why)


def _witnesses(sans: Sequence[str], archive: Archive) -> list[Missing]:
    rows = archive.witnesses_of(sans)
    games: dict[int, GameRow] = {}
    if archive.has_games:
        numbers = {row.game for row in rows.values() if row.game is not None}
        games = {game.number: game for game in archive.games(numbers)}
    return [_missing(rows[san], games) for san in sans]


def _missing(row: WitnessRow, games: dict[int, GameRow]) -> Missing:
    game = games.get(row.game) if row.game is not None else None
    position = row.san, row.before_fen, row.uci, row.after_fen
    return Missing(*position, game.sans, game.ply) if game else Missing(*position, None, None)
