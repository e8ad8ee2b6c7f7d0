"""Chooses questions that cover every pair of feature values, and finds pairs that are impossible.

For each operation it chooses from many questions until each pair that occurs among them is covered.
A pair that does not occur contradicts the rules of ``contradictions.txt``, or is open.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import chess
import numpy as np
import numpy.typing as npt

from conformance.suite.features import Features, Position, features
from sanproof.verify.notation.reading import judge

Codes = npt.NDArray[np.intp]
RULES: Final = "contradictions.txt"
VALUES: Final = tuple((feature.name, v) for feature in features() for v in feature.values)
NUMBER: Final = {value: number for number, value in enumerate(VALUES)}
OF: Final = {feature.name: feature.of for feature in features()}
PLAYED: Final = frozenset(
    {
        *("colour", "rights", "their_rights", "passed", "piece", "from_file", "to_file"),
        *("capture", "promotion", "suffix", "special", "ends", "makes_passed", "to_passed"),
        *("in_check", "pin", "origin", "given"),
    }
)
"""The features that matter for the position after a move."""
CONCERNS: Final[dict[str, Callable[[str], bool]]] = {
    "write": lambda _: True,
    "read": lambda name: OF[name] != "check" or name == "given",
    "play": PLAYED.__contains__,
    "refuse": lambda _: True,
}
"""For each operation, whether the pairs of a feature are covered."""


FORM: Final = frozenset({"colour", "piece", "capture", "promotion", "suffix", "special"})
"""The features of a move with which those of the check that it gives are paired.

The answer to a check depends on the position after the move, and on the move only by its form.
"""


ALONE: Final = frozenset({"stalemate", "dead", "late"})


def are_paired(one: str, other: str) -> bool:
    """Check whether each value of one feature has to occur with each value of another.

    Rare features are only covered alone.
    """
    if ALONE & {one, other}:
        return False
    checks = (OF[one] == "check") + (OF[other] == "check")
    return one != other and (checks != 1 or one in FORM or other in FORM)


PAIRED: Final = np.array([[are_paired(one, other) for other, _ in VALUES] for one, _ in VALUES])
for _name in ALONE:  # a value of these, with each sign of check
    for _suffix in ("none", "+", "#"):
        _pair = NUMBER[_name, "yes"], NUMBER["suffix", _suffix]
        PAIRED[_pair] = PAIRED[_pair[::-1]] = True


class Question(NamedTuple):
    """A position after a game, with the SAN of a legal move or with a text that must be refused."""

    game: str
    fen: str
    text: str
    uci: str
    features: Features

    @property
    def refuses(self) -> bool:
        """Whether the text means no move, or several."""
        return not self.uci

    @property
    def form(self) -> tuple[str, ...]:
        """The form of the move: piece, player, origin, capture, promotion, suffix.

        For a refused text: why it is refused, what forbids it, how much of it is written, and the
        player.
        """
        if self.refuses:
            return tuple(self.features[name] for name in ("refused", "by", "written", "colour"))
        names = ("piece", "colour", "origin", "promotion", "suffix", "special")
        kind = tuple(self.features[name].replace("double", "none") for name in names)
        return (*kind, "x" if "x" in self.text else "-")


def encode(question: Features, concerns: Callable[[str], bool]) -> Codes:
    """Return the numbers of the values that concern an operation, in order."""
    found = (NUMBER[name, value] for name, value in question.items() if concerns(name))
    return np.array(sorted(found), dtype=np.intp)


class Pairs:
    """Counts how often each pair of values was seen."""

    def __init__(self) -> None:
        self.seen = np.zeros((len(VALUES), len(VALUES)), np.uint32)

    def missing(self, codes: Codes, times: int = 1) -> int:
        """Return how many of a question's pairs occurred less than ``times`` times."""
        part = np.ix_(codes, codes)
        return int(((self.seen[part] < times) & PAIRED[part]).sum()) // 2

    def add(self, codes: Codes) -> None:
        """Count the pairs of a question."""
        self.seen[np.ix_(codes, codes)] += 1


def table(package: str, name: str, columns: int) -> Iterator[list[str]]:
    """Return the rows of a package's file; see :func:`rows`."""
    return rows((files(package) / name).read_text("utf-8").splitlines(), columns)


def rows(lines: Iterable[str], columns: int) -> Iterator[list[str]]:
    """Yield the cells of each row, which `` | `` separates, without empty lines and comments.

    Raises:
        ValueError: A row has more or fewer cells.
    """
    for line in lines:
        if line and not line.startswith("#"):
            cells = line.split(" | ")
            if len(cells) != columns:
                raise ValueError(f"this line cannot be read: {line}")
            yield cells


Condition = tuple[str, frozenset[str]]
"""A feature, and the values of which it has to have one."""


def conditions(words: str) -> tuple[Condition, ...]:
    """Read conditions as the tables write them: ``piece=P,N line=file``.

    Raises:
        ValueError: There is no such feature or value.
    """
    found = []
    for word in words.split():
        name, _, values = word.partition("=")
        found.append((name, frozenset(values.split(","))))
        if wrong := {value for value in found[-1][1] if (name, value) not in NUMBER}:
            raise ValueError(f"{name} has no value {wrong}")
    return tuple(found)


