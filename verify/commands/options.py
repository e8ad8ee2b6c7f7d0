"""Options that several commands have, and how they are read."""

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from sanproof.verify.errors import Failure

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that adds an option to a command."""

CORES: Final = os.cpu_count() or 1

_ADDRESS: Final = re.compile(
    r"(tcp|tls)://([^]\s/?#@:[]+|\[[0-9A-Fa-f:.]+\]):(?P<port>[0-9]{1,5})", re.ASCII
)


class Directory(click.Path):
    """The type of an option that names a directory; an empty name would be the current one."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:  # noqa: ANN401 - as click does
        """Return the path."""
        if value == "-" and not self.allow_dash:
            self.fail("a folder cannot be written to a pipe: name one", param, ctx)
        if value == "":
            self.fail("the name is empty", param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


class NewFile(click.Path):
    """The type of an option that names a file to write, checked before long work."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401
        """Return the path; None for the standard output, which ``-`` means."""
        if value == "-":
            if param is not None and param.name == "out":
                return None
            self.fail("name a file: standard output has the answer", param, ctx)
        path = Path(value)
        if not value or path.is_dir() or not path.absolute().parent.is_dir():
            self.fail("cannot be written: name a file in a folder that exists", param, ctx)
        return path


def position(value: str) -> Any:  # noqa: ANN401 - a board, whose module is not loaded yet
    """Return the board of a FEN, as the type of an option."""
    from sanproof.verify.notation.position import FenError, board_of

    try:
        return board_of(value)
    except FenError as error:
        raise click.BadParameter(str(error)) from error


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Have a ValueError end the command with what it says."""
    try:
        yield
    except (ValueError, click.BadParameter) as error:
        text = str(error).rstrip(".")
        raise Failure(f"{text[:1].upper()}{text[1:]}.") from error


workers_option = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 4 * CORES),
    default=CORES,
    show_default="one per core",
    is_eager=True,  # --scheduler looks at it
    help="The number of worker processes.",
)


def scheduler_address(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """Return an address of a form that dask connects to; its workers are not ours to count."""
    if value is None:
        return None
    found = _ADDRESS.fullmatch(value)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise click.BadParameter(f"{value!r} is not of the form tcp://HOST:PORT or tls://HOST:PORT")
    if context.get_parameter_source("workers") == ParameterSource.COMMANDLINE:
        raise click.BadParameter("the cluster has its own workers: leave out --workers")
    return value


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    callback=scheduler_address,
    help="Give the work to a cluster: the address of its dask scheduler, such as "
    "tcp://127.0.0.1:8786. Needs the extra `cluster`.",
)


only_option = click.option(
    "--only",
    metavar="PATTERN",
    help="Only the strings that match a shell pattern, such as 'Q*d4' or '*=N#'.",
)


def file_option(name: str, help_text: str, *, is_new: bool = False) -> Option:
    """Make an option that names a file to read, or a new one to write."""
    kind = NewFile() if is_new else click.Path(path_type=Path)
    return click.option(name, metavar="FILE", type=kind, help=help_text)


def directory_option(
    name: str,
    help_text: str,
    variable: str = "directory",
    **settings: Any,  # noqa: ANN401 - as click takes them
) -> Option:
    """Make an option that names a directory."""
    usual: dict[str, Any] = {"metavar": "DIR", "type": Directory()}
    return click.option(name, variable, help=help_text, **usual | settings)


def level_option(help_text: str) -> Option:
    """Make ``--level``: which conformance suite."""
    return click.option(
        "--level",
        type=click.Choice(["smoke", "core", "full"]),
        default="core",
        help=help_text,
    )


class Seconds(click.FloatRange):
    """The type of an option that takes a time in seconds."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:  # noqa: ANN401
        """Return the seconds."""
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):  # which lies in every range
            self.fail("nan is not a number of seconds.", param, ctx)
        return seconds


def timeout_option(default: float, help_text: str, most: float = 86_400) -> Option:
    """Make ``--timeout``: the seconds that something may take, as `timeout_seconds`."""
    return click.option(
        "--timeout",
        "timeout_seconds",
        metavar="SECONDS",
        type=Seconds(min=0, min_open=True, max=most),
        default=default,
        help=help_text,
    )


def format_option(forms: Sequence[str], help_text: str = "The output format.") -> Option:
    """Make ``--format``, as `form`; by default the first."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        help=help_text,
    )


def number_option(
    name: str,
    help_text: str,
    least: int | None = None,
    most: int | None = None,
    **settings: Any,  # noqa: ANN401 - as click takes them
) -> Option:
    """Make an option that takes a whole number in a range."""
    kind = click.INT if (least, most) == (None, None) else click.IntRange(least, most)
    usual: dict[str, Any] = {"metavar": "N", "type": kind}
    return click.option(name, help=help_text, **usual | settings)


def seed_option(help_text: str, metavar: str = "N") -> Option:
    """Make ``--seed``, which has a command draw at random."""
    return number_option("--seed", help_text, metavar=metavar)


def limit_option(default: int, help_text: str) -> Option:
    """Make ``--limit``: of how many things a form for people shows all."""
    return number_option("--limit", help_text, 0, default=default)


run_option = directory_option("--run", "A finished run directory, instead of the published data.")
