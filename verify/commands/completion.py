"""``sanproof completion``: what makes a shell complete commands and options."""

import os
from pathlib import Path
from typing import Final

import click

from sanproof.verify.errors import Failure, failure

VARIABLE: Final = "_SANPROOF_COMPLETE"
ZSH: Final = "zsh reads it once ~/.zshrc has, before compinit: fpath+=~/.zfunc"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
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
    script = _script(shell)
    if not install:
        click.echo(script)
        return
    place = _place(shell)
    from sanproof.reports.tables.files import write_whole

    try:
        if place.exists() and VARIABLE not in place.read_text("utf-8", "replace"):
            raise Failure(f"{place} holds something else: move it, or print and install by hand.")
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, f"{script}\n".encode())
    except OSError as error:
        raise failure(f"{place} cannot be written: {error.strerror}.", error) from error
    click.echo(f"Installed as {place}." + (f"\n{ZSH}" if shell == "zsh" else ""))


def _script(shell: str) -> str:
    """The library's own script: it asks the command itself, so it names what there is."""
    from click.shell_completion import get_completion_class

    from sanproof.verify.commands.cli import cli

    made = get_completion_class(shell)
    if made is None:
        raise Failure(f"the installed click completes nothing in {shell}.")
    return made(cli, {}, "sanproof", VARIABLE).source().strip()


def _place(shell: str) -> Path:
    """Where a shell looks for a user's completions."""
    home = Path.home()
    match shell:
        case "bash":
            data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
            return data / "bash-completion" / "completions" / "sanproof"
        case "fish":
            config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
            return config / "fish" / "completions" / "sanproof.fish"
        case _:
            return home / ".zfunc" / "_sanproof"
