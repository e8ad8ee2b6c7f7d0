"""Checks a proposed case, before it becomes a line of ``known.txt``.

``python -m conformance.suite.check CASE`` takes a JSON file with three texts: ``mechanism``, as the
cases of the suite name it; ``moves``, a legal game in UCI with blanks between; and ``text``, what
is read or played in the position after it, which cases of all legal moves and most games do
without. Printed are the cases as the suite would have them, under ids that are free, the line to
propose, and remarks: the suite asks this already, or a shorter game does. Exit code 2 if it is no
case; if there is no such mechanism, it says which fit.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import chess

from conformance.suite.build import cases_of, numbered_with
from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.recognise import CaseText
from conformance.suite.recognise_positions import NAMES
from conformance.suite.sources import NO_TEXT, SourcePosition, position, sources
from sanproof.reports.archive.door import published_directory
from sanproof.reports.tables.rows import RowError
from sanproof.verify.commands.start import run_to_end
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.files import read_result
from sanproof.verify.conformance.suite import Case, asked_of, line_of
from sanproof.verify.errors import Failure
from sanproof.verify.notation.writing import write

_PARTS: Final = {"mechanism", "moves"}
_TEXT: Final = "text"
MAX_PROPOSAL_BYTES: Final = 1 << 20


class ProposalError(ValueError):
    """A proposal that is no case; the message says why."""


def check(proposal: object) -> Iterator[str]:
    """Yield what is printed of a proposal: its cases, the line to propose, remarks.

    The game must be legal, the position and the text must have the mechanism, and sanproof and
    python-chess must agree on what is expected.

    Raises:
        ProposalError: It is no case.
    """
    source = _source(proposal)
    try:
        cases = _cases(source)
    except (RowError, ValueError) as error:
        raise ProposalError(str(error)) from error
    if wrong := _disagreement(cases, source):
        raise ProposalError(wrong)
    yield from map(line_of, cases)
    text = NO_TEXT if source.text is None else json.dumps(source.text)
    yield f"\ncore | {source.mechanism} | {text} | {' '.join(source.moves)}"
    yield from _remarks(source, cases)


def _source(proposal: object) -> SourcePosition:
    if not isinstance(proposal, Mapping) or set(proposal) - {_TEXT} != _PARTS:
        raise ProposalError("a proposal is an object with mechanism, moves and, mostly, text")
    if not all(isinstance(part, str) for part in proposal.values()):
        raise ProposalError("mechanism, moves and text are texts")
    moves = tuple(proposal["moves"].split())
    return SourcePosition("core", proposal["mechanism"], proposal.get(_TEXT), moves)


def _cases(source: SourcePosition) -> list[Case]:
    """Return the cases of a source under the next number that is free."""
    board, name = position(source), source.mechanism
    if name not in NAMES | MECHANISMS.keys():
        raise ProposalError(_unknown(name, board, source.text))
    alike = (numbered_with(one, position(one)) for one in sources() if one.mechanism == name)
    number = 1 + sum(key == numbered_with(source, board) for key in alike)
    return cases_of(source, board, number)


def _unknown(name: str, board: chess.Board, text: str | None) -> str:
    """Return what helps to name a mechanism: like names, those that fit, how a new one is made."""
    near = get_close_matches(name, [*NAMES, *MECHANISMS], 3)
    fits = []
    if text is not None:
        asked = CaseText(board, text)
        fits = [other for other in MECHANISMS if asked.wrong_with(other) is None]
    said = f"there is no mechanism {name}"
    said += f"; names like it: {', '.join(near)}" if near else ""
    said += f"; those that fit: {', '.join(fits)}" if fits else ""
    return (
        f"{said}. A new one is a line of verify/conformance/mechanisms.txt: its name, move or "
        "refused, the criteria of `sanproof find` that make it out, and the rule"
    )


def _disagreement(cases: Sequence[Case], source: SourcePosition) -> str | None:
    """Return what python-chess answers against a case, or sanproof writes; None if they agree."""
    ((_, _, report, _),) = ask(["python-chess"], {"games": (), "cases": cases}, cases, 60)
    if report.failures:
        return f"python-chess was asked to {report.failures[0].sentence().rstrip('.')}"
    board = position(source)
    for case in cases:
        if case["operation"] == "moves":
            ours = sorted(write(move.uci(), board.fen()).san for move in board.legal_moves)
            expected = case["expected"]
        elif case["operation"] == "game" and "expected" in case:
            expected = case["expected"]["moves"]
            ours = _written(board.move_stack)[-len(expected) :]
        else:  # sanproof said what is expected
            continue
        if ours != expected:
            return f"sanproof writes {ours}, and python-chess {expected}"
    return None


def _written(moves: Sequence[chess.Move]) -> list[str]:
    """Return the moves of a game as sanproof writes them."""
    board, found = chess.Board(), []
    for move in moves:
        found.append(write(move.uci(), board.fen()).san)
        board.push(move)
    return found


def _remarks(source: SourcePosition, cases: Sequence[Case]) -> Iterator[str]:
    path = published_directory() / "conformance" / "core.json"
    asked = {_question(case): case["id"] for case in runner.load(str(path))["cases"]}
    for case in cases:
        if same := asked.get(_question(case)):
            yield f"{same} asks this already."
    shorter = _shorter(source)
    if shorter is not None:
        yield f"A shorter game does: {' '.join(shorter) or 'none at all'}"


def _question(case: Case) -> tuple[str, str, str]:
    return case.get("fen", ""), case["operation"], asked_of(case)


def _shorter(source: SourcePosition) -> tuple[str, ...] | None:
    """Return the game without two of its moves, one of each player, if it still makes a case."""
    moves = source.moves
    for first in range(len(moves)):
        for second in range(first + 1, len(moves), 2):
            left = moves[:first] + moves[first + 1 : second] + moves[second + 1 :]
            try:
                _cases(source._replace(moves=left))
            except (RowError, ValueError):
                continue
            return left
    return None


def main(arguments: Sequence[str]) -> int:
    """Check the proposal in a file; a Failure with exit code 2 if it is no case."""
    if len(arguments) != 1:
        raise Failure("One file with a proposal is needed, for example case.json.")
    (path,) = arguments
    try:
        proposal = read_result(Path(path), MAX_PROPOSAL_BYTES)
        lines = list(check(proposal))
    except ProposalError as error:
        raise Failure(f"This is no case: {str(error).rstrip('.')}.") from error
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    run_to_end(lambda: main(sys.argv[1:]))
