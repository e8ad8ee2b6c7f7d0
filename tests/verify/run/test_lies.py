"""What another machine gives is checked before it is kept: none of these lies ends well."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeGuard

import pytest

from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.rules.cubes import Cube
from sanproof.verify.claims.selection import select
from sanproof.verify.errors import NegativeAnswer
from sanproof.verify.run.runner import run
from sanproof.verify.run.store import GAMES, UNITS, RunStore
from sanproof.verify.run.workers import (
    CHECKS,
    CubeFindings,
    GamesFound,
    Submit,
    Timed,
    submit_checked,
)
from sanproof.verify.work.executors import Inline

EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1"
Lie = Callable[[Any], Any]


def is_of(result: object, kind: type) -> TypeGuard[Timed[Any]]:
    """Whether a worker found something of this kind."""
    return isinstance(result, Timed) and isinstance(result.found[0], kind)


def of_findings(change: Callable[[Any], Any]) -> Lie:
    """A lie about the first cube of a work unit."""

    def lie(result: object) -> object:
        if not is_of(result, CubeFindings):
            return result
        return result._replace(found=[change(result.found[0]), *result.found[1:]])

    return lie


def of_games(change: Callable[[Any], Any]) -> Lie:
    """A lie about the first game of a work unit."""

    def lie(result: object) -> object:
        if not is_of(result, GamesFound):
            return result
        first, *others = result.found
        games = [change(first.games[0]), *first.games[1:]]
        return result._replace(found=[first._replace(games=games), *others])

    return lie


def without_first(result: object) -> object:
    return result._replace(found=result.found[1:]) if is_of(result, CubeFindings) else result


def on_an_empty_board(found: CubeFindings) -> CubeFindings:
    return found._replace(witnesses=[w._replace(fen=EMPTY) for w in found.witnesses])


def with_another_end(found: CubeFindings) -> CubeFindings:
    return found._replace(witnesses=[w._replace(after_fen=EMPTY) for w in found.witnesses])


def without_refutation(found: CubeFindings) -> CubeFindings:
    header = found.certificate.split("\n")[:3]
    return found._replace(certificate="\n".join([*header, "", ""]))


def without_mate(game: CheckedGame) -> CheckedGame:
    return game._replace(game=game.game._replace(moves=game.game.moves[:-1]))


WITNESS, REFUTATION, GAME = (f"A {what} is wrong" for what in ("witness", "refutation", "game"))
LIES: dict[str, tuple[Lie, str]] = {
    "an empty board": (of_findings(on_an_empty_board), WITNESS),
    "another position after the move": (of_findings(with_another_end), WITNESS),
    "another cube": (of_findings(lambda f: f._replace(cube=Cube("Q", "", "d4"))), REFUTATION),
    "fewer strings left open": (
        of_findings(lambda f: f._replace(left_open=f.left_open[1:])), REFUTATION
    ),
    "a refutation of nothing": (of_findings(without_refutation), REFUTATION),
    "a cube that is missing": (without_first, REFUTATION),
    "a game that is no mate": (of_games(without_mate), GAME),
    "moves that were not played": (
        of_games(lambda g: g._replace(sans=("none", *g.sans[1:]))), GAME
    ),
}  # fmt: skip


class Lying(Executor):
    """A cluster one of whose workers lies."""

    def __init__(self, lie: Lie) -> None:
        self._lie = lie

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        future: Future[Any] = Future()
        future.set_result(self._lie(fn(*args, **kwargs)))
        return future


def run_with(lie: Lie, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def executor(_: int, __: Path, ___: str | None) -> Iterator[Submit]:
        yield partial(submit_checked, Lying(lie), Inline())

    monkeypatch.setattr("sanproof.verify.run.runner.hands_of_run", executor)
    run(directory, select("O-O"), 1)


@pytest.mark.parametrize("name", LIES)
def test_a_lie_ends_the_run_and_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    lie, sentence = LIES[name]
    with pytest.raises(NegativeAnswer, match=sentence):
        run_with(lie, tmp_path, monkeypatch)
    assert not (tmp_path / "manifest.json").exists()
    with RunStore(tmp_path) as store:
        assert not store.names(GAMES)
        assert len(store.names(UNITS)) == (sentence == "A game is wrong")


def test_the_truth_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_with(lambda result: result, tmp_path, monkeypatch)
    assert (tmp_path / "manifest.json").exists()


def test_what_is_cancelled_is_cancelled_for_the_others_too() -> None:
    waiting: Future[Any] = Future()

    class Waiting(Executor):
        def submit(self, *_: object, **__: object) -> Future[Any]:
            return waiting

    found = submit_checked(Waiting(), Inline(), next(iter(CHECKS)), ())
    assert found.cancel()
    assert waiting.cancelled()
