"""The command line: finds the command, and prints what is wrong with its arguments.

A command's module is imported when it is asked for, so that each command starts fast.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from verify.commands.ending import plain, run_to_end, tell_lost
from verify.commands.help import Context
from verify.errors import MISUSE
from verify.width import filled

COMMANDS: Final = {
    "verify": "verify:command",
    "games": "games:command",
    "generate": "generate:command",
    "audit": "audit:command",
    "report": "report:command",
    "explain": "explain:command",
    "gate": "gate:command",
    "export": "export:command",
    "find": "find:command",
    "position": "positions:position",
    "positions": "positions:positions",
    "read": "notation:read",
    "write": "notation:write",
}
"""For each command the module of this package and the attribute that it is."""

EXIT_CODES: Final = (
    "Exit codes: 0 yes or done, 1 no, 2 called wrongly or unreadable input, 3 undecided, 4 could "
    "not finish, 128 and the number of a signal that ended the command (130 for Ctrl-C)."
)

_LONGEST_SENTENCE: Final = 300
version_option = click.version_option(package_name="sanproof", message="%(package)s %(version)s")


class _NobodyReads(Exception):
    """In place of a BrokenPipeError, of which the library would make exit code 1, a "no"."""


@contextmanager
def _broken_pipes_kept() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise _NobodyReads from error


class Commands(click.Group):
    """A group that imports a command's module only when the command is asked for."""

    context_class = Context

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:  # noqa: ANN401
        """Read the arguments, and print the help that they ask for."""
        with _broken_pipes_kept():
            return super().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:  # noqa: ANN401 - as in the library
        """Run the command."""
        with _broken_pipes_kept():
            return super().invoke(context)

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of the commands, in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The command of this name, None if there is none."""
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name].split(":")
        command: click.Command = getattr(import_module(f"verify.commands.{module}"), attribute)
        command.context_class = Context
        if not any("--version" in parameter.opts for parameter in command.params):
            version_option(command)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with the first sentence of its help, however long that is."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._sentence(context, name)) for name in sorted(COMMANDS)])

    def _sentence(self, context: click.Context, name: str) -> str:
        command = self.get_command(context, name)
        return "" if command is None else command.get_short_help_str(limit=_LONGEST_SENTENCE)


@click.group(
    cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@version_option
def cli() -> None:
    """Which SAN strings (Nf3, exd8=Q+, Qb6e3#) can occur in a legal chess game?

    sanproof decides every string of the grammar with a constraint solver: it finds a position for
    each that can occur, and a refutation for each that cannot.

    \b
    Try:
      sanproof explain 'Qa1b2#'         one string, with its board or its reason
      sanproof verify --out run         all 1,119,750 strings
      sanproof audit run                check that run again, without a solver
      sanproof report run               a page that looks strings up, of that run
      sanproof generate --out lists     the lists, from geometry alone
      sanproof gate san_strings.txt     is somebody's list exactly right?
    """  # noqa: D301 - click takes the character


def main() -> NoReturn:
    """Run the command line; every failure becomes a sentence on standard error."""
    run_to_end(_run)


def _run() -> int:
    threading.excepthook = lambda lost: tell_lost(lost.exc_value)
    try:
        return cli.main(standalone_mode=False) or 0
    except _NobodyReads as error:
        raise BrokenPipeError from error
    except click.exceptions.Abort as error:  # the library makes it of Ctrl-C, and of nothing else
        raise KeyboardInterrupt from error
    except click.ClickException as error:
        _show_misuse(error)
        return MISUSE


def _show_misuse(error: click.ClickException) -> None:
    """How the command is used, and in the last line what is wrong."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    lines = []
    if context is not None:
        command = f"{context.command_path} {context.help_option_names[-1]}"
        lines += [context.get_usage(), f"Try '{command}' for help.", ""]
    message = f"Error: {plain(error.format_message())}"
    lines.append(filled(message) if sys.stderr.isatty() else message)
    with suppress(OSError):  # standard error is full: nobody reads it
        click.echo("\n".join(lines), err=True)
