"""The work of one worker, wherever it is, and the check of what another machine has done."""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from sanproof.proofs.board.witness import Witness, WitnessError, checked_witness
from sanproof.proofs.cover.parts import MatesPart, Tour
from sanproof.proofs.games.game import CheckedGame, ProofGame, replay
from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.proofs.kernel.games import GameError, Replay
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.symmetry import (
    WorkUnit,
    exchanged_colours,
    mirrored_cube,
)
from sanproof.verify.errors import NegativeAnswer
from sanproof.verify.work.executors import checked, worker_pool
from sanproof.verify.work.log import log
from sanproof.verify.work.processes import process_pool
from sanproof.verify.work.store import reader

T = TypeVar("T")
Submit = Callable[..., Future[Any]]
"""Has a function called, as an executor has; returns the future of its result."""


class CubeFindings(NamedTuple):
    """The findings of a cube, checked.

    Attributes:
        cube: The cube, of White's moves.
        witnesses: A checked witness for each string found, and for a pawn's also Black's.
        left_open: The strings that the certificate leaves open: those with a witness, and any
            for which there is neither a witness nor a refutation.
        certificate: The cube's certificate, as :mod:`proofs.kernel.certificates` writes it.
    """

    cube: Cube
    witnesses: list[Witness]
    left_open: list[str]
    certificate: str


class GamesFound(NamedTuple):
    """The proof games found and checked for one of White's witnesses.

    Attributes:
        san: The string of the witness.
        games: White's game, and Black's of the string with the colours exchanged; or none.
        given_up: How many positions were tried in vain before.
    """

    san: str
    games: list[CheckedGame]
    given_up: int


class TimedFindings(NamedTuple, Generic[T]):
    """The findings of a worker, and the seconds that it took."""

    found: list[T]
    seconds: float


def timed(work: Callable[[Any], list[T]], name: str, task: Any) -> TimedFindings[T]:  # noqa: ANN401
    """Do the work for a task, and log its name."""
    started = time.perf_counter()
    found = work(task)
    seconds = time.perf_counter() - started
    log.info("%s of %s: %d found, %.2f s", work.__name__, name, len(found), seconds)
    return TimedFindings(found, seconds)


def solve_unit(unit: WorkUnit) -> list[CubeFindings]:
    """Decide the cubes of a work unit and their mirror images; every witness is checked."""
    # Only workers pay for a solver.
    from sanproof.proofs.search.decide import decide_unit, with_mirror_images  # noqa: PLC0415

    found = []
    for result in with_mirror_images(decide_unit(unit)):
        witnesses = sorted(result.witnesses.values())
        if result.cube.piece == "":  # the other strings of Black's are White's as well
            witnesses += [exchanged_colours(witness) for witness in witnesses]
        found.append(CubeFindings(result.cube, witnesses, result.left_open(), result.certificate))
    return found


def search_unit_games(witnesses: Sequence[Witness]) -> list[GamesFound]:
    """Find a game for each of White's witnesses, or for other positions of their strings.

    Every game is checked.
    """
    from sanproof.proofs.games.search import solve_games  # noqa: PLC0415

    found = [solve_games(witness) for witness in witnesses]
    # White's games, sorted by their moves, share beginnings, which are then replayed once. Of
    # Black's games, each after its like, only the beginnings are replayed.
    in_order = sorted((games for games, _ in found), key=lambda games: [g.moves for g in games])
    checked = dict(_replayed(chain.from_iterable(in_order)))
    return [
        GamesFound(witness.san, [checked[game] for game in games], given_up)
        for witness, (games, given_up) in zip(witnesses, found, strict=True)
    ]


def _replayed(games: Iterable[ProofGame]) -> Iterator[tuple[ProofGame, CheckedGame]]:
    """Yield each game and its record after the kernel has replayed it; or raise a GameError."""
    from sanproof.proofs.games.player import record_game  # noqa: PLC0415 - numba is slow to load

    by = Replay()
    for game in games:
        replay(by, game)
        yield game, record_game(game)


def search_tours(part: MatesPart) -> list[Tour]:
    """Find tours for one part of the cover."""
    from sanproof.proofs.cover.tours import tour_part  # noqa: PLC0415

    return tour_part(part)


def check_games(games: Sequence[ProofGame]) -> list[CheckedGame]:
    """Check games of the cover: each in compiled code, and some by the kernel's replay as well.

    The cover proves nothing: each of its strings has a proof game, which the kernel replays.

    Raises:
        GameError: One does not hold.
    """
    from sanproof.proofs.games.player import record_cover  # noqa: PLC0415 - numba is slow to load

    return record_cover(games)


def cubes_decided(unit: WorkUnit) -> set[Cube]:
    """Return the cubes of a work unit, and those reflected from left to right."""
    return {c for cube in unit for c in (cube, cube if cube.castling else mirrored_cube(cube))}


