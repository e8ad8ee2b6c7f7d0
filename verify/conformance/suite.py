"""A case of the conformance suite, a suite of cases, and how both stand in a file.

docs/test-your-library.md describes the file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.errors import Failure

FORMAT: Final = 1
"""The number of the file's form: another form has another number."""
NAME: Final = "sanproof conformance"
LICENCE: Final = "CC0-1.0"


class Operation(Enum):
    """A task of a library; the value is the name in the file."""

    READ = "read"
    WRITE = "write"
    MOVES = "moves"
    PLAY = "play"
    GAME = "game"


class Demand(Enum):
    """The duty of a library to accept what it is given; the value is the class in the file."""

    MUST = "must"
    MUST_NOT = "must not"
    MAY = "may"


class Level(Enum):
    """The size of a suite; the value is the name in the file and on the command line."""

    SMOKE = "smoke"
    CORE = "core"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Case:
    """One question to a library, and the answer.

    Attributes:
        id: The name of the case, the same in all versions: the mechanism, the player, the
            operation and, if there are several, a number or a word.
        operation: What the library is asked to do.
        demand: Whether it must accept.
        mechanism: What is tested: a name of docs/tables/mechanisms.csv.
        colour: Who moves: ``white`` or ``black``.
        why: One sentence with the rule.
        fen: The position; None in a case about a game.
        asked: What is read, written or played: SAN, UCI or PGN; None if all moves are asked for.
        expected: The move in UCI (read); SAN (write); the legal moves in SAN, sorted (moves); for
            each custom the FEN (play); the moves in SAN and for each custom the last FEN (game).
            None if the library must reject, and where it may do as it likes.
        game: The index of the game in the suite that reaches the position; None for broken input.
        plies: How many moves of the game lead to the position; None for broken input.
        reports: Addresses of public reports that this case would have caught.
    """

    id: str
    operation: Operation
    demand: Demand
    mechanism: str
    colour: str
    why: str
    fen: str | None = None
    asked: str | None = None
    expected: Any = None
    game: int | None = None
    plies: int | None = None
    reports: tuple[str, ...] = ()


ASKED: Final = {Operation(name): asked for name, asked in runner.ASKED.items()}
"""Under which name an operation's question stands in the file and in the protocol."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite: its cases, sorted by id, and the games that lead to their positions.

    Attributes:
        version: The version of the suite.
        level: How large it is.
        games: Moves in UCI with blanks between them, from the initial position.
        cases: The cases.
    """

    version: str
    level: Level
    games: tuple[str, ...]
    cases: tuple[Case, ...]


def question(case: Case) -> dict[str, Any]:
    """Return what an adapter is told of a case: the operation and what it takes, nothing else."""
    return runner.question(case_as_json(case), ())


def case_as_json(case: Case) -> dict[str, Any]:
    """Return a case as it stands in the file; what does not apply is left out."""
    entry: dict[str, Any] = {
        "id": case.id,
        "operation": case.operation.value,
        "class": case.demand.value,
        "mechanism": case.mechanism,
        "colour": case.colour,
        "fen": case.fen,
        "game": case.game,
        "plies": case.plies,
    }
    name = ASKED[case.operation]
    if name is not None:
        entry[name] = case.asked
    entry |= {"expected": case.expected, "why": case.why, "reports": list(case.reports) or None}
    return {name: value for name, value in entry.items() if value is not None}


def read_and_write(case: Case, canonical: str) -> list[Case]:
    """Return a case of reading, and that of writing the move expected: its id ends otherwise."""
    name = f"{case.id.removesuffix('read')}write"
    answer = {"asked": case.expected, "expected": canonical}
    return [case, replace(case, id=name, operation=Operation.WRITE, **answer)]


def with_games(
    cases: Iterable[Case], games: Sequence[str]
) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return cases with the games that they need, and only these."""
    cases = tuple(cases)
    used = sorted({case.game for case in cases if case.game is not None})
    index = {old: new for new, old in enumerate(used)}
    renumbered = (
        case if case.game is None else replace(case, game=index[case.game]) for case in cases
    )
    return tuple(renumbered), tuple(games[old] for old in used)


def by_mechanism(suite: Suite) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield each mechanism of a suite with the lines of its file: its cases and their games."""
    for name in dict.fromkeys(case.mechanism for case in suite.cases):
        alike = (case for case in suite.cases if case.mechanism == name)
        cases, games = with_games(alike, suite.games)
        yield name, suite_lines(suite.version, suite.level, games, cases)


def suite_lines(
    version: str, level: Level, games: Iterable[str], cases: Iterable[Case]
) -> Iterator[str]:
    """Yield the lines of a suite's file, a game or a case on each: a large one is never held.

    The iterables are read one after the other: cases may be made while games were.
    """
    head = {
        "format": FORMAT,
        "suite": NAME,
        "version": version,
        "level": level.value,
        "licence": LICENCE,
    }
    yield json.dumps(head)[:-1] + ',\n"games": [\n'
    yield from _joined(json.dumps(game) for game in games)
    yield '\n],\n"cases": [\n'
    yield from _joined(json.dumps(case_as_json(case), ensure_ascii=True) for case in cases)
    yield "\n]}\n"


def read_suite(content: bytes, name: str) -> Suite:
    """Return the suite in a file's content; a Failure if it is none."""
    try:
        return suite_of(runner.suite_of(content, name))
    except runner.Misuse as error:
        raise Failure(str(error)) from error


def suite_of(entries: Mapping[str, Any]) -> Suite:
    """Return the suite that the JSON of a suite holds."""
    cases = tuple(map(case_from_json, entries["cases"]))
    return Suite(entries["version"], Level(entries["level"]), tuple(entries["games"]), cases)


def case_from_json(entry: dict[str, Any]) -> Case:
    """Return a case from its place in a file; a KeyError, TypeError or ValueError otherwise."""
    operation = Operation(entry["operation"])
    name = ASKED[operation]
    return Case(
        id=entry["id"],
        operation=operation,
        demand=Demand(entry["class"]),
        mechanism=entry["mechanism"],
        colour=entry["colour"],
        why=entry["why"],
        fen=entry.get("fen"),
        asked=None if name is None else entry[name],
        expected=entry.get("expected"),
        game=entry.get("game"),
        plies=entry.get("plies"),
        reports=tuple(entry.get("reports", ())),
    )


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines with a comma after each but the last."""
    for number, line in enumerate(lines):
        yield (",\n" if number else "") + line
