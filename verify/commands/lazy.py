"""Groups of commands whose modules are imported when a command is asked for."""

from collections import UserDict
from functools import cache
from importlib import import_module
from inspect import cleandoc
from typing import Any, Final, TypeVar

import click

C = TypeVar("C", bound=click.Command)

_MAX_SENTENCE: Final = 300
_EXAMPLES: Final = "\b\nTry:"
"""How the paragraph of a help text begins that most readers look for."""

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
