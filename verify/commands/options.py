"""Options that several commands have, and how they are read."""

import os
from pathlib import Path
from typing import Final

import click

CORES: Final = os.cpu_count() or 1


def named_directory(_: click.Context, __: click.Parameter, value: str | None) -> Path | None:
    """A directory if one was named; a name that is empty would silently be this directory."""
    if value == "":
        raise click.BadParameter("the name is empty")
    return None if value is None else Path(value)


def optional_directory(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Path | None:
    """A directory if one was named."""
    return None if value is None else named_directory(context, parameter, value)


workers_option = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 4 * CORES),
    default=CORES,
    show_default="one per core",
    help="Worker processes.",
)


run_option = click.option(
    "--run",
    "directory",
    metavar="DIR",
    callback=optional_directory,
    help="A finished run directory, instead of the published data.",
)


only_option = click.option(
    "--only",
    metavar="PATTERN",
    help="Decide the strings that match a shell pattern, such as 'Q*d4' or '*=N#'.",
)