def check_findings(unit: WorkUnit, result: TimedFindings[CubeFindings]) -> None:
    """Check what another machine found of a work unit, and have Z3 refute its formulas here too.

    Raises:
        WitnessError: A witness is not what it says.
        EvidenceError: A refutation does not hold, or the cubes are others.
    """
    from sanproof.proofs.search.refute import ask_z3  # noqa: PLC0415 - only workers pay for it

    if sorted(found.cube for found in result.found) != sorted(cubes_decided(unit)):
        raise EvidenceError(f"{CERTIFICATES}: not one for each cube of {unit[0]}")
    for cube, witnesses, left_open, certificate in result.found:
        closed = check_certificate(certificate)
        if (closed.cube, closed.left_open) != (cube, frozenset(left_open)):
            raise EvidenceError(f"{CERTIFICATES}: cube {cube}: it is of others than was said")
        ask_z3(certificate)
        for witness in witnesses:
            if checked_witness(*witness[:3]) != witness:
                raise WitnessError(f"{witness.san}: another position comes after {witness.fen}")


def check_unit_games(witnesses: Sequence[Witness], result: TimedFindings[GamesFound]) -> None:
    """Check the games that another machine found for a unit's witnesses.

    Raises:
        GameError: One does not hold, or is not written down as it is played.
    """
    if sorted(found.san for found in result.found) != sorted(w.san for w in witnesses):
        raise GameError("the games are of other strings")
    found = (item.games for item in result.found)
    in_order = sorted(found, key=lambda games: [checked.game.moves for checked in games])
    given = list(chain.from_iterable(in_order))
    for theirs, (game, ours) in zip(given, _replayed(g.game for g in given), strict=True):
        if theirs != ours:
            raise GameError(f"game of {game.san}: it is not written down as it is played")


def check_tours(part: MatesPart, result: TimedFindings[Tour]) -> None:
    """Check the tours that another machine found for a part of the cover.

    Raises:
        GameError: One does not end with a mate of the part, or is not written as it is played.
    """
    from sanproof.proofs.games.player import play_on, read_position  # noqa: PLC0415 - needs numba

    stations = (*part.firsts, *part.mates)
    fens = {s.san: s.before_fen for s in stations} | {s.name: s.fen for s in part.starts}
    mates = {station.san for station in part.mates}
    for start, moves, sans in result.found:
        if start not in fens or sans[-1] not in mates:
            raise GameError(f"a tour from {start} is of another part")
        _, written = play_on(read_position(fens[start]), moves)
        if written != sans:
            raise GameError(f"tour to {sans[-1]}: it is not written down as it is played")


CHECKS: Final[Mapping[Callable[..., Any], tuple[type, Callable[..., None]]]] = {
    solve_unit: (CubeFindings, check_findings),
    search_unit_games: (GamesFound, check_unit_games),
    search_tours: (Tour, check_tours),
}
"""The type and the check of results that another machine gives, by the work."""


def check_other(work: Callable[..., Any], task: Any, result: Any) -> None:  # noqa: ANN401
    """Check what another machine gives, which may be anything.

    Raises:
        NegativeAnswer: It is not of the form in which this work's results are kept.
        Exception: It is wrong.
    """
    kind, check = CHECKS[work]
    try:
        found, seconds = result
        shaped = reader(list[kind])(json.loads(json.dumps(found)))  # type: ignore[valid-type]
        is_typed = isinstance(result, TimedFindings) and shaped == found and 0 <= seconds < math.inf
        wrong = "" if is_typed else "it is of another type"
        check(task, TimedFindings(shaped, seconds))
    except (TypeError, ValueError, LookupError, RecursionError) as error:
        wrong = repr(error)
    if wrong:
        raise NegativeAnswer(
            f"A worker of the cluster gave a wrong result, so the run stops: {wrong}."
        )


@contextmanager
def hands_of_run(workers: int, log_file: Path, scheduler: str | None = None) -> Iterator[Submit]:
    """Yield a function that has work done, in processes of this machine or on a cluster.

    What comes from other machines is checked by processes here. Log records go to the file.

    Raises:
        Failure: The cluster cannot be used.
    """
    with worker_pool(workers, log_file, scheduler) as found:
        if scheduler is None:
            yield found.executor.submit
            return
        with process_pool(workers) as own:
            yield partial(submit_checked, found.executor, own)


def submit_checked(
    others: Executor,
    own: Executor,
    fn: Callable[..., Any],
    /,
    *args: Any,  # noqa: ANN401 - of any work
) -> Future[Any]:
    """Have work done by others who may be wrong, and have our own check it, or do all of it."""
    if fn is check_games:
        return own.submit(fn, *args)
    work, _, task = args
    done = others.submit(fn, *args)
    return checked(done, lambda result: own.submit(check_other, work, task, result))
