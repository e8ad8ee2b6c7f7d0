"""The gate, which compares a list with the proven one, and gives evidence for every difference."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from sanproof.proofs.board.malformed import MalformedSan, read_san
from sanproof.proofs.rules.san import CASTLINGS, San, list_order, parse_san
from sanproof.proofs.theory.reasons import NAMES, Verdict
from sanproof.reports.archive.door import Archive
from sanproof.reports.escaping import shown
from sanproof.reports.exports.meant import hint
from sanproof.verify.explain.answers import Answer, look_up
from sanproof.verify.gate.lists import StringList, title

BARE: Final = "without suffix"
ALL: Final = "with and without suffix"
SUFFIX: Final = "suffix"
"""The reason against a string with a suffix in a list without."""
OFFICERS: Final = frozenset("NBRQ")
MAX_DESCRIBED: Final = 100_000
"""The number of differing entries that are described: three times a proven list's length."""


class TooMany(NamedTuple):
    """An extra string: it is impossible, or has a suffix in a list without."""

    san: str
    place: int
    reason: str
    sentence: str


class NotSanEntry(NamedTuple):
    """An entry that is not a SAN string. ``text`` is safe to print; ``hint`` may suggest one."""

    text: str
    place: int
    sentence: str
    hint: str


class RepeatedEntry(NamedTuple):
    """An entry that is in the list already, at ``first``. ``text`` is safe to print."""

    text: str
    place: int
    first: int


class Order(NamedTuple):
    """The first place where a list is not in the proven order: by length, then by character.

    Attributes:
        place: The place of the first string that is out of order.
        text: That string.
        expected: The string of the list that belongs there.
        kept: The number of its proven strings that are in their places.
        strings: The number of its proven strings.
    """

    place: int
    text: str
    expected: str
    kept: int
    strings: int

    @property
    def sentence(self) -> str:
        """The difference as a sentence, without its full stop."""
        return (
            f"{self.text} stands where {self.expected} belongs (by length, then by text); "
            f"{self.kept:,} of {self.strings:,} strings keep their place"
        )


