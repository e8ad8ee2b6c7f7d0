"""Options that several commands have, and how they are read."""

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    import chess

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""What adds an option to a command."""

CORES: Final = os.cpu_count() or 1


def named_directory(_: click.Context, __: click.Parameter, value: str | None) -> Path | None:
    """A directory if one was named; a name that is empty would silently be this directory."""
    if value == "":
        raise click.BadParameter("the name is empty")
    return None if value is None else Path(value)


def position_of(_: click.Context, __: click.Parameter, fen: str | None) -> "chess.Board | None":
    """The position of a FEN if one was given; a BadParameter if it is not one of a legal game."""
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
    """An address of a form that dask connects to; its workers are then not ours to count."""
    if value is None:
        return None
    if not _is_address(value):
        raise click.BadParameter(f"{value!r} is not of the form tcp://HOST:PORT or tls://HOST:PORT")
    if context.get_parameter_source("workers") == ParameterSource.COMMANDLINE:
        raise click.BadParameter("the workers are those of the cluster: leave out --workers")
    return value


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        whole = f"{parts.scheme}://{parts.netloc}" == text and parts.username is None
        return whole and parts.scheme in {"tcp", "tls"} and bool(parts.hostname and parts.port)
    except ValueError:  # the port is no number, or a bracket is missing
        return False


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    callback=scheduler_address,
    help="Hand the work to a cluster: the address of a scheduler of dask, such as "
    "tcp://127.0.0.1:8786. Needs the extra `cluster`.",
)


run_option = click.option(
    "--run",
    "directory",
    metavar="DIR",
    callback=named_directory,
    help="A finished run directory, instead of the published data.",
)


EARLIER_NAMES: Final = {"suite": "cover", "no-suite": "no-cover"}

with_earlier_names: Final = {"token_normalize_func": lambda name: EARLIER_NAMES.get(name, name)}
"""Context settings of commands that still understand the names which options and tables had."""


only_option = click.option(
    "--only",
    metavar="PATTERN",
    help="Decide the strings that match a shell pattern, such as 'Q*d4' or '*=N#'.",
)


def level_option(help_text: str) -> Option:
    """``--level``: which conformance suite."""
    return click.option(
        "--level",
        type=click.Choice(["smoke", "core", "full"]),
        default="core",
        show_default=True,
        help=help_text,
    )


def _seconds(_: click.Context, __: click.Parameter, value: float) -> float:
    if math.isnan(value):  # which lies in every range
        raise click.BadParameter("nan is no number of seconds.")
    return value


def timeout_option(default: float, help_text: str, most: float = 86_400) -> Option:
    """``--timeout``: the seconds that something may take, as `timeout_seconds`."""
    return click.option(
        "--timeout",
        "timeout_seconds",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True, max=most),
        callback=_seconds,
        default=default,
        show_default=True,
        help=help_text,
    )


def format_option(forms: Sequence[str], help_text: str = "What to print.") -> Option:
    """``--format``, as `form`; by default the first."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help=help_text,
    )


def limit_option(default: int, help_text: str) -> Option:
    """``--limit``: of how many things a form for people shows all."""
    return click.option(
        "--limit",
        metavar="N",
        type=click.IntRange(min=0),
        default=default,
        show_default=True,
        help=help_text,
    )
