"""Checks a case that somebody proposes, before it becomes a line of ``sources.txt``."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import chess

from sanproof.reports.exports.archive import published_directory
from sanproof.reports.tables.rows import RowError
from sanproof.verify.conformance.cases.build import cases_of
from sanproof.verify.conformance.cases.case import (
    Case,
    Demand,
    Level,
    Operation,
    read_suite,
)
from sanproof.verify.conformance.cases.mechanisms import MECHANISMS
from sanproof.verify.conformance.cases.sources import SourcePosition, position

_PARTS: Final = {"mechanism", "moves", "text"}


class ProposalError(ValueError):
    """A proposal that is no case; the message says why."""


class Checked(NamedTuple):
    """A proposal that is a case: what it becomes, its line, and what could be better."""

    cases: tuple[Case, ...]
    line: str
    remarks: tuple[str, ...]


def check(proposal: object) -> Checked:
    """Check a proposal: ``mechanism``, ``moves`` (a game in UCI) and ``text`` (what is read).

    The game must be legal, the position and the text must have the mechanism, and python-chess
    must agree with what is expected. It is remarked if the suite asks this already, and if moves
    of the game can be left out.

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
        if wrong := _wrong_by_python_chess(case):
            raise ProposalError(f"python-chess does not agree: {wrong}")
    cells = (Level.CORE.value, source.mechanism, json.dumps(source.text), " ".join(source.moves))
    return Checked(cases, " | ".join(cells), tuple(_remarks(source, cases)))


def _source(proposal: object) -> SourcePosition:
    if not isinstance(proposal, Mapping) or set(proposal) != _PARTS:
        raise ProposalError(f"a proposal is an object with {', '.join(sorted(_PARTS))}")
    if not all(isinstance(part, str) for part in proposal.values()):
        raise ProposalError("mechanism, moves and text are texts")
    if proposal["mechanism"] not in MECHANISMS:
        raise ProposalError(f"there is no mechanism {proposal['mechanism']!a} of one text")
    moves: Any = proposal["moves"]
    return SourcePosition(Level.CORE, proposal["mechanism"], proposal["text"], tuple(moves.split()))


def _wrong_by_python_chess(case: Case) -> str | None:
    """What python-chess says against what is expected of a text; None if it agrees."""
    if case.operation is not Operation.READ:
        return None
    board = chess.Board(case.fen or "")
    try:
        found = board.parse_san(case.asked or "").uci()
    except ValueError:
        found = None
    if case.demand is Demand.MUST_NOT and found is not None:
        return f"it reads {case.asked} as {found}"
    if case.demand is Demand.MUST and found != case.expected:
        return f"it reads {case.asked} as {found}, and not as {case.expected}"
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
