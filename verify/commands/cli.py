"""The command line: its commands, grouped by purpose, and the answer to wrong arguments.

A command's module is imported only when it is needed, so that each command starts fast.
"""

import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from typing import Final

import click

from sanproof.verify.commands import options
from sanproof.verify.errors import MISUSE

GROUPS: Final = {
    "Strings": {"explain": "explain", "gate": "lists", "export": "export", "generate": "lists"},
    "Moves and games": {"read": "notation", "write": "notation", "scan": "scan"},
    "Libraries": {"conformance": "conformance"},
    "Positions": {"find": "find", "position": "find"},
    "The proof": {"verify": "runs", "audit": "runs", "report": "runs", "shorten": "runs"},
}
"""The commands by purpose, each with the module of this package that has it."""
MODULES: Final = {name: module for group in GROUPS.values() for name, module in group.items()}

QUESTION: Final = "Which SAN strings (Nf3, exd8=Q+, Qb6e3#) can occur in a legal chess game?"
EXAMPLES: Final = """\
Try:
  sanproof explain 'Ba1b2+'              can this string occur? why not?
  sanproof read 'Ng1-f3!'                which move is meant? what is its SAN?
  sanproof conformance run python-chess  does a library get SAN right?"""
EXIT_CODES: Final = """
Exit codes:
  0    success, or the answer is yes
  1    the answer is no
  2    wrong usage, or input that cannot be read
  3    undecided
  4    could not finish
  5    a game contradicts the theorem (scan)
  130  stopped with Ctrl-C (128 + n: stopped by signal n)"""

COMPLETION: Final = "_SANPROOF_COMPLETE"  # with which a shell asks click


class Commands(click.Group):
    """The program, whose help lists the commands by purpose."""

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """Import the command of this name."""
        if name not in MODULES:
            return None
        found: click.Command = getattr(import_module(f"{__package__}.{MODULES[name]}"), name)
        return found

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups of commands, then the options."""
        width = max(map(len, MODULES))
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                found = [(name, self.get_command(context, name)) for name in names]
                rows = [
                    (n.ljust(width), c.get_short_help_str(formatter.width)) for n, c in found if c
                ]
                formatter.write_dl(rows)
        click.Command.format_options(self, context, formatter)


@click.command(
    cls=Commands,
    commands={name: click.Command(name) for name in MODULES},  # what click may ask about
    invoke_without_command=True,
    help=options.help_text(f"{QUESTION}\n\n{EXAMPLES}"),
    epilog=options.help_text(EXIT_CODES),
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(package_name="sanproof", message="%(package)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Print the help if no command is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run() -> int:
    """Run the command that ``sys.argv`` names, and return its exit code.

    It is run without `cli.main`, which makes exit code 1, a "no", of a broken pipe.
    """
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


def _described(error: click.ClickException) -> str:
    """Say how the command is used, and in the last line what is wrong."""
    from sanproof.reports.escaping import plain
    from sanproof.verify.findings.width import fitted

    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.exceptions.NoArgsIsHelpError) and context is not None:
        return context.get_help()
    text = plain(" ".join(error.format_message().split()))
    text = text[:1].upper() + text[1:] + "." * (not text.endswith((".", "?", "?)")))
    usage = ""
    if context is not None:
        command = f"{context.command_path} {context.help_option_names[-1]}"
        usage = f"{context.get_usage()}\nTry '{command}' for help.\n\n"
        text += _meant(text)
    return usage + fitted(f"Error: {text}", stream=sys.stderr)


def _meant(message: str) -> str:
    """Ask whether another command was meant, where a string stands alone."""
    from sanproof.proofs.board.malformed import is_san

    named = re.match(r"No such command '(.+)'\.$", message)
    return f" Did you mean 'sanproof explain {named[1]}'?" if named and is_san(named[1]) else ""
