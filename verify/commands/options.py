"""Options that several commands have, and how they are read."""

import math
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    import chess

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that adds an option to a command."""

CORES: Final = os.cpu_count() or 1

_ADDRESS: Final = re.compile(
    r"(tcp|tls)://([^]\s/?#@:[]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})", re.ASCII
)


def named_directory(_: click.Context, __: click.Parameter, value: str | None) -> Path | None:
    """Return a directory if one was named; an empty name would silently be this directory."""
    if value == "":
        raise click.BadParameter("the name is empty")
    return None if value is None else Path(value)


def position_of(_: click.Context, __: click.Parameter, fen: str | None) -> "chess.Board | None":
    """Return the position of a FEN if one was given; a BadParameter if it is wrong."""
    if fen is None:
        return None
    from sanproof.verify.notation.position import FenError, board_of

    try:
        return board_of(fen)
    except FenError as error:
        raise click.BadParameter(str(error)) from error


workers_option = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 4 * CORES),
    default=CORES,
    show_default="one per core",
    is_eager=True,  # --scheduler looks at it
    help="Worker processes.",
)


def scheduler_address(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """Return an address of a form that dask connects to; its workers are not ours to count."""
    if value is None:
        return None
    found = _ADDRESS.fullmatch(value)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise click.BadParameter(f"{value!r} is not of the form tcp://HOST:PORT or tls://HOST:PORT")
    if context.get_parameter_source("workers") == ParameterSource.COMMANDLINE:
        raise click.BadParameter("the workers are those of the cluster: leave out --workers")
    return value


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    callback=scheduler_address,
    help="Hand the work to a cluster: the address of a scheduler of dask, such as "
    "tcp://127.0.0.1:8786. Needs the extra `cluster`.",
)


EARLIER_NAMES: Final = {"suite": "cover", "no-suite": "no-cover"}

with_earlier_names: Final = {"token_normalize_func": lambda name: EARLIER_NAMES.get(name, name)}
"""Context settings of commands that still understand the names which options and tables had."""


only_option = click.option(
    "--only",
    metavar="PATTERN",
    help="Decide the strings that match a shell pattern, such as 'Q*d4' or '*=N#'.",
)


def file_option(name: str, help_text: str) -> Option:
    """Make an option that names a file."""
    return click.option(name, metavar="FILE", type=click.Path(path_type=Path), help=help_text)


def directory_option(
    name: str,
    help_text: str,
    variable: str = "directory",
    **settings: Any,  # noqa: ANN401 - as click takes them
) -> Option:
    """Make an option that names a directory."""
    settings.setdefault("metavar", "DIR")
    return click.option(name, variable, callback=named_directory, help=help_text, **settings)


def level_option(help_text: str) -> Option:
    """Make ``--level``: which conformance suite."""
    return click.option(
        "--level",
        type=click.Choice(["smoke", "core", "full"]),
        default="core",
        help=help_text,
    )


def _seconds(_: click.Context, __: click.Parameter, value: float) -> float:
    if math.isnan(value):  # which lies in every range
        raise click.BadParameter("nan is no number of seconds.")
    return value


def timeout_option(default: float, help_text: str, most: float = 86_400) -> Option:
    """Make ``--timeout``: the seconds that something may take, as `timeout_seconds`."""
    return click.option(
        "--timeout",
        "timeout_seconds",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True, max=most),
        callback=_seconds,
        default=default,
        help=help_text,
    )


def format_option(forms: Sequence[str], help_text: str = "What to print.") -> Option:
    """Make ``--format``, as `form`; by default the first."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        help=help_text,
    )


def limit_option(default: int, help_text: str) -> Option:
    """Make ``--limit``: of how many things a form for people shows all."""
    return click.option(
        "--limit",
        metavar="N",
        type=click.IntRange(min=0),
        default=default,
        help=help_text,
    )


run_option = directory_option("--run", "A finished run directory, instead of the published data.")
