"""``sanproof completion``: a script with which a shell completes commands and options."""

import click
from click.shell_completion import get_completion_class

from sanproof.verify.commands.cli import COMPLETION, cli
from sanproof.verify.errors import Failure


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
def command(shell: str) -> None:
    """Print a script that completes commands and options in a shell.

    Evaluate it in the shell's startup file, or save it where the shell looks for completions.

    \b
    Try:
      sanproof completion bash
      eval "$(sanproof completion bash)"    in ~/.bashrc; likewise in ~/.zshrc
      sanproof completion fish > ~/.config/fish/completions/sanproof.fish
    """  # noqa: D301
    made = get_completion_class(shell)
    if made is None:
        raise Failure(f"The installed version of click has no completion for {shell}.")
    # The script asks the command itself, so it names what there is.
    click.echo(made(cli, {}, "sanproof", COMPLETION).source().strip())
