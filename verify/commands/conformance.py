"""``sanproof conformance``: a test suite of SAN that every chess library can run."""

from pathlib import Path
from typing import Final

import click

from sanproof.verify.commands.lazy import LazyCommands

_PREFIX: Final = "conformance_"
SUBCOMMANDS: Final = {
    path.stem.removeprefix(_PREFIX): f"{path.stem}:command"
    for path in Path(__file__).parent.glob(f"{_PREFIX}*.py")
}
"""The subcommand NAME is in the file ``conformance_NAME.py`` beside this one."""


@click.group("conformance", commands=LazyCommands(SUBCOMMANDS))
def command() -> None:
    """Test how a chess library reads and writes SAN.

    A suite of cases is written to files by `export`. A small program, the adapter, connects the
    library to `run`, which sends it the cases and judges its answers.

    \b
    Try:
      sanproof conformance run python-chess
      sanproof conformance export --out suite
    """  # noqa: D301
