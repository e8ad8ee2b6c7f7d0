"""The gate: is a list exactly the proven one? Every difference comes with its evidence."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import islice
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import San
from sanproof.proofs.verdicts.malformed import MalformedSan, read_san
from sanproof.proofs.verdicts.reasons import NoReason, reason, sentence
from sanproof.reports.archive.door import Archive, ArchiveError, GameRow
from sanproof.reports.escaping import shown
from sanproof.verify.gate.hints import hint
from sanproof.verify.gate.lists import MAX_DESCRIBED, NoString, StringList, title

BARE: Final = "without suffix"
ALL: Final = "with and without suffix"
SUFFIX: Final = "suffix"
"""The reason for a string with a suffix in a list without."""
_MOST_ROWS: Final = 20
"""So many differences are shown in a notebook."""


class Missing(NamedTuple):
    """A reachable string that the list lacks, with a position and, where there is one, a game.

    Attributes:
        san: The string.
        before_fen: A position in which it is played.
        uci: The move.
        after_fen: The position after it.
        game: The moves of a whole game with it; None without games.
        ply: The ply of the game at which it is played, the first being 1.
    """

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


class NotSanEntry(NamedTuple):
    """An entry that is no SAN string; ``text`` is fit to be printed, ``hint`` says what to do."""

    text: str
    place: int
    sentence: str
    hint: str


class Repeated(NamedTuple):
    """An entry that stood in the list before, at ``first``; ``text`` is fit to be printed."""

    text: str
    place: int
    first: int


class GateReport(NamedTuple):
    """The differences of a list from the proven one.

    Attributes:
        source: The name of the list.
        unit: What the places count: a ``line`` or an ``item``, from 1.
        kind: Which proven list it was compared with: the strings ``without suffix``, or
            ``with and without suffix``.
        entries: How many entries it has.
        expected: How many strings the proven list has.
        missing: Strings that it lacks, in list order.
        too_many: Strings that it should not have, in its own order.
        repeated: Entries that repeat others.
        not_san: Entries that are no SAN strings.
        more: How many other entries differ, beyond the first 100,000: too many or not SAN, or
            repeated. They are counted only, so that any list takes bounded time and memory.
        notes: Remarks that change nothing.
    """

    source: str
    unit: str
    kind: str
    entries: int
    expected: int
    missing: list[Missing]
    too_many: list[TooMany]
    repeated: list[Repeated]
    not_san: list[NotSanEntry]
    notes: tuple[str, ...] = ()
    more: int = 0

    def __repr__(self) -> str:
        """The answer in a line: the fields may hold every string there is."""
        return f"<GateReport: {self.headline}>"

    @property
    def exact(self) -> bool:
        """Whether the list holds each string of the proven one once, and nothing else."""
        return not (self.missing or self.too_many or self.repeated or self.not_san)

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
            (len(self.repeated), "repeated"),
            (len(self.not_san), "not SAN"),
            (self.more, "more that differ"),
        ]
        counts = ", ".join(f"{number:,} {what}" for number, what in parts if number)
        return f"{name} is NOT right, compared with {proven}: {counts}."

    def _repr_html_(self) -> str:
        rows = [
            *((missing.san, "missing", missing.before_fen) for missing in self.missing),
            *((extra.san, "too many", extra.sentence) for extra in self.too_many),
            *((twice.text, "repeated", f"as {twice.first}") for twice in self.repeated),
            *((other.text, "not SAN", other.sentence) for other in self.not_san),
        ]
        cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows[:_MOST_ROWS])
        lines = "".join(f"<tr>{line}</tr>" for line in cells)
        return f"<p>{escape(self.headline)}</p><table>{lines}</table>"


class Evidence(NamedTuple):
    """Where the evidence for differences comes from.

    It is asked for reachable strings, in their order, and for each impossible one for the name of
    the reason and a sentence.
    """

    missing: Callable[[Sequence[str]], list[Missing]]
    too_many: Callable[[Sequence[San]], list[tuple[str, str]]]


class Gate:
    """The proven lists, read once for any number of lists that are compared with them.

    Lists are those without suffixes if they are ``bare``; None takes the one each is closer to. The
    evidence is the archive's if none is given.

    Raises:
        ArchiveError: The archive is damaged.
    """

    def __init__(
        self, archive: Archive, *, bare: bool | None = None, evidence: Evidence | None = None
    ) -> None:
        self._bare = bare
        self._proven = {kind: archive.strings(bare=kind) for kind in (True, False)}
        self._known = {kind: frozenset(strings) for kind, strings in self._proven.items()}
        self._evidence = evidence or published_evidence(archive, self._known[False])

    def compare(self, strings: StringList) -> GateReport:
        """Compare a list with the proven one; an ArchiveError if the archive is damaged."""
        first, repeated = _first_places(strings)
        bare = self._is_closer_to_bare(first) if self._bare is None else self._bare
        missing = [san for san in self._proven[bare] if san not in first]
        others = [(text, place) for text, place in first.items() if text not in self._known[bare]]
        described = others[:MAX_DESCRIBED]
        no_strings = ((i, x) for i, x in enumerate(strings.entries, 1) if isinstance(x, NoString))
        not_san = [
            NotSanEntry(entry.kind, place, f"{entry.kind} is not a string", "")
            for place, entry in islice(no_strings, MAX_DESCRIBED)
        ]
        told = len(first) + len(repeated) + len(not_san)
        too_many: list[tuple[San, int]] = []
        for text, place in described:
            try:
                too_many.append((read_san(text), place))
            except MalformedSan as error:
                why = _why_not_san(text, error)
                not_san.append(NotSanEntry(shown(text), place, why, hint(text)))
        return GateReport(
            strings.source,
            strings.unit,
            BARE if bare else ALL,
            len(strings.entries),
            len(self._proven[bare]),
            self._evidence.missing(missing) if missing else [],
            self._described(too_many, bare=bare),
            repeated,
            sorted(not_san, key=lambda entry: entry.place),
            strings.notes,
            len(strings.entries) - told + len(others) - len(described),
        )

    def _is_closer_to_bare(self, texts: Iterable[str]) -> bool:
        """Whether fewer strings differ from the bare list than from that of all strings."""
        given = set(texts)
        return len(given ^ self._known[True]) < len(given ^ self._known[False])

    def _described(self, sans: Sequence[tuple[San, int]], *, bare: bool) -> list[TooMany]:
        """Why each of these strings should not be in the list."""
        impossible = [san for san, _ in sans if not (bare and san.suffix)]
        why = iter(self._evidence.too_many(impossible) if impossible else [])
        described = []
        for san, place in sans:
            if bare and san.suffix:
                reason_and_sentence = SUFFIX, f"{san} has a suffix, and this list is without."
            else:
                reason_and_sentence = next(why)
            described.append(TooMany(str(san), place, *reason_and_sentence))
        return described


def _first_places(strings: StringList) -> tuple[dict[str, int], list[Repeated]]:
    """Where each string stands first, and the entries that repeat one."""
    first: dict[str, int] = {}
    repeated: list[Repeated] = []
    for place, text in enumerate(strings.entries, 1):
        if isinstance(text, NoString) or (before := first.setdefault(text, place)) == place:
            continue
        if len(repeated) < MAX_DESCRIBED:
            repeated.append(Repeated(shown(text), place, before))
    return first, repeated


def _why_not_san(text: str, error: MalformedSan) -> str:
    if not text:
        return "it is empty"
    if text != text.strip():
        return f"{shown(text)} has white space around it"
    return str(error)


def published_evidence(archive: Archive, playable: frozenset[str]) -> Evidence:
    """The evidence that an archive holds: its witnesses and games, and the named reasons.

    Witnesses are read twice at most. Most commands ask for few, once; the second question has all
    read, because reading takes longer than finding.
    """
    read: dict[str, Missing] = {}

    def missing(sans: Sequence[str]) -> list[Missing]:
        if not read.keys() >= set(sans):
            read.update(_found(archive, playable.difference(read) if read else sans))
        return [read[san] for san in sans]

    def too_many(sans: Sequence[San]) -> list[tuple[str, str]]:
        try:
            named = [
                reason(san.bare, playable=bool(san.suffix) and str(san.bare) in playable)
                for san in sans
            ]
            return [(why.value, sentence(san, why)) for san, why in zip(sans, named, strict=True)]
        except NoReason as error:
            raise ArchiveError(f"{archive.directory} is not a genuine run: {error}") from error

    return Evidence(missing, too_many)


def _found(archive: Archive, sans: Iterable[str]) -> dict[str, Missing]:
    """Read the witnesses and games of these strings."""
    rows = archive.witnesses_of(list(sans))
    games: dict[int | None, GameRow] = {}
    if archive.has_games:
        numbers = {row.game for row in rows.values() if row.game is not None}
        games = {game.number: game for game in archive.games(numbers)}
    found = {}
    for san, row in rows.items():
        game = games.get(row.game)
        played = (game.sans, row.ply) if game else (None, None)
        found[san] = Missing(san, row.before_fen, row.uci, row.after_fen, *played)
    return found
