"""Groups of commands whose modules are imported when a command is asked for."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

import click

from sanproof.verify.commands.help import Context

_LONGEST_SENTENCE: Final = 300
_LONGEST_MISTAKE: Final = 40
"""A mistyped name that is longer gets no suggestion: the search takes the square of its length."""
version_option = click.version_option(package_name="sanproof", message="%(package)s %(version)s")


class NobodyReads(Exception):
    """In place of a BrokenPipeError, of which the library would make exit code 1, a "no"."""


@contextmanager
def _broken_pipes_kept() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise NobodyReads from error


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is asked for."""

    context_class = Context

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **options: Any) -> None:  # noqa: ANN401
        """Take, for each command, the module of this package and the attribute that it is."""
        super().__init__(*arguments, **options)
        self._modules = modules

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
        return sorted(self._modules)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The command of this name, None if there is none."""
        if name not in self._modules:
            return None
        module, attribute = self._modules[name].split(":")
        command: click.Command = getattr(
            import_module(f"sanproof.verify.commands.{module}"), attribute
        )
        command.context_class = Context
        if not any("--version" in parameter.opts for parameter in command.params):
            version_option(command)
        return command

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named; a name that is mistyped gets a suggestion."""
        name = arguments[0]
        if name not in self._modules and len(name) <= _LONGEST_MISTAKE:
            near = [
                f"'{found}'" for found in get_close_matches(name.lower(), self._modules, cutoff=0.7)
            ]
            if near:
                context.fail(f"No such command {name!r}. Did you mean {' or '.join(near)}?")
        return super().resolve_command(context, arguments)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with the first sentence of its help, however long that is."""
        names = self.list_commands(context)
        if names:
            with formatter.section("Commands"):
                formatter.write_dl([(name, self._sentence(context, name)) for name in names])

    def _sentence(self, context: click.Context, name: str) -> str:
        command = self.get_command(context, name)
        return "" if command is None else command.get_short_help_str(limit=_LONGEST_SENTENCE)
