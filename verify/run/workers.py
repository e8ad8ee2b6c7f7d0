"""The work of one worker, wherever it is."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.games.game import write_line
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.search.symmetry import CubeFindings, WorkUnit
from sanproof.verify.claims.replay import PackedGame, replay_lines

log = logging.getLogger("sanproof")

T = TypeVar("T")
GamesFound = tuple[list[str], int]
"""The proof games of one of White's witnesses, as lines of the kernel's file: White's game, and
Black's of the string with the colours exchanged, or none; and how many positions were tried in vain
before."""


def timed(work: Callable[[Any], list[T]], name: str, task: Any) -> tuple[list[T], float]:  # noqa: ANN401
    """Do the work for a task, and log its name; return also the seconds that it took."""
    started = time.perf_counter()
    found = work(task)
    seconds = time.perf_counter() - started
    log.info("%s of %s: %d found, %.2f s", work.__name__, name, len(found), seconds)
    return found, seconds


# Only workers pay for what these import.


def solve_unit(unit: WorkUnit) -> list[CubeFindings]:
    """Decide the cubes of a work unit and their mirror images."""
    from sanproof.proofs.search.decide import decide_unit  # noqa: PLC0415

    return decide_unit(unit)


def compile_search() -> None:
    """Compile what the search for games needs, and keep it for the other workers."""
    from sanproof.proofs.games import search  # noqa: PLC0415

    search.compile_search()


def search_unit_games(witnesses: Sequence[Witness]) -> list[GamesFound]:
    """Find games for White's witnesses, or for other positions of their strings; not checked."""
    from sanproof.proofs.games.search import solve_games  # noqa: PLC0415

    found = map(solve_games, witnesses)
    return [(list(map(write_line, games)), given_up) for games, given_up in found]


def replay_unit(lines: Sequence[str]) -> list[PackedGame] | EvidenceError:
    """Have the kernel replay games; an error is returned, so that it is known whose it is."""
    try:
        return replay_lines(lines, GAMES)
    except EvidenceError as error:
        return error


def search_tours(part: MatesPart) -> list[Tour]:
    """Find tours for one part of the cover."""
    from sanproof.proofs.cover.tours import tour_part  # noqa: PLC0415

    return tour_part(part)
