"""Makes the cases of the suite from the chosen questions, the most useful first.

Expected answers come from python-chess and :mod:`verify.notation`. Coq proves those that the rules
define (proofs/formal/suite.py), and the tests compare with a third program.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Final, Literal, NamedTuple

import chess

from conformance.suite.features import Features
from conformance.suite.pairs import Condition, Question, conditions, greedy, table
from conformance.suite.pgn import game_cases
from conformance.suite.texts import refused_texts
from sanproof.proofs.find.search import KNOWN
from sanproof.verify.conformance.suite import Case, Suite, case_of, suite_of, with_games
from sanproof.verify.notation.reading import ReadingVerdict, judge
from sanproof.verify.notation.vocabulary import Illegality

VERSION: Final = "3.2.0"
"""The version of the suite. New cases raise the second number, and changed answers the first."""
SMOKE: Final = 400
"""The number of cases at the beginning that are the smallest suite."""
TOLD: Final = (
    *("in_check", "own_pins", "passed", "piece", "pin", "capture", "promotion", "special"),
    *("bad_twin", "answer", "ends", "given", "only_reply", "failed", "weak_guard", "xray"),
    *("giver_pinned", "by", "by_pinned", "written"),
)
"""The features that are written into a case, if they have a value."""
CUSTOMS: Final[dict[str, Literal["fen", "xfen", "legal"]]] = {
    "always": "fen",
    "pseudo-legal": "xfen",
    "legal": "legal",
}
"""The conventions for the en passant square, and python-chess's names for them."""
AMBIGUOUS: Final = "Several moves fit, and nothing says which (PGN standard 8.2.3.4)."
NOT_SAN: Final = "No move is written so (PGN standard 8.2.3)."


SPELLINGS: Final = {
    name: (sort, words.split(), why)
    for name, sort, words, why in table(__package__, "spellings.txt", 4)
}
"""Mechanisms of texts: ``usual`` (as many programs read it) or ``spelling``, the deviations, and
the rule.
"""


class Mechanism(NamedTuple):
    """A row of ``mechanisms.txt``: the name of questions with some features, and their rule."""

    operations: tuple[str, ...]
    name: str
    conditions: tuple[Condition, ...]
    why: str


@cache
def mechanisms() -> tuple[Mechanism, ...]:
    """Return the mechanisms in the order of the file."""
    return tuple(
        Mechanism(tuple(operations.split(",")), name, conditions(words), why)
        for operations, name, words, why in table(__package__, "mechanisms.txt", 4)
    )


def mechanism_of(operation: str, found: Features) -> Mechanism:
    """Return the first mechanism that fits a question's features."""
    return next(
        one
        for one in mechanisms()
        if operation in one.operations
        and all(found[name] in values for name, values in one.conditions)
    )


class Draft(NamedTuple):
    """A case without its identifier and the number of its game, and the moves that lead to it."""

    case: Case
    game: str | None
    question: Question | None = None


def drafts(
    chosen: dict[str, list[Question]], places: Sequence[Question], seed: int
) -> Iterator[Draft]:
    """Yield all cases: chosen questions, texts near SAN, tolerated and broken texts, and games."""
    for operation in ("write", "read", "play"):
        for question in chosen[operation]:
            yield Draft(_of_move(operation, question), question.game, question)
    for question in chosen["refuse"]:
        refused = question.features["refused"]
        name = "ambiguous" if refused == "ambiguous" else f"illegal.{refused}"
        why = AMBIGUOUS if refused == "ambiguous" else _with_rule(Illegality(refused).sentence)
        yield Draft(_of_text(question, question.text, name, why), question.game, question)
    for question in places:
        board = chess.Board(question.fen)
        name, why = mechanism_of("moves", question.features)[1::2]
        sans = sorted(map(board.san, board.legal_moves))
        yield Draft(_case("moves", question, name, why, None, sans), question.game)
    for text in refused_texts(chosen["write"], Random(seed)):
        not_san = text.verdict is ReadingVerdict.NOT_SAN
        name = "near.no-san" if not_san else "near.no-move"
        why = NOT_SAN if not_san else f"One sign off, it denotes no move, or several. {NOT_SAN}"
        yield Draft(_of_text(text.question, text.text, name, why), text.question.game)
    yield from _tolerated()
    yield from (Draft(case, None) for case in (*_broken(), *game_cases(seed)))


def _case(
    operation: str, about: Question, name: str, why: str, asked: str | None, expected: object
) -> Case:
    colour = about.features["colour"]
    fixed = {"operation": operation, "demand": "must", "mechanism": name, "colour": colour}
    told = [f"{name}={about.features[name]}" for name in TOLD if _is_told(about.features, name)]
    told = told if operation != "moves" else []
    return case_of(asked, expected, why=why, fen=about.fen, features=told or None, **fixed)


def _is_told(found: Features, name: str) -> bool:
    return found.get(name, "none") not in {"none", "no"}


def _of_move(operation: str, question: Question) -> Case:
    mechanism = mechanism_of(operation, question.features)
    about = operation, question, mechanism.name, mechanism.why
    if operation == "write":
        return _case(*about, question.uci, question.text)
    if operation == "read":
        return _case(*about, question.text, question.uci)
    board = chess.Board(question.fen)
    board.push_uci(question.uci)
    fens = {custom: board.fen(en_passant=named) for custom, named in CUSTOMS.items()}
    return _case(*about, question.text, fens)