class Rule(NamedTuple):
    """A rule: a move or a refused text that fulfils its conditions fulfils another one."""

    of: str
    conditions: tuple[Condition, ...]
    other: str
    values: frozenset[str]
    why: str


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules about what cannot occur together."""
    found = []
    for of, rule, why in table(__package__, RULES, 3):
        left, _, right = rule.partition(" -> ")
        found.append(Rule(of, conditions(left), *conditions(right)[0], why))
    return tuple(found)


def contradiction(of: str, one: int, other: int) -> str | None:
    """Return why a question cannot have two values, or None if each feature can have a value.

    The reason is that of the last rule.
    """
    domains = {feature.name: set(feature.values) for feature in features()}
    for name, value in (VALUES[one], VALUES[other]):
        domains[name] = {value}
    changed = True
    while changed:
        changed = False
        for rule in (rule for rule in rules() if rule.of == of):
            unsure = [pair for pair in rule.conditions if not domains[pair[0]] <= pair[1]]
            before = domains[rule.other]
            if not unsure and not before <= rule.values:
                domains[rule.other], changed = before & rule.values, True
            elif len(unsure) == 1 and not before & rule.values:
                ((name, values),) = unsure
                if domains[name] & values:
                    domains[name], changed = domains[name] - values, True
            if not all(domains[name] for name in (rule.other, *dict(rule.conditions))):
                return rule.why
    return None


def choose(codes: Sequence[Codes], sizes: Sequence[int], times: int = 1) -> list[int]:
    """Return the numbers of questions that cover each pair ``times`` times, if it occurs as often.

    The rarest pair is covered first, by the best of some short questions that have it. Questions
    that later choices made superfluous are removed.
    """
    often, covered = Pairs(), Pairs()
    has = np.zeros((len(VALUES), len(codes)), np.bool_)
    for number, code in enumerate(codes):
        often.add(code)
        has[code, number] = True
    pairs = np.argwhere(np.triu(often.seen, 1) * PAIRED)
    order = np.argsort(often.seen[tuple(pairs.T)], kind="stable")
    by_size = np.argsort(np.array(sizes), kind="stable")
    chosen: dict[int, None] = {}
    for one, other in pairs[order]:
        while covered.seen[one, other] < min(times, often.seen[one, other]):
            some = [n for n in by_size[(has[one] & has[other])[by_size]] if n not in chosen][:12]
            best = max(some, key=lambda number: covered.missing(codes[number], times))
            covered.add(codes[best])
            chosen[int(best)] = None
    covered = Pairs()
    return list(
        greedy(
            chosen,
            lambda number: covered.missing(codes[number], times),
            lambda number: covered.add(codes[number]),
        )
    )


def greedy(
    numbers: Iterable[int], adds: Callable[[int], int], take: Callable[[int], None]
) -> Iterator[int]:
    """Yield the numbers that still add something, at each step one that adds most."""
    heap = [(-adds(number), number) for number in numbers]
    heapq.heapify(heap)
    while heap:
        _, number = heapq.heappop(heap)
        more = adds(number)
        if more and heap and more < -heap[0][0]:
            heapq.heappush(heap, (-more, number))
        elif more:
            take(number)
            yield number


def choose_all(questions: Sequence[Question], times: int) -> dict[str, list[Question]]:
    """Return the chosen questions of each operation, in order, with every form."""
    chosen = {}
    for operation, concerns in CONCERNS.items():
        some = [q for q in questions if q.refuses == (operation == "refuse")]
        codes = [encode(question.features, concerns) for question in some]
        numbers = choose(codes, [len(question.game) for question in some], times)
        chosen[operation] = [some[number] for number in numbers]
        forms = {question.form for question in chosen[operation]}
        for question in sorted(some, key=lambda one: len(one.game)):
            if question.form not in forms:
                forms.add(question.form)
                chosen[operation].append(question)
    return chosen


def choose_positions(questions: Iterable[Question], most: int) -> list[Question]:
    """Return questions whose positions cover each pair that legal moves have.

    The reasons why castling is illegal count too, because a list of moves may have too many.
    """
    places = list({question.fen: question for question in questions}.values())
    found = []
    for question in places:
        position = Position(chess.Board(question.fen))
        pairs = np.zeros((len(VALUES), len(VALUES)), np.bool_)
        castling = (position.of_refusal(judge(text, position.board)) for text in ("O-O", "O-O-O"))
        moves = (position.of_move(move)[1] for move in position.legal)
        for features_found in (*moves, *filter(None, castling)):
            codes = encode(features_found, lambda _: True)
            part = np.ix_(codes, codes)
            pairs[part] = PAIRED[part]
        found.append(np.packbits(pairs))
    left: npt.NDArray[np.uint8] = np.array(np.bitwise_or.reduce(found))
    chosen: list[Question] = []
    while len(chosen) < most and left.any():
        counts = [int(np.bitwise_count(pairs & left).sum()) for pairs in found]
        best = int(np.argmax(counts))
        chosen.append(places[best])
        left &= ~found[best]
    return chosen
