"""What is done beside the main thread arrives, and keeps no command waiting."""

import os
import subprocess
import sys
import threading

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.work.executors import beside, own_hands


def _fail() -> None:
    raise Failure("no such thing")


def test_results_and_errors_arrive() -> None:
    assert beside(divmod, 7, 2).result() == (3, 1)
    with pytest.raises(Failure, match="no such thing"):
        beside(_fail).result()


def test_the_work_begins_at_once_and_side_by_side() -> None:
    both = threading.Barrier(2, timeout=30)  # broken if only one comes
    waiting = [beside(both.wait) for _ in range(2)]
    assert sorted(future.result() for future in waiting) == [0, 1]


def test_a_command_that_ends_does_not_wait_for_it() -> None:
    code = (
        "import time\n"
        "from sanproof.verify.work.executors import beside\n"
        "beside(time.sleep, 120)\n"
        "raise SystemExit(5)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == 5


def test_one_worker_is_this_process_and_several_are_others() -> None:
    with own_hands(1) as (executor, workers):
        assert workers == 1
        assert executor.submit(os.getpid).result() == os.getpid()
    with own_hands(2) as (executor, workers):
        assert workers == 2
        assert executor.submit(os.getpid).result() != os.getpid()
