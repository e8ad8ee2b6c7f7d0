"""The gate: is a list exactly the proven one? Every difference comes with its evidence."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from sanproof.proofs.board.malformed import MalformedSan, read_san
from sanproof.proofs.rules.san import San, list_order, parse_san
from sanproof.proofs.theory.reasons import NoReason, Reason, Verdict, reason, sentence
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.escaping import shown
from sanproof.verify.errors import Undecided, Unfinished
from sanproof.verify.explain.answers import Answer, look_up_all
from sanproof.verify.gate.hints import hint
from sanproof.verify.gate.lists import MAX_DESCRIBED, NoString, StringList, title
from sanproof.verify.gate.shares import SharedDescription, shared
from sanproof.verify.work.progress import progress_display

T = TypeVar("T")
BARE: Final = "without suffix"
ALL: Final = "with and without suffix"
SUFFIX: Final = "suffix"
"""The reason for a string with a suffix in a list without."""
_ARRANGED: Final = (Reason.NO_CHECK.value, Reason.NO_TWINS.value)


class TooMany(NamedTuple):
    """A string of the list that is impossible, or that has a suffix in a list without."""

    san: str
    place: int
    reason: str
    sentence: str

    @property
    def why(self) -> tuple[str, ...]:
        """The arrangements of origin and twins that were searched, in sentences, if any were."""
        if self.reason not in _ARRANGED:
            return ()
        from sanproof.proofs.theory.arrangements import sentences  # noqa: PLC0415 - few need it

        return tuple(sentences(parse_san(self.san)))


class NotSanEntry(NamedTuple):
    """An entry that is no SAN string; ``text`` is fit to be printed, ``hint`` says what to do."""

    text: str
    place: int
    sentence: str
    hint: str


class RepeatedEntry(NamedTuple):
    """An entry that stood in the list before, at ``first``; ``text`` is fit to be printed."""

    text: str
    place: int
    first: int


class Order(NamedTuple):
    """The difference of a list's order from the proven one: by length, then by text.

    Attributes:
        place: The place of the first string that another one should have.
        text: That string.
        expected: The string that belongs there, of those that the list has.
        kept: How many of its strings keep their place.
        strings: How many of its strings the proven list has.
    """

    place: int
    text: str
    expected: str
    kept: int
    strings: int

    @property
    def sentence(self) -> str:
        """The difference in a sentence, without its full stop."""
        return (
            f"{self.text} stands where {self.expected} belongs, by length and then by text: "
            f"{self.kept:,} of {self.strings:,} strings keep their place"
        )


class GateReport(NamedTuple):
    """The differences of a list from the proven one.

    Attributes:
        source: The name of the list.
        unit: What the places count: a ``line`` or an ``item``, from 1.
        kind: Which proven list it was compared with: the strings ``without suffix``, or
            ``with and without suffix``.
        entries: How many entries it has.
        expected: How many strings the proven list has.
        missing: Strings that it lacks, in list order, as :func:`sanproof.look_up` answers.
        too_many: Strings that it should not have, in its own order.
        repeated: Entries that repeat others.
        not_san: Entries that are no SAN strings.
        more: How many other entries differ, beyond the first 100,000: too many or not SAN, or
            repeated. They are counted only, so that any list takes bounded time and memory.
        notes: Remarks that change nothing.
        order: How it is ordered otherwise, if that was asked for.
        shared: What its ``missing`` strings have in common, and what those ``too_many`` have.
    """

    source: str
    unit: str
    kind: str
    entries: int
    expected: int
    missing: list[Answer]
    too_many: list[TooMany]
    repeated: list[RepeatedEntry]
    not_san: list[NotSanEntry]
    notes: tuple[str, ...] = ()
    more: int = 0
    order: Order | None = None
    shared: Mapping[str, SharedDescription] = MappingProxyType({})

    def __repr__(self) -> str:
        """Return the answer in a line: the fields may hold every string there is."""
        return f"<GateReport: {self.headline}>"

    @property
    def exact(self) -> bool:
        """Check whether the list holds each string of the proven one once, and nothing else."""
        differ = self.missing or self.too_many or self.repeated or self.not_san
        return not (differ or self.order)

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        name = title(self.source)
        proven = f"the {self.expected:,} reachable strings {self.kind}"
        if not self.entries:
            return f"{name} is NOT right: it is empty. Compared with {proven}."
        if self.exact:
            return f"{name} is exactly right: {proven}, each once."
        parts = [
            (len(self.missing), "missing"),
            (len(self.too_many), "too many"),
            (len(self.repeated), "repeated"),
            (len(self.not_san), "not SAN"),
            (self.more, "more that differ"),
        ]
        named = [f"{number:,} {what}" for number, what in parts if number]
        counts = ", ".join([*named, *(["in another order"] if self.order else [])])
        return f"{name} is NOT right, compared with {proven}: {counts}."


class Evidence(NamedTuple):
    """The source of evidence for differences.

    It is asked for reachable strings, in their order, and for each impossible one for the name of
    the reason and a sentence.
    """

    missing: Callable[[Sequence[str]], list[Answer]]
    too_many: Callable[[Sequence[San]], list[tuple[str, str]]]


class Gate:
    """The proven lists, read once for any number of lists that are compared with them.

    Lists are those without suffixes if they are ``bare``; None takes the one each is closer to. If
    they have to be ``ordered``, another order is a difference. The evidence is the archive's if
    none is given.

    Raises:
        ArchiveError: The archive is damaged.
    """

    def __init__(
        self,
        archive: Archive,
        *,
        bare: bool | None = None,
        ordered: bool = False,
        evidence: Evidence | None = None,
    ) -> None:
        self._bare = bare
        self._ordered = ordered
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
        order = _order(first, self._known[bare])
        notes = list(strings.notes)
        if order and not self._ordered:
            notes.append(f"Its order is another one: {order.sentence} (--ordered insists on it).")
        told = len(first) + len(repeated) + len(not_san)
        too_many: list[tuple[San, int]] = []
        for text, place in described:
            try:
                too_many.append((read_san(text), place))
            except MalformedSan as error:
                why = _why_not_san(text, error)
                not_san.append(NotSanEntry(shown(text), place, why, hint(text)))
        differing = {
            "missing": shared(list(map(parse_san, missing)), self._known[bare]),
            "too_many": shared([san for san, _ in too_many], self._known[bare]),
        }
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
            tuple(notes),
            len(strings.entries) - told + len(others) - len(described),
            order if self._ordered else None,
            {name: alike for name, alike in differing.items() if alike},
        )

    def _is_closer_to_bare(self, texts: Iterable[str]) -> bool:
        """Check whether fewer strings differ from the bare list than from that of all strings."""
        given = set(texts)
        return len(given ^ self._known[True]) < len(given ^ self._known[False])

    def _described(self, sans: Sequence[tuple[San, int]], *, bare: bool) -> list[TooMany]:
        """Explain why each of these strings should not be in the list."""
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


def _order(first: Mapping[str, int], known: frozenset[str]) -> Order | None:
    """Return how the order of the proven strings differs; None if it does not."""
    given = [text for text in first if text in known]
    wanted = sorted(given, key=list_order)
    moved = [(text, right) for text, right in zip(given, wanted, strict=True) if text != right]
    if not moved:
        return None
    text, right = moved[0]
    return Order(first[text], text, right, len(given) - len(moved), len(given))


def _first_places(strings: StringList) -> tuple[dict[str, int], list[RepeatedEntry]]:
    """Return the first place of each string, and the entries that repeat one."""
    first: dict[str, int] = {}
    repeated: list[RepeatedEntry] = []
    for place, text in enumerate(strings.entries, 1):
        if isinstance(text, NoString) or (before := first.setdefault(text, place)) == place:
            continue
        if len(repeated) < MAX_DESCRIBED:
            repeated.append(RepeatedEntry(shown(text), place, before))
    return first, repeated


def _why_not_san(text: str, error: MalformedSan) -> str:
    if not text:
        return "it is empty"
    if text != text.strip():
        return f"{shown(text)} has white space around it"
    return str(error)


def published_evidence(archive: Archive, playable: frozenset[str]) -> Evidence:
    """Return the evidence that an archive holds: what look-ups answer, and the named reasons."""

    def too_many(san: San) -> tuple[str, str]:
        try:
            why = reason(san.bare, playable=bool(san.suffix) and str(san.bare) in playable)
        except NoReason as error:
            raise ArchiveError(f"{archive.directory} is not a genuine run: {error}") from error
        return why.value, sentence(san, why)

    return Evidence(
        lambda sans: look_up_all(archive, sans), lambda sans: [too_many(san) for san in sans]
    )


def proved_evidence() -> Evidence:
    """Return evidence that is made now: a game for each string missing, a refutation of each other.

    Raises:
        Failure: The solvers are not installed.
        Undecided: A string stays undecided.
        Unfinished: A string is decided otherwise than published.
    """
    from sanproof.verify.explain.prove import prove  # noqa: PLC0415 - only this needs solvers

    def proved(san: str, verdict: Verdict) -> Answer:
        answer = prove(san)
        if answer.verdict is Verdict.UNDECIDED:
            raise Undecided(f"{answer.sentence}")
        if answer.verdict is not verdict:
            raise Unfinished(
                f"{san} is {verdict.value} in the data, but proved {answer.verdict.value} now."
            )
        return answer

    def too_many(san: San) -> tuple[str, str]:
        answer = proved(str(san), Verdict.IMPOSSIBLE)
        return f"{answer.reason}", f"{answer.sentence}"

    return Evidence(
        lambda sans: [proved(san, Verdict.REACHABLE) for san in _followed(sans, "missing")],
        lambda sans: [too_many(san) for san in _followed(sans, "too many")],
    )


def _followed(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield the strings to prove, and show how far that is."""
    phase = f"proving the strings that are {what}"
    with progress_display(len(items), only_phase=phase) as progress:
        progress.begin(phase, 0)
        for item in items:
            yield item
            progress.advance(1)
