"""``sanproof completion``: a script with which a shell completes commands and options."""

import click
from click.shell_completion import get_completion_class

from sanproof.verify.commands.cli import COMPLETION, cli
from sanproof.verify.commands.options import command
from sanproof.verify.errors import Failure


@command
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
def completion(shell: str) -> None:
    """Print a completion script for bash, fish or zsh.

    Try:
      eval "$(sanproof completion bash)"
      sanproof completion fish > ~/.config/fish/completions/sanproof.fish

    The first line belongs in ~/.bashrc, or with zsh in ~/.zshrc.
    """
    made = get_completion_class(shell)
    if made is None:
        raise Failure(f"The installed version of click has no completion for {shell}.")
    # The script asks the command itself, so it names what there is.
    click.echo(made(cli, {}, "sanproof", COMPLETION).source().strip())
