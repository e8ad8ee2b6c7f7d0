"""Makes commands of functions, and the options that several commands have."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final

import click

from sanproof.verify.errors import Failure

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that adds an option to a command."""

CORES: Final = os.cpu_count() or 1


def command(function: Callable[..., Any]) -> click.Command:
    """Make a command of a function. Its help is the function's docstring."""
    return click.command(help=help_text(function.__doc__ or ""))(function)


def help_text(text: str) -> str:
    r"""Keep line breaks in paragraphs whose second line is indented, as click does after ``\b``."""
    return re.sub(r"(\A|\n\n)(?=\S.*\n +)", "\\1\b\n", cleandoc(text))


def _folder(value: str) -> Path:
    """Return the path of a folder, as the type of an option."""
    if value in {"", "-"}:
        raise click.BadParameter("it needs the name of a folder")
    return Path(value)


def _new_file(value: str) -> Path:
    """Return the path of a file to write, as the type of an option, before long work."""
    path = Path(value)
    if value in {"", "-"} or path.is_dir() or not path.absolute().parent.is_dir():
        raise click.BadParameter("it needs the name of a file in a folder that exists")
    return path


def _board(value: str) -> Any:  # noqa: ANN401 - a board, whose module is not loaded yet
    """Return the board of a FEN, as the type of an option."""
    from sanproof.verify.notation.position import FenError, board_of

    try:
        return board_of(value)
    except FenError as error:
        raise click.BadParameter(str(error)) from error


def _address(value: str) -> str:
    """Return an address to which dask connects, as the type of an option."""
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:[0-9]{1,5}", value):
        raise click.BadParameter(f"{value!r} is not of the form tcp://HOST:PORT or tls://HOST:PORT")
    return value


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Turn a ValueError into the Failure that ends the command with its message."""
    try:
        yield
    except (ValueError, click.BadParameter) as error:
        text = str(error).rstrip(".")
        raise Failure(f"{text[:1].upper()}{text[1:]}.") from error


workers = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 4 * CORES),
    default=CORES,
    show_default="one per core",
    help="The number of worker processes on this machine.",
)

scheduler = click.option(
    "--scheduler",
    metavar="ADDRESS",
    type=_address,
    help="Give the work to a cluster instead: the address of its dask scheduler, such as "
    "tcp://127.0.0.1:8786. Needs the extra `cluster`.",
)

only = click.option(
    "--only",
    metavar="PATTERN",
    help="Only the strings that match a shell pattern, such as 'Q*d4' or '*=N#'.",
)


def folder(
    name: str,
    text: str,
    variable: str = "folder",
    **settings: Any,  # noqa: ANN401 - as click takes them
) -> Option:
    """Make an option that names a folder."""
    usual: dict[str, Any] = {"metavar": "FOLDER", "type": _folder}
    return click.option(name, variable, help=text, **usual | settings)


run = folder(
    "--run", "Use the results of `sanproof verify` in this folder, not the published data.", "run"
)


def file(name: str, text: str, *, is_new: bool = False) -> Option:
    """Make an option that names a file to read, or a new one to write."""
    return click.option(name, metavar="FILE", type=_new_file if is_new else Path, help=text)


def flag(name: str, text: str) -> Option:
    """Make an option without a value."""
    return click.option(name, is_flag=True, help=text)


def fen(text: str, **settings: Any) -> Option:  # noqa: ANN401 - as click takes them
    """Make ``--fen``, whose value is the argument ``board``."""
    return click.option("--fen", "board", metavar="FEN", type=_board, help=text, **settings)


def choice(name: str, values: Sequence[str], text: str, **settings: Any) -> Option:  # noqa: ANN401
    """Make an option that takes one of the words in ``values``."""
    return click.option(name, type=click.Choice(values), help=text, **settings)


def form(forms: Sequence[str], text: str = "The output format.") -> Option:
    """Make ``--format``, whose value is the argument ``form``. The first form is the default."""
    return click.option("--format", "form", type=click.Choice(forms), default=forms[0], help=text)


def number(
    name: str,
    text: str,
    least: int | None = None,
    most: int | None = None,
    **settings: Any,  # noqa: ANN401 - as click takes them
) -> Option:
    """Make an option that takes a whole number in a range."""
    names = name, settings.pop("variable", name.removeprefix("--").replace("-", "_"))
    kind = click.INT if least is most is None else click.IntRange(least, most)
    usual: dict[str, Any] = {"metavar": "N", "type": kind}
    return click.option(*names, help=text, **usual | settings)


def timeout(default: int, text: str) -> Option:
    """Make ``--timeout``, whose value is the argument ``timeout_seconds``."""
    settings = {"metavar": "SECONDS", "default": default, "variable": "timeout_seconds"}
    return number("--timeout", text, 1, 1_000_000, **settings)


def limit(default: int, text: str) -> Option:
    """Make ``--limit``, the number of findings that the formats for people show."""
    return number("--limit", text, 0, default=default)
