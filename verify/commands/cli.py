"""The command line: finds the command, and prints what is wrong with its arguments.

A command's module is imported when it is asked for, so that each command starts fast.
"""

import os
import re
import sys
import threading
from collections import UserDict
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import cleandoc
from textwrap import indent
from typing import Any, Final, TypeVar

import click

from sanproof.reports.escaping import plain
from sanproof.verify.commands.start import tell_lost
from sanproof.verify.errors import MISUSE
from sanproof.verify.findings.width import fitted

COMMANDS: Final = {
    "verify": "runs:verify",
    "generate": "generate:command",
    "audit": "runs:audit",
    "completion": "completion:command",
    "report": "report:command",
    "explain": "explain:command",
    "gate": "gate:command",
    "export": "export:command",
    "find": "find:command",
    "position": "positions:position",
    "positions": "positions:positions",
    "read": "notation:read",
    "write": "notation:write",
    "conformance": "conformance:command",
    "scan": "scan:command",
    "shorten": "shorten:command",
}
"""For each command the module of this package and the attribute that it is."""

EXIT_CODES: Final = (
    "Exit codes: 0 yes or done, 1 no, 2 misuse or unreadable input, 3 undecided, 4 could not "
    "finish, 5 a game refutes the theorem (scan), 128 + n ended by signal n (130: Ctrl-C)."
)

QUESTION: Final = "Which SAN strings (Nf3, exd8=Q+, Qb6e3#) can occur in a legal chess game?"
EXAMPLES: Final = """\
  sanproof explain 'Ba1b2+'              one string, with its game or a reason
  sanproof read 'Ng1-f3!'                what a text means, and its SAN
  sanproof conformance run python-chess  how a library reads and writes SAN
"""
FIRST_STEPS: Final = f"""\
{QUESTION} Try:

{EXAMPLES}
sanproof --help lists all commands; each has a --help that begins with an example."""
"""The answer to the command alone."""

COMPLETION: Final = "_SANPROOF_COMPLETE"
"""The variable with which a shell asks for completions."""


C = TypeVar("C", bound=click.Command)

_MAX_SENTENCE: Final = 300
_EXAMPLES: Final = "\b\nTry:"
"""The beginning of the paragraph of examples in a help text."""

version_option = click.version_option(package_name="sanproof", message="%(package)s %(version)s")


class LazyCommands(UserDict[str, Any]):
    """Maps names to commands, of which it holds modules and attributes, such as `gate:command`."""

    def __getitem__(self, name: str) -> click.Command:
        """Import the command of this name."""
        return _imported(super().__getitem__(name))


@cache
def _imported(place: str) -> click.Command:
    """Import a command, and add what all commands have."""
    module, attribute = place.split(":")
    command: click.Command = getattr(import_module(f"{__package__}.{module}"), attribute)
    return version_option(with_examples_first(command))


def with_examples_first(command: C) -> C:
    """Move the examples to the beginning of a command's help; keep its first sentence whole."""
    command.short_help = command.get_short_help_str(_MAX_SENTENCE)
    paragraphs = cleandoc(command.help or "").split("\n\n")
    command.help = "\n\n".join(sorted(paragraphs, key=lambda text: not text.startswith(_EXAMPLES)))
    return command


@with_examples_first
@click.group(
    commands=LazyCommands(COMMANDS),
    invoke_without_command=True,
    help=f"""{QUESTION}

    sanproof decides every string of the grammar with a constraint solver: it finds a position for
    each that can occur, and a refutation for each that cannot.

    \b
    Try:\n{indent(EXAMPLES, " " * 4)}""",
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@version_option
@click.pass_context
def cli(context: click.Context) -> None:
    """Print the first steps if no command is named."""
    if context.invoked_subcommand is None:
        click.echo(FIRST_STEPS)


def run() -> int:
    """Run the command that ``sys.argv`` names, and return its exit code.

    It is run without `cli.main`, which makes exit code 1, a "no", of a broken pipe.
    """
    threading.excepthook = lambda lost: tell_lost(lost.exc_value)
    if instruction := os.environ.get(COMPLETION):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "sanproof", COMPLETION, instruction)
    try:
        with cli.make_context("sanproof", sys.argv[1:]) as context:
            cli.invoke(context)
            return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        with suppress(OSError):  # standard error is full
            click.echo(_described(error), err=True)
        return MISUSE


def _meant(message: str, command: str | None) -> str:
    """Return the command that was meant where a string or a table stands alone; else nothing."""
    from sanproof.proofs.board.malformed import is_san

    match re.findall(r"^(No such command|Got unexpected extra argument) \(?'?([^')]+)", message):
        case [("No such command", text)] if message.endswith("'.") and is_san(text):
            return f" Did you mean 'sanproof explain {text}'?"
        case [(_, text)] if command == "export":
            return f" Did you mean '--what {plain(text)}'?"
    return ""


def _described(error: click.ClickException) -> str:
    """Say how the command is used, and in the last line what is wrong."""
    text = error.format_message()
    if isinstance(error, click.MissingParameter):  # its choices are on lines of their own
        text = " ".join(text.split())
    text = plain(text)
    sentence = f"Error: {text[:1].upper()}{text[1:]}" + "." * (not text.endswith((".", "?", "?)")))
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return fitted(sentence, stream=sys.stderr)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return context.get_help()
    sentence = fitted(sentence + _meant(text, context.command.name), stream=sys.stderr)
    command = f"{context.command_path} {context.help_option_names[-1]}"
    return f"{context.get_usage()}\nTry '{command}' for help.\n\n{sentence}"
