"""Says what was asked, what was expected and what came, for all forms of the scoreboard."""

from typing import Any, Final

import chess

from conformance.scoreboard.contents import (
    MUST_NOT,
    AskedCase,
    CaseResult,
    LibraryRun,
    Scoreboard,
)
from sanproof.reports.escaping import visible

QUESTIONS: Final = {
    "read": "Read {asked}",
    "write": "Write {asked}",
    "moves": "List all legal moves",
    "play": "Play {asked}, and show the FEN",
    "game": "Read a PGN",
}
CAME: Final = {
    "crashed": "the adapter ended",
    "hung": "no answer",
    "garbled": "no answer of the right form",
}


def question(case: AskedCase) -> str:
    """Return what the library is asked, as a heading."""
    return QUESTIONS[case.operation].format(asked=visible(case.asked) or "an empty text")


def expected(case: AskedCase) -> str:
    """Return what it has to answer."""
    if case.demand == MUST_NOT:
        return "a rejection"
    if case.operation == "play":
        return " or ".join(dict.fromkeys(case.expected.values()))
    if case.operation == "game":
        fens = " or ".join(dict.fromkeys(case.expected["fen"].values()))
        return f"{' '.join(case.expected['moves'])}, and then {fens}"
    return " ".join(case.expected) if isinstance(case.expected, list) else str(case.expected)


def came(case: AskedCase, answer: CaseResult) -> str:
    """Return what it answered, or what became of it."""
    if answer.outcome in CAME:
        said = CAME[answer.outcome]
        return f"{said}: {visible(answer.message)}" if answer.message else said
    if answer.result is None:
        return f"rejected: {visible(answer.message)}" if answer.message else "rejected"
    if case.operation == "moves" and case.expected is not None:
        return _difference(case.expected, answer.result)
    if isinstance(answer.result, dict):
        moves = answer.result.get("moves")
        played = " ".join(map(str, moves)) if isinstance(moves, list) else "?"
        return visible(f"{played}, and then {answer.result.get('fen')}")
    return visible(str(answer.result)) or "an empty text"


def _difference(right: list[str], given: Any) -> str:  # noqa: ANN401 - a stranger's answer
    if not isinstance(given, list):
        return visible(str(given))
    given = [str(move) for move in given]
    missing = [move for move in right if move not in given]
    more = [move for move in given if move not in right]
    parts = [f"without {' '.join(missing)}"] if missing else []
    parts += [f"with {' '.join(more)}"] if more else []
    return visible(" and ".join(parts) or "moves that are listed twice")


def played(case: AskedCase) -> str:
    """The game that leads to the position, in SAN with numbers; empty if there is none."""
    board, parts = chess.Board(), []
    for uci in case.game:
        if board.turn:
            parts.append(f"{board.fullmove_number}.")
        parts.append(board.san_and_push(chess.Move.from_uci(uci)))
    return " ".join(parts)


def verdict(passed: int, failed: int) -> tuple[str, str]:
    """A class and a word for counts of cases: ``yes``, ``some``, ``no`` or ``none``."""
    if not passed + failed:
        return "none", "not asked"
    if not failed:
        return "yes", "pass"
    return ("no" if not passed else "some"), f"{failed} of {passed + failed} fail"


def rejections(scoreboard: Scoreboard, run: LibraryRun) -> str:
    """Count what a library does with what is up to it."""
    counts = scoreboard.liberties(run)
    words = {"accepted": "accepted", "rejected": "rejected", "differs": "read otherwise"}
    words |= {name: name for name in CAME}
    parts = [f"{counts[name]} {word}" for name, word in words.items()]
    return ", ".join(part for part in parts if not part.startswith("0 "))


def customs(run: LibraryRun) -> str:
    """Return the custom for the en passant square that a library follows."""
    return " or ".join(run.en_passant)