class GateReport(NamedTuple):
    """The differences of a list from the proven one.

    Attributes:
        source: The name of the list.
        unit: The unit of places: a ``line`` or an ``item``. Places count from 1.
        kind: The proven list that it was compared with: ``without suffix``, or ``with and without
            suffix``.
        entries: The number of its entries.
        expected: The number of strings in the proven list.
        missing: The strings that it lacks, in list order, as :func:`sanproof.look_up` answers.
        too_many: The extra strings, in the order of the list.
        repeated: The entries that repeat others.
        not_san: The entries that are not SAN strings.
        more: The number of differing entries that are not described: those beyond 100,000 that are
            extra or not SAN, or repeated. So any list takes bounded time and memory.
        notes: Remarks that are not differences.
        order: The difference in order, if the order was to be compared.
        rules: The rules of a generator to look at first: one for ``missing`` strings and one for
            ``too_many``, if they have one in common.
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
    rules: Mapping[str, str] = MappingProxyType({})

    def __repr__(self) -> str:
        """Return the answer in a line: the fields may hold every string there is."""
        return f"<GateReport: {self.headline}>"

    @property
    def exact(self) -> bool:
        """Whether the list has each string of the proven one once, and nothing else."""
        differ = self.missing or self.too_many or self.repeated or self.not_san
        return not (differ or self.order)

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        name = title(self.source)
        proven = f"the {self.expected:,} reachable strings {self.kind}"
        if not self.entries:
            return f"{name} is NOT right: it is empty, and has none of {proven}."
        if self.exact:
            return f"{name} is exactly right: {proven}, each once."
        parts = [
            (len(self.missing), "missing"),
            (len(self.too_many), "extra"),
            (len(self.repeated), "repeated"),
            (len(self.not_san), "not SAN"),
            (self.more, "more that differ"),
        ]
        named = [f"{number:,} {what}" for number, what in parts if number]
        counts = ", ".join([*named, *(["in another order"] if self.order else [])])
        return f"{name} is NOT right, compared with {proven}: {counts}."


def compare(
    archive: Archive, strings: StringList, *, bare: bool | None = None, ordered: bool = False
) -> GateReport:
    """Compare a list with the proven one.

    If ``bare`` is True, the proven list is that without suffixes, if False the full one, and if
    None the closer one. With ``ordered`` another order is a difference.

    Raises:
        ArchiveError: The run is damaged.
    """
    first: dict[str, int] = {}
    places = enumerate(strings.entries, 1)
    again = [(n, text) for n, text in places if first.setdefault(text, n) != n]
    proven = {kind: archive.strings(bare=kind) for kind in (True, False)}
    if bare is None:
        bare = len(first.keys() ^ {*proven[True]}) < len(first.keys() ^ {*proven[False]})
    known = frozenset(proven[bare])
    missing = [san for san in proven[bare] if san not in first]
    others = [(text, place) for text, place in first.items() if text not in known]
    extra: list[tuple[San, int]] = []
    not_san = []
    for text, place in others[:MAX_DESCRIBED]:
        try:
            extra.append((read_san(text), place))
        except MalformedSan as error:
            why = str(error) if text else "it is empty"
            not_san.append(NotSanEntry(shown(text), place, why, hint(text)))
    order = _order(first, known)
    notes = list(strings.notes)
    if order and not ordered:
        notes.append(
            f"The order is not the published one: {order.sentence}. Use --ordered to require it."
        )
    rules = {
        "missing": rule_of(list(map(parse_san, missing))),
        "too_many": rule_of([san for san, _ in extra]),
    }
    return GateReport(
        source=strings.source,
        unit=strings.unit,
        kind=BARE if bare else ALL,
        entries=len(strings.entries),
        expected=len(known),
        missing=[Answer(san, Verdict.REACHABLE, archive=archive) for san in missing],
        too_many=[_too_many(archive, san, place, bare=bare) for san, place in extra],
        repeated=[RepeatedEntry(shown(text), n, first[text]) for n, text in again[:MAX_DESCRIBED]],
        not_san=not_san,
        notes=tuple(notes),
        more=len(others[MAX_DESCRIBED:]) + len(again[MAX_DESCRIBED:]),
        order=order if ordered else None,
        rules={name: rule for name, rule in rules.items() if rule},
    )


def _too_many(archive: Archive, san: San, place: int, *, bare: bool) -> TooMany:
    """Explain why a string should not be in the list."""
    if bare and san.suffix:
        said = f"{san} has a suffix, and is compared with strings that have none."
        return TooMany(str(san), place, SUFFIX, said)
    answer = look_up(archive, str(san))
    return TooMany(str(san), place, f"{answer.reason}", f"{answer.sentence}")


def _order(first: Mapping[str, int], known: frozenset[str]) -> Order | None:
    """Return how the order of the proven strings differs, or None if it does not."""
    given = [text for text in first if text in known]
    wanted = sorted(given, key=list_order)
    moved = [(text, right) for text, right in zip(given, wanted, strict=True) if text != right]
    if not moved:
        return None
    text, right = moved[0]
    return Order(first[text], text, right, len(given) - len(moved), len(given))


# The rule of a generator to look at first: what pawns, kings and castling write; where a piece
# moves; when the file, the rank or the square of its origin is written; which moves give check. One
# wrong rule makes many differences, which are alike.


def rule_of(differing: Sequence[San]) -> str:
    """Return the generator's rule that probably made these strings differ, or an empty text.

    An error in a bare string repeats in its suffixed forms, so those count once.
    """
    bare = [san for san in differing if not san.suffix]
    known = {str(san) for san in bare}
    rules = [_rule_of_bare(bare)] if bare else []
    if not known.issuperset(str(san.bare) for san in differing):
        rules.append("the rule for check and mate (+ and #)")
    return ", and ".join(filter(None, rules))


def _rule_of_bare(bare: Sequence[San]) -> str:
    pieces = {san.piece for san in bare}
    if pieces <= OFFICERS:
        return _rule_of_officers(bare)
    if pieces <= {*CASTLINGS}:
        return "castling"
    if pieces == {"K"}:
        return "the moves of kings"
    if pieces == {""}:
        return _rule_of_pawns(bare)
    return "captures (x)" if _are_all_captures(bare) else ""


def _rule_of_officers(bare: Sequence[San]) -> str:
    """Return how they move if strings that name nothing differ, otherwise when an origin is named.

    These are three rules; what several of them share is what twins there can be. Where it is the
    strings of one piece alone, or of two that share lines, their moves may be wrong as well.
    """
    pieces = sorted({san.piece for san in bare})
    moves = f"the moves of {' and '.join(f'{NAMES[piece]}s' for piece in pieces)}"
    names = sorted({_written(san) for san in bare})
    if "" in names:
        return "captures (x)" if _are_all_captures(bare) else moves
    also = f", or at {moves}" if len(pieces) <= 2 else ""
    if len(names) == 1:
        return f"when the {names[0]} is written ({names[0]} discriminators){also}"
    share = f"what the {' and '.join(names)} discriminators share: which twins are possible"
    return f"{share}{also}"


def _written(san: San) -> str:
    """Return what part of the origin a string names, or an empty text."""
    if san.file and san.rank:
        return "square"
    return "file" if san.file else "rank" if san.rank else ""


def _are_all_captures(bare: Sequence[San]) -> bool:
    """Check whether captures of more than one piece differ, and nothing else."""
    return all(san.capture for san in bare) and len({san.piece for san in bare}) > 1


def _rule_of_pawns(bare: Sequence[San]) -> str:
    if all(san.promotion or san.destination[1] in "18" for san in bare):
        return "promotions"
    captures = {bool(san.capture) for san in bare}
    if len(captures) == 2:
        return "the moves of pawns"
    return "the captures of pawns" if True in captures else "the pushes of pawns"
