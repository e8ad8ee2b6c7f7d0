"""Says what was asked, what was expected and what came, for all forms of the scoreboard."""

from collections.abc import Iterable
from typing import Any, Final

import chess

from conformance.scoreboard.contents import LibraryRun, Scoreboard
from sanproof.reports.escaping import visible
from sanproof.verify.conformance.outcome import CaseRecord, Outcome
from sanproof.verify.conformance.suite import Case, Demand, Operation

QUESTIONS: Final = {
    Operation.READ: "Read {asked}",
    Operation.WRITE: "Write {asked}",
    Operation.MOVES: "List all legal moves",
    Operation.PLAY: "Play {asked}, and show the FEN",
    Operation.GAME: "Read a PGN",
}
CAME: Final = {
    Outcome.CRASHED: "the adapter ended",
    Outcome.HUNG: "no answer",
    Outcome.GARBLED: "no answer of the right form",
}


def question(case: Case) -> str:
    """Return what the library is asked, as a heading."""
    return QUESTIONS[case.operation].format(asked=visible(case.asked or "") or "an empty text")


def expected(case: Case) -> str:
    """Return what it has to answer."""
    if case.demand is Demand.MUST_NOT:
        return "a rejection"
    if case.operation is Operation.PLAY:
        return " or ".join(dict.fromkeys(case.expected.values()))
    if case.operation is Operation.GAME:
        fens = " or ".join(dict.fromkeys(case.expected["fen"].values()))
        return f"{' '.join(case.expected['moves'])}, and then {fens}"
    return " ".join(case.expected) if isinstance(case.expected, list) else str(case.expected)


def came(case: Case, record: CaseRecord) -> str:
    """Return what it answered, or what became of it."""
    outcome, answer, message = record
    if outcome in CAME or answer is None:
        said = CAME.get(outcome, "rejected")
        return f"{said}: {visible(message)}" if message else said
    if case.operation is Operation.MOVES and case.expected is not None:
        return _difference(case.expected, answer)
    if isinstance(answer, dict):
        moves = answer.get("moves")
        read = " ".join(map(str, moves)) if isinstance(moves, list) else "?"
        return visible(f"{read}, and then {answer.get('fen')}")
    return visible(str(answer)) or "an empty text"


def _difference(right: list[str], given: Any) -> str:  # noqa: ANN401 - a stranger's answer
    if not isinstance(given, list):
        return visible(str(given))
    given = [str(move) for move in given]
    missing = [move for move in right if move not in given]
    more = [move for move in given if move not in right]
    parts = [f"without {' '.join(missing)}"] if missing else []
    parts += [f"with {' '.join(more)}"] if more else []
    return visible(" and ".join(parts) or "moves that are listed twice")


def played(moves: Iterable[str]) -> str:
    """Return a game of moves in UCI in SAN with numbers; empty for no moves."""
    board, parts = chess.Board(), []
    for uci in moves:
        if board.turn:
            parts.append(f"{board.fullmove_number}.")
        parts.append(board.san_and_push(chess.Move.from_uci(uci)))
    return " ".join(parts)


def verdict(passed: int, failed: int) -> tuple[str, str]:
    """Return a class and a word for counts of cases: ``yes``, ``some``, ``no`` or ``none``."""
    if not passed + failed:
        return "none", "not asked"
    if not failed:
        return "yes", "pass"
    return ("no" if not passed else "some"), f"{failed} of {passed + failed} fail"


def rejections(scoreboard: Scoreboard, run: LibraryRun) -> str:
    """Count what a library does with what is up to it."""
    counts = scoreboard.liberties(run)
    words = {"accepted": "accepted", "rejected": "rejected", "differs": "read otherwise"}
    words |= {outcome.value: outcome.value for outcome in CAME}
    return ", ".join(f"{counts[name]} {word}" for name, word in words.items() if counts[name])


def customs(run: LibraryRun) -> str:
    """Return the custom for the en passant square that a library follows."""
    return " or ".join(run.en_passant)
