"""Shows the progress of work: one changing line on a terminal, or else a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from sanproof.verify.findings.width import columns_of

SECONDS_BETWEEN_LINES: Final = 10.0
_CLEAR_REST: Final = "\x1b[K"


def percentage(done: float, total: float) -> str:
    """Return the part that is done in percent."""
    return f"{done / (total or 1):.0%}"


@contextmanager
def progress(
    phase: str, total: float, text: Callable[[float, float], str] = percentage
) -> Iterator[Callable[[float], None]]:
    """Show the progress of a phase on standard error, and yield a function that advances it."""
    columns = columns_of(sys.stderr)
    pause = SECONDS_BETWEEN_LINES if columns is None else 0.1
    done, shown = 0.0, time.monotonic()

    def show() -> None:
        line = f"{phase}: {text(done, total)}"
        sys.stderr.write(
            f"{line}\n" if columns is None else f"\r{line[: columns - 1]}{_CLEAR_REST}"
        )
        sys.stderr.flush()

    def advance(more: float) -> None:
        nonlocal done, shown
        done += more
        if time.monotonic() - shown >= pause:
            shown = time.monotonic()
            show()

    if columns is not None:
        show()
    try:
        yield advance
    finally:
        if columns is not None:
            sys.stderr.write(f"\r{_CLEAR_REST}")
