"""The gate: is a list exactly the proven one? Every difference comes with its evidence."""

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
"""The reason for a string with a suffix in a list without."""
OFFICERS: Final = frozenset("NBRQ")
MAX_DESCRIBED: Final = 100_000
"""Entries that differ and are described; three times as many as a proven list has."""


class TooMany(NamedTuple):
    """A string of the list that is impossible, or that has a suffix in a list without."""

    san: str
    place: int
    reason: str
    sentence: str


class NotSanEntry(NamedTuple):
    """An entry that is no SAN string; ``text`` is fit to be printed, ``hint`` may name another."""

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
            f"{self.text} stands where {self.expected} belongs (by length, then by text); "
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
        rules: The rules of a generator to look at first, one for its ``missing`` strings and one
            for those ``too_many``, where they have one in common.
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
        """Check whether the list holds each string of the proven one once, and nothing else."""
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

    With ``bare`` it is meant to be the one without suffixes; None takes the closer one. Another
    order is a difference if it should be ``ordered``.

    Raises:
        ArchiveError: The archive is damaged.
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
        said = f"{san} has a suffix, and this list is without."
        return TooMany(str(san), place, SUFFIX, said)
    answer = look_up(archive, str(san))
    return TooMany(str(san), place, f"{answer.reason}", f"{answer.sentence}")


def _order(first: Mapping[str, int], known: frozenset[str]) -> Order | None:
    """Return how the order of the proven strings differs; None if it does not."""
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
    """Return the rule of a generator that made these strings differ, if it works as most do.

    An error in a bare string repeats in its suffixed forms. The text is empty if no rule stands
    out.
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
    """Return what a string names of the origin, if anything."""
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
