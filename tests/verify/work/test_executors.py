"""What is done beside the main thread, or behind other work, arrives, and keeps nobody waiting."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any, ParamSpec, TypeVar

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.work.executors import Behind, Beside, own_hands
from sanproof.verify.work.processes import ProcessExecutor, process_pool

P = ParamSpec("P")
R = TypeVar("R")


def _fail() -> None:
    raise Failure("no such thing")


def test_results_and_errors_arrive() -> None:
    assert Beside().submit(divmod, 7, 2).result() == (3, 1)
    with pytest.raises(Failure, match="no such thing"):
        Beside().submit(_fail).result()


def test_the_work_begins_at_once_and_side_by_side() -> None:
    both = threading.Barrier(2, timeout=30)  # broken if only one comes
    waiting = [Beside().submit(both.wait) for _ in range(2)]
    assert sorted(future.result() for future in waiting) == [0, 1]


def test_a_command_that_ends_does_not_wait_for_it() -> None:
    code = (
        "import time\n"
        "from sanproof.verify.work.executors import Beside\n"
        "Beside().submit(time.sleep, 120)\n"
        "raise SystemExit(5)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == 5


class _Held(Executor):
    """Does the work when it is told to, in the order in which it came; or ``soon``, as it comes."""

    def __init__(self) -> None:
        self.soon = False
        self.tasks: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = Future()
        self.tasks.append((future, lambda: fn(*args, **kwargs)))
        if self.soon:
            self.do_next()
        return future

    def do_next(self) -> None:
        future, call = self.tasks.pop(0)
        try:
            future.set_result(call())
        except Failure as error:
            future.set_exception(error)


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_what_is_behind_leaves_room_for_others(at_once: int) -> None:
    held = _Held()
    results = Behind(held, at_once).map(divmod, range(10), [3] * 10)
    done = []
    for _ in range(10):
        assert len(held.tasks) <= at_once
        mine = held.submit(len, "abc")
        while not mine.done():  # it waits for those that were there before, and for no more
            assert len(held.tasks) <= at_once + 1
            held.do_next()
        done.append(mine.result())
    while held.tasks:
        held.do_next()
    assert done == [3] * 10
    assert list(results) == [divmod(n, 3) for n in range(10)]


def test_errors_arrive_and_the_rest_goes_on() -> None:
    with process_pool(1) as pool:
        behind = Behind(pool, 2)
        failing, following = behind.submit(_fail), [behind.submit(abs, -n) for n in range(5)]
        with pytest.raises(Failure, match="no such thing"):
            failing.result()
        assert [future.result() for future in following] == list(range(5))


def test_what_nobody_wants_any_more_is_left_out() -> None:
    held = _Held()
    behind = Behind(held, 1)
    first, *others = [behind.submit(abs, -n) for n in range(4)]
    assert not first.cancel()  # it was handed on
    assert others[0].cancel()
    assert others[2].cancel()
    while held.tasks:
        held.do_next()
    assert [first.result(), others[1].result()] == [0, 2]


def test_thousands_that_are_done_at_once() -> None:
    held = _Held()
    behind = Behind(held, 1)
    futures = [behind.submit(abs, -n) for n in range(5000)]
    held.soon = True
    held.do_next()
    assert [future.result(timeout=60) for future in futures] == list(range(5000))


def test_what_is_behind_fails_with_its_workers() -> None:
    pool = ProcessExecutor(1)
    behind = Behind(pool, 1)
    waiting: list[Future[Any]] = [behind.submit(os._exit, 1)]
    waiting += [behind.submit(abs, -n) for n in range(5)]
    for future in waiting:
        with pytest.raises(BrokenProcessPool):
            future.result(timeout=60)
    pool.kill()


def test_one_worker_is_this_process_and_several_are_others() -> None:
    with own_hands(1) as (executor, workers):
        assert workers == 1
        assert executor.submit(os.getpid).result() == os.getpid()
    with own_hands(2) as (executor, workers):
        assert workers == 2
        assert executor.submit(os.getpid).result() != os.getpid()
