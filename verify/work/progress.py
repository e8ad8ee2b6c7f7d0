"""Shows on a terminal how far work is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import click


@contextmanager
def progress(phase: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show how much of a phase is done; call what is yielded when more is.

    Nothing is shown where standard error is no terminal, as in a build's log.
    """
    with click.progressbar(
        count(),
        length=total,
        label=phase,
        show_pos=total is None,
        width=20,
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    ) as bar:
        yield bar.update
