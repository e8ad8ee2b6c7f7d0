"""Tries forgeries of every kind, and prints how many were caught: ``python -m tests.forgeries``.

The exit code is 1 if one was not.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from tests.forgeries import bombs
from tests.forgeries.covers import with_cover
from tests.forgeries.kinds import KINDS
from tests.forgeries.model import (
    NotCaught,
    Runs,
    audit_files,
    check_caught,
    fast_audits,
    make_runs,
    read_files,
    scene_of,
)


class Row(NamedTuple):
    """A line of the table: a kind, how often it was tried, and what was wrong."""

    kind: str
    tried: int
    wrong: list[str]


def read_runs(directory: Path) -> Runs:
    """The runs that were made in a directory; the one with games gets a cover. Each is audited."""
    runs = Runs(*(read_files(directory / name) for name in Runs._fields))
    runs = runs._replace(played=with_cover(runs.played))
    for files in runs:
        audit_files(files)  # or nothing that follows says anything
    return runs


def try_kinds(runs: Runs, count: int, seed: int) -> Iterator[Row]:
    """Forge the runs so many times in each way, and say what was not caught."""
    for name, kind in KINDS.items():
        wrong = []
        for number in range(count):
            try:
                check_caught(kind(scene_of(runs, name, number, seed)))
            except NotCaught as error:
                wrong.append(f"{name} {number}: {error}")
        yield Row(name, count, wrong)


def drop_bombs(directory: Path) -> Iterator[Row]:
    """Drop all bombs once."""
    for group in bombs.GROUPS:
        for kind, wrong in bombs.not_caught(directory, group).items():
            yield Row(f"bomb: {kind}", 1, [f"{kind}: {wrong}"] if wrong else [])


def line_of(row: Row) -> str:
    """A line of the table: how many forgeries of a kind were tried, and how many caught."""
    return f"{row.kind:<56} {row.tried:>6} {row.tried - len(row.wrong):>6}"


def show(rows: Iterable[Row]) -> list[str]:
    """Print each line of the table as soon as it is known; what was wrong comes back."""
    tried, wrong = 0, []
    click.echo(f"{'forgery':<56} {'tried':>6} {'caught':>6}")
    for row in rows:
        tried += row.tried
        wrong += row.wrong
        click.echo(line_of(row))
    click.echo(line_of(Row("all", tried, wrong)))
    return wrong


def main() -> int:
    """Print the table; the exit code is 1 if anything was not caught."""
    parser = argparse.ArgumentParser(prog="python -m tests.forgeries", description=__doc__)
    parser.add_argument("--count", metavar="N", type=int, default=5, help="tries of each kind")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="what chance begins with")
    arguments = parser.parse_args()
    started = time.perf_counter()
    with fast_audits(), TemporaryDirectory() as temporary:
        make_runs(Path(temporary))
        runs = read_runs(Path(temporary))
        tried = try_kinds(runs, arguments.count, arguments.seed)
        wrong = show(chain(tried, drop_bombs(Path(temporary))))
    click.echo(f"seed {arguments.seed}, {time.perf_counter() - started:.0f} s")
    for line in wrong:
        click.echo(line, err=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
