"""Going through the verdicts once: what is counted, and what is listed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from proofs.rules.san import CASTLINGS, SUFFIXES, San
from proofs.verdicts.reasons import NAMES, Reason
from proofs.verdicts.rulings import Ruling, Verdict

DISCRIMINATORS: Final = {
    (False, False): "nothing written",
    (True, False): "file written",
    (False, True): "rank written",
    (True, True): "square written",
}
REASON_NAMES: Final = {reason: reason.value for reason in Reason}
"""Looked up here, for ``Enum.value`` takes long and a million strings have reasons."""


_Alike = tuple[str, str, tuple[Verdict, ...], Reason | None, tuple[bool, ...]]
"""Of a bare string: its piece, what is written of the origin, verdicts, reason, what is chosen."""
ALL: Final = (True,) * len(SUFFIXES)


class Kind(NamedTuple):
    """By what strings are counted."""

    piece: str
    discriminator: str
    suffix: str
    verdict: Verdict
    reason: Reason | None


@dataclass(frozen=True)
class Survey:
    """The verdicts of a run, counted and listed.

    Attributes:
        counts: The number of strings of each kind.
        reachable: The reachable strings, in list order.
        impossible: ``string,reason`` for each impossible string, in list order.
        undecided: The undecided strings, in list order.
    """

    counts: Counter[Kind]
    reachable: list[str]
    impossible: list[str]
    undecided: list[str]

    def count(self, by: Callable[[Kind], str]) -> dict[str, Counter[Verdict]]:
        """The number of strings of each verdict, for each name that ``by`` gives a kind."""
        table: dict[str, Counter[Verdict]] = defaultdict(Counter)
        for kind, number in self.counts.items():
            table[by(kind)][kind.verdict] += number
        return dict(table)

    def total(self, verdict: Verdict | None = None) -> int:
        """The number of strings with this verdict, or of all strings."""
        return sum(n for kind, n in self.counts.items() if verdict in (None, kind.verdict))


def survey(rulings: Iterable[Ruling], selected: Callable[[str], bool] | None = None) -> Survey:
    """Count and list the verdicts, of all strings or of those that are selected."""
    alike: Counter[_Alike] = Counter()
    listed: dict[Verdict, dict[int, list[str]]] = {v: defaultdict(list) for v in Verdict}
    for text, bare, verdicts, why in rulings:
        sans = [text + suffix for suffix in SUFFIXES]
        chosen = ALL if selected is None else tuple(map(selected, sans))
        alike[bare.piece, discriminator(bare), verdicts, why, chosen] += 1
        because = "" if why is None else "," + REASON_NAMES[why]
        for san, verdict, is_chosen in zip(sans, verdicts, chosen, strict=True):
            if is_chosen:
                line = san + because if verdict is Verdict.IMPOSSIBLE else san
                listed[verdict][len(san)].append(line)
    in_order = {
        verdict: [line for length in sorted(lines) for line in sorted(lines.pop(length))]
        for verdict, lines in listed.items()
    }
    return Survey(_by_kind(alike), *(in_order[v] for v in Verdict))


def _by_kind(alike: Mapping[_Alike, int]) -> Counter[Kind]:
    """The strings of each kind, from the bare strings with the same verdicts and reason."""
    counts: Counter[Kind] = Counter()
    for (piece, written, verdicts, why, chosen), number in alike.items():
        for suffix, verdict, is_chosen in zip(SUFFIXES, verdicts, chosen, strict=True):
            if is_chosen:
                reason = why if verdict is Verdict.IMPOSSIBLE else None
                counts[Kind(piece, written, suffix, verdict, reason)] += number
    return counts


def discriminator(san: San) -> str:
    """What is written of the origin."""
    return DISCRIMINATORS[bool(san.file), bool(san.rank)]


def piece_name(kind: Kind) -> str:
    """The piece in words; castling counts by itself."""
    return "castling" if kind.piece in CASTLINGS else NAMES[kind.piece]
