"""``sanproof completion``: what makes a shell complete commands and options."""

import os
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from sanproof.reports.tables.files import write_whole
from sanproof.verify.commands.cli import COMPLETION, cli
from sanproof.verify.errors import Failure, failure

PLACES: Final = {
    "bash": ("XDG_DATA_HOME", ".local/share", "bash-completion/completions/sanproof"),
    "fish": ("XDG_CONFIG_HOME", ".config", "fish/completions/sanproof.fish"),
    "zsh": ("", ".zfunc", "_sanproof"),
}
"""Where a shell looks for a user's completions: a variable, or a folder at home, and the file."""
ZSH: Final = "zsh reads it once ~/.zshrc has, before compinit: fpath+=~/.zfunc"


@click.command("completion")
@click.argument("shell", type=click.Choice(list(PLACES)))
@click.option(
    "--install", is_flag=True, help="Write it to where SHELL looks for it, in your own folder."
)
def command(shell: str, *, install: bool) -> None:
    """Print what makes SHELL complete commands and options, or install it.

    bash reads it by itself if the package bash-completion is installed, and fish always does. A
    shell that is open already has to be opened again.

    \b
    Try:
      sanproof completion bash --install
      eval "$(sanproof completion bash)"
    """  # noqa: D301
    made = get_completion_class(shell)
    if made is None:
        raise Failure(f"the installed click completes nothing in {shell}.")
    # The script asks the command itself, so it names what there is.
    script = made(cli, {}, "sanproof", COMPLETION).source().strip()
    if not install:
        click.echo(script)
        return
    variable, usual, name = PLACES[shell]
    place = Path(os.environ.get(variable) or Path.home() / usual) / name
    try:
        if place.exists() and COMPLETION not in place.read_text("utf-8", "replace"):
            raise Failure(f"{place} holds something else: move it, or print and install by hand.")
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, f"{script}\n".encode())
    except OSError as error:
        raise failure(f"{place} cannot be written: {error.strerror}.", error) from error
    click.echo(f"Installed as {place}." + (f"\n{ZSH}" if shell == "zsh" else ""))