def _of_text(about: Question, text: str, name: str, why: str) -> Case:
    case = _case("read", about, name, why, text, None) | {"class": "must not"}
    return case if text == about.text else {k: v for k, v in case.items() if k != "features"}


def _with_rule(sentence: str) -> str:
    """Return a sentence with a rule: some reasons name none."""
    return sentence if "FIDE" in sentence else f"{sentence} (FIDE 3.1, PGN standard 8.2.3.2)."


def _tolerated() -> Iterator[Draft]:
    """Yield texts that a reader may accept: lines of ``known.txt``, level, mechanism, text, moves.

    Raises:
        ValueError: A text does not deviate from SAN as its mechanism says.
    """
    for level, name, text, moves in table(*KNOWN, 4):
        if level != "core" or name not in SPELLINGS:
            continue
        sort, words, why = SPELLINGS[name]
        board = chess.Board()
        for uci in moves.split():
            board.push_uci(uci)
        reading = judge(json.loads(text), board)
        if sort == "spelling" and [d.value for d in reading.deviations] != words:
            raise ValueError(f"{text} in {board.fen()} is no {name}: {reading.sentence}")
        why = why.replace("{canonical}", reading.canonical or "")
        about = {"operation": "read", "demand": "may", "mechanism": name, "why": why}
        about |= {"colour": chess.COLOR_NAMES[board.turn], "fen": board.fen(en_passant="fen")}
        yield Draft(case_of(reading.text, reading.uci, **about), moves)


def _broken() -> Iterator[Case]:
    """Yield the cases about positions that no game reaches: ``broken.txt``.

    The columns are the name after ``broken.``, the FEN, what is read, the move that is expected
    if the library accepts (``-`` if none is), and why. What a library does is up to it.
    """
    for name, fen, san, uci, why in table(__package__, "broken.txt", 5):
        about = {"operation": "read", "demand": "may", "mechanism": f"broken.{name}", "why": why}
        about |= {"colour": "white", "fen": fen}
        yield case_of(san, None if uci == "-" else uci, **about)


def in_order(found: Sequence[Draft]) -> list[Draft]:
    """Sort the cases: the first ones have each form and each value, the next the most pairs."""
    items, seen = [_singles(draft) for draft in found], set[tuple[str, ...]]()
    first = list(
        greedy(range(len(found)), lambda n: len(items[n] - seen), lambda n: seen.update(items[n]))
    )
    rest = [found[number] for number in sorted(set(range(len(found))) - set(first))]
    then = [draft for draft in rest if draft.question]
    last = [draft for draft in rest if not draft.question]
    return [*(found[number] for number in first), *_mixed(then, last)]


def _singles(draft: Draft) -> set[tuple[str, ...]]:
    """Return what a case shows alone: its mechanism and demand, values of features, its form."""
    case, question = draft.case, draft.question
    items: set[tuple[str, ...]] = {(case["operation"], case["class"], case["mechanism"])}
    if question is not None and case["operation"] in {"write", "read"}:
        demand = case["class"]
        items |= {(demand, *value) for value in question.features.items()}
        items |= {question.form} if demand == "must" else set()
    return items


def _mixed(some: Sequence[Draft], others: Sequence[Draft]) -> Iterator[Draft]:
    """Yield two lists mixed evenly; each operation's cases stand by what they add."""
    places: Counter[str] = Counter()
    whole = Counter(_sort(draft) for draft in (*some, *others))
    keyed: list[tuple[float, int, Draft]] = []
    for draft in (*some, *others):
        places[_sort(draft)] += 1
        keyed.append((places[_sort(draft)] / whole[_sort(draft)], len(keyed), draft))
    yield from (draft for _, _, draft in sorted(keyed, key=lambda one: one[:2]))


def _sort(draft: Draft) -> str:
    case = draft.case
    return f"{case['operation']} {case['class']} {case['mechanism'].partition('.')[0]}"


def suite(found: Iterable[Draft]) -> Suite:
    """Return the suite of the cases, with identifiers and games, and without duplicates."""
    games: dict[str, int] = {}
    numbers: Counter[tuple[str, str, str]] = Counter()
    cases, seen = [], set()
    for case, game, _ in found:
        key = json.dumps([case.get(name) for name in ("operation", "fen", "san", "uci", "pgn")])
        if key in seen:
            continue
        seen.add(key)
        stem = case["mechanism"], case["colour"], case["operation"]
        numbers[stem] += 1
        name = ".".join([*stem[:2], str(numbers[stem]), stem[2]])
        name = re.sub(r"^(play|moves|game)(.*)\.\1$", r"\1\2", name)
        place = {}
        if game is not None:
            place = {"game": games.setdefault(game, len(games)), "plies": len(game.split())}
        cases.append({"id": name} | case | place)
    placed, texts = with_games(cases, list(games))
    return suite_of(VERSION, "core", texts, placed)


def smoke_of(core: Suite) -> Suite:
    """Return the smallest suite, which is the beginning of the core."""
    cases, games = with_games(core["cases"][:SMOKE], core["games"])
    return suite_of(VERSION, "smoke", games, cases)
