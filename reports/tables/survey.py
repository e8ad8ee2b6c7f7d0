"""Going through the verdicts once: what is counted, and what is listed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import CASTLINGS, SUFFIXES, San
from sanproof.proofs.theory.reasons import NAMES, Reason, Verdict
from sanproof.proofs.theory.rulings import Ruling

DISCRIMINATORS: Final = {
    (False, False): "nothing written",
    (True, False): "file written",
    (False, True): "rank written",
    (True, True): "square written",
}


class Kind(NamedTuple):
    """By what strings are counted."""

    piece: str
    discriminator: str
    suffix: str
    verdict: Verdict
    reason: Reason | None


@dataclass(frozen=True)
class Survey:
    """The verdicts of a run: the number of strings of each kind, and lists in list order.

    ``impossible`` yields ``string,reason``, made while one goes through them, since all at once
    would be the most that a run ever holds.
    """

    counts: Counter[Kind]
    reachable: list[str]
    impossible: Iterable[str]
    undecided: list[str]

    def count(self, by: Callable[[Kind], str]) -> dict[str, Counter[Verdict]]:
        """Return the number of strings of each verdict, for each name that ``by`` gives a kind."""
        table: dict[str, Counter[Verdict]] = defaultdict(Counter)
        for kind, number in self.counts.items():
            table[by(kind)][kind.verdict] += number
        return dict(table)

    def total(self, verdict: Verdict | None = None) -> int:
        """Return the number of strings with this verdict, or of all strings."""
        return sum(n for kind, n in self.counts.items() if verdict in (None, kind.verdict))


def survey(rulings: Iterable[Ruling], selected: Callable[[str], bool] | None = None) -> Survey:
    """Count and list the verdicts, of all strings or of those that are selected."""
    alike: dict[tuple[int, str, str, tuple[Verdict, ...], Reason | None], list[str]]
    alike = defaultdict(list)
    for bare, verdicts, why in rulings:
        text = str(bare)
        alike[len(text), bare.piece, discriminator(bare), verdicts, why].append(text)
    groups: dict[tuple[int, Kind], list[list[str]]] = defaultdict(list)
    for (length, piece, written, verdicts, why), texts in alike.items():
        for suffix, verdict in zip(SUFFIXES, verdicts, strict=True):
            reason = why if verdict is Verdict.IMPOSSIBLE else None
            kind = Kind(piece, written, suffix, verdict, reason)
            chosen = texts if selected is None else [t for t in texts if selected(t + suffix)]
            groups[length + len(suffix), kind].append(chosen)
    counts = Counter[Kind]()
    for (_, kind), lists in groups.items():
        counts[kind] += sum(map(len, lists))
    reachable, undecided = (list(_Lines(groups, v)) for v in (Verdict.REACHABLE, Verdict.UNDECIDED))
    return Survey(+counts, reachable, _Lines(groups, Verdict.IMPOSSIBLE), undecided)


@dataclass(frozen=True)
class _Lines:
    """The strings with a verdict, in list order; after an impossible one its reason.

    The groups have bare strings, by the length of the string and its kind.
    """

    groups: Mapping[tuple[int, Kind], list[list[str]]]
    verdict: Verdict

    def __iter__(self) -> Iterator[str]:
        mine = [key for key in self.groups if key[1].verdict is self.verdict]
        for length in sorted({length for length, _ in mine}):
            lines: list[str] = []
            for kind in (kind for other, kind in mine if other == length):
                end = kind.suffix if kind.reason is None else f"{kind.suffix},{kind.reason.value}"
                lines += [text + end for texts in self.groups[length, kind] for text in texts]
            yield from sorted(lines)


def discriminator(san: San) -> str:
    """Return what is written of the origin."""
    return DISCRIMINATORS[bool(san.file), bool(san.rank)]


def piece_name(kind: Kind | San) -> str:
    """Return the piece in words; castling counts by itself."""
    return "castling" if kind.piece in CASTLINGS else NAMES[kind.piece]
