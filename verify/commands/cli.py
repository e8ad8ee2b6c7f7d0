"""The command line: finds the command, and turns what goes wrong into a sentence.

A command's module is imported when it is asked for, so that each command starts fast.
"""

import os
import sys
from importlib import import_module
from typing import Final, NoReturn

import click

from verify.errors import ANSWER_NO, INTERRUPTED, MISUSE, Failure

COMMANDS: Final = {
    "verify": "verify:command",
    "games": "games:command",
    "generate": "generate:command",
    "audit": "audit:command",
    "report": "report:command",
    "explain": "explain:command",
    "gate": "gate:command",
    "export": "export:command",
    "position": "positions:position",
    "positions": "positions:positions",
    "read": "notation:read",
    "write": "notation:write",
}
"""For each command the module of this package and the attribute that it is."""

EXIT_CODES: Final = "Exit codes: 0 yes or done, 1 no, 2 misuse or out of reach, 130 interrupted."


class Commands(click.Group):
    """A group that imports a command's module only when the command is asked for."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of the commands, in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The command of this name, None if there is none."""
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name].split(":")
        command: click.Command = getattr(import_module(f"verify.commands.{module}"), attribute)
        return command


@click.group(
    cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="sanproof", message="%(package)s %(version)s")
def cli() -> None:
    """Which SAN strings (Nf3, exd8=Q+, Qb6e3#) can occur in a legal chess game?

    sanproof decides every string of the grammar with a constraint solver: a witness position for
    each that can occur, a refutation for each that cannot.

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
    try:
        code = cli.main(standalone_mode=False) or 0
    except click.exceptions.Abort:
        code = _fail("Interrupted.", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        code = MISUSE
    except Failure as error:
        code = _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        code = _fail("Interrupted.", INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has had enough
        _discard_output()
        code = ANSWER_NO
    except OSError as error:
        if error.filename is None:
            _discard_output()
        code = _fail(f"{error.filename or 'The output'}: {error.strerror}.", MISUSE)
    except MemoryError:
        code = _fail("There is not enough memory.", MISUSE)
    sys.exit(code)


def end_interrupted() -> NoReturn:
    """End the process after Ctrl-C, on a line of its own."""
    click.echo(err=True)
    sys.exit(_fail("Interrupted.", INTERRUPTED))


def _discard_output() -> None:
    """Keep Python from writing once more as it ends, which would fail again, with exit code 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)  # names may hold any
    click.echo(f"sanproof: {plain}", err=True)
    return code
