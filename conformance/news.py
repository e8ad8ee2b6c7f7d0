"""Finds the failures beyond the core that the core does not show already.

A failure is *news* if the library's kept results of the core show no failure of a mechanism that
the case has. A string has all those mechanisms that :mod:`conformance.suite.recognise` finds
in it.
"""

from collections.abc import Collection
from typing import NamedTuple

import chess

from conformance.scoreboard.contents import Scoreboard
from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.recognise import Asked


class Failure(NamedTuple):
    """A case that a library fails.

    Attributes:
        id: The case.
        mechanism: Its mechanism.
        fen: Its position; None if it is a game.
        san: What was to be read or written; None if nothing was.
        outcome: What came of it, as in a result file.
        said: The answer, or what the library or the runner said; shortened.
    """

    id: str
    mechanism: str
    fen: str | None
    san: str | None
    outcome: str = ""
    said: str = ""


def known_mechanisms(core: Scoreboard, about: Collection[str]) -> set[str] | None:
    """Return the mechanisms of which a library fails a case of the core; None if it was not asked.

    The library comes with its version and settings.
    """
    for run in core.runs:
        if [run.name, run.version, run.settings] == list(about):
            return {case.mechanism for case, _ in core.failures(run)}
    return None


class News:
    """Says of one failure after another whether none of the known mechanisms has it.

    All moves of a position, and a game, are news if none of the mechanisms is of this operation.
    """

    def __init__(self, known: Collection[str]) -> None:
        self._known = known
        self._likely = sorted(name for name in known if name in MECHANISMS)
        """The mechanism that was found last comes first: failures are alike."""
        self._found: dict[tuple[str, str], bool] = {}

    def has(self, failure: Failure) -> bool:
        """Check whether a failure is news."""
        if failure.mechanism in self._known:
            return False
        if failure.fen is None or failure.san is None:
            operation = failure.mechanism.partition(".")[0]
            return all(name.partition(".")[0] != operation for name in self._known)
        what = failure.fen, failure.san  # a move is read and written: the same to us
        if what not in self._found:
            self._found[what] = self._is_new(*what)
        return self._found[what]

    def _is_new(self, fen: str, san: str) -> bool:
        asked = Asked(chess.Board(fen), san)
        for place, name in enumerate(self._likely):
            if asked.wrong_with(name, alone=False) is None:
                self._likely.insert(0, self._likely.pop(place))
                return False
        return True
