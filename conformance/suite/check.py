"""Checks a case that somebody proposes, before it becomes a line of ``known.txt``.

``python -m conformance.suite.check CASE`` takes a JSON file with three texts: ``mechanism``, as the
cases of the suite name it; ``moves``, a legal game in UCI with blanks between; and ``text``, what
is read or played in the position after it, which cases of all legal moves and most games do
without. Printed are the cases as the suite would have them, and the line to propose. Exit code 2
if it is no case.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import chess

from conformance.suite.build import cases_of
from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.recognise_positions import NAMES
from conformance.suite.sources import NO_TEXT, SourcePosition, position
from sanproof.reports.archive.door import published_directory
from sanproof.reports.tables.rows import RowError
from sanproof.verify.conformance.suite import (
    Case,
    Demand,
    Level,
    Operation,
    case_as_json,
    read_suite,
)
from sanproof.verify.notation.writing import write

_PARTS: Final = {"mechanism", "moves"}
_TEXT: Final = "text"


class ProposalError(ValueError):
    """A proposal that is no case; the message says why."""


class Checked(NamedTuple):
    """A proposal that is a case: what it becomes, its line, and what could be better."""

    cases: tuple[Case, ...]
    line: str
    remarks: tuple[str, ...]


def check(proposal: object) -> Checked:
    """Check a proposal: ``mechanism``, ``moves`` (a game in UCI) and ``text``.

    The text is what is read or played, or follows a game; for all legal moves and for most games
    there is none. The game must be legal, the position and the text must have the mechanism, and
    sanproof and python-chess must agree on what is expected. It is remarked if the suite asks this
    already, and if moves of the game can be left out.

    Raises:
        ProposalError: It is no case.
    """
    source = _source(proposal)
    try:
        board = position(source)
        colour = "white" if board.turn else "black"
        cases = tuple(cases_of(source, board, colour, 1))
    except (RowError, ValueError) as error:
        raise ProposalError(str(error)) from error
    for case in cases:
        if wrong := _disagreement(case, board):
            raise ProposalError(wrong)
    text = NO_TEXT if source.text is None else json.dumps(source.text)
    cells = (Level.CORE.value, source.mechanism, text, " ".join(source.moves))
    return Checked(cases, " | ".join(cells), tuple(_remarks(source, cases)))


def _source(proposal: object) -> SourcePosition:
    if not isinstance(proposal, Mapping) or set(proposal) - {_TEXT} != _PARTS:
        raise ProposalError("a proposal is an object with mechanism, moves and, mostly, text")
    if not all(isinstance(part, str) for part in proposal.values()):
        raise ProposalError("mechanism, moves and text are texts")
    if proposal["mechanism"] not in MECHANISMS and proposal["mechanism"] not in NAMES:
        raise ProposalError(f"there is no mechanism {proposal['mechanism']!a}")
    moves: Any = proposal["moves"]
    moves_in_uci = tuple(moves.split())
    return SourcePosition(Level.CORE, proposal["mechanism"], proposal.get(_TEXT), moves_in_uci)


def _disagreement(case: Case, board: chess.Board) -> str | None:
    """Return what sanproof or python-chess says against the case; None if they agree."""
    match case.operation:
        case Operation.READ:
            return _wrong_reading(case)
        case Operation.WRITE:
            written = chess.Board(case.fen or "").san(chess.Move.from_uci(case.asked or ""))
            return _different("python-chess writes", {written}, {case.expected})
        case Operation.MOVES:
            ours = {write(move.uci(), board.fen()).san for move in board.legal_moves}
            return _different("sanproof writes", ours, set(case.expected))
        case Operation.GAME if case.expected is not None:
            replayed, game = chess.Board(), []
            for move in board.move_stack:
                game.append(write(move.uci(), replayed.fen()).san)
                replayed.push(move)
            expected = set(enumerate(case.expected["moves"]))
            return _different("sanproof writes", set(enumerate(game)), expected)
        case _:  # a position after a move that sanproof read and python-chess played
            return None


def _different(verb: str, found: set[Any], expected: set[Any]) -> str | None:
    if found == expected:
        return None
    return f"{verb} {sorted(found - expected)}, and not {sorted(expected - found)}"


def _wrong_reading(case: Case) -> str | None:
    """Return what python-chess says against what is expected of a text; None if it agrees."""
    board = chess.Board(case.fen or "")
    try:
        found = board.parse_san(case.asked or "").uci()
    except ValueError:
        found = None
    if case.demand is Demand.MUST_NOT and found is not None:
        return f"python-chess reads {case.asked} as {found}"
    if case.demand is Demand.MUST and found != case.expected:
        return f"python-chess reads {case.asked} as {found}, and not as {case.expected}"
    return None


def _remarks(source: SourcePosition, cases: tuple[Case, ...]) -> Iterator[str]:
    path = published_directory() / "conformance" / "core.json"
    core = read_suite(path.read_bytes(), str(path)).cases
    asked = {(case.fen, case.operation, case.asked): case.id for case in core}
    for case in cases:
        same = asked.get((case.fen, case.operation, case.asked))
        if same is not None:
            yield f"{same} asks this already."
    shorter = _shorter(source)
    if shorter is not None:
        yield f"A shorter game does: {' '.join(shorter) or 'none at all'}"


def _shorter(source: SourcePosition) -> tuple[str, ...] | None:
    """The game without two of its moves, one of each player, if it still makes a case."""
    moves = source.moves
    for first in range(len(moves)):
        for second in range(first + 1, len(moves), 2):
            left = moves[:first] + moves[first + 1 : second] + moves[second + 1 :]
            shorter = source._replace(moves=left)
            try:
                board = position(shorter)
                if list(cases_of(shorter, board, "white" if board.turn else "black", 1)):
                    return left
            except (RowError, ValueError):
                continue
    return None


def main(path: str) -> None:
    """Check the proposal in a file; exit code 2 with a sentence if it is no case."""
    try:
        checked = check(json.loads(Path(path).read_bytes()))
    except OSError as error:
        wrong = f"{path} cannot be read: {error.strerror}."
    except ProposalError as error:
        wrong = f"This is no case: {error}."
    except (ValueError, RecursionError):
        wrong = f"{path} is not JSON."
    else:
        cases = (json.dumps(case_as_json(case)) for case in checked.cases)
        sys.stdout.write("\n".join([*cases, "", checked.line, *checked.remarks]) + "\n")
        return
    sys.stderr.write(f"{wrong}\n")
    sys.exit(2)


if __name__ == "__main__":
    main(*sys.argv[1:])
