"""Going through the verdicts once: what is counted, and what is listed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import CASTLINGS, SUFFIXES, San
from sanproof.proofs.theory.reasons import NAMES, Reason, Ruling, Verdict

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

    Of an impossible string the list has ``string,reason``.
    """

    counts: Counter[Kind]
    reachable: list[str]
    impossible: list[str]
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
    counts = Counter[Kind]()
    lines: dict[tuple[Verdict, int], list[str]] = defaultdict(list)
    for (length, piece, written, verdicts, why), texts in alike.items():
        for suffix, verdict in zip(SUFFIXES, verdicts, strict=True):
            reason = why if verdict is Verdict.IMPOSSIBLE else None
            chosen = [text + suffix for text in texts if not selected or selected(text + suffix)]
            counts[Kind(piece, written, suffix, verdict, reason)] += len(chosen)
            end = f",{reason.value}" if reason else ""
            lines[verdict, length + len(suffix)] += [san + end for san in chosen]
    listed: dict[Verdict, list[str]] = {verdict: [] for verdict in Verdict}
    for verdict, length in sorted(lines, key=itemgetter(1)):
        listed[verdict] += sorted(lines[verdict, length])
    return Survey(
        +counts,
        listed[Verdict.REACHABLE],
        listed[Verdict.IMPOSSIBLE],
        listed[Verdict.UNDECIDED],
    )


def discriminator(san: San) -> str:
    """Return what is written of the origin."""
    return DISCRIMINATORS[bool(san.file), bool(san.rank)]


def piece_name(kind: Kind | San) -> str:
    """Return the piece in words; castling counts by itself."""
    return "castling" if kind.piece in CASTLINGS else NAMES[kind.piece]
