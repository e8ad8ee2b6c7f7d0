"""Gathers the pages of the site: those of docs/ and of the repository, and those that are made."""

import hashlib
import inspect
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from docs.site.addresses import ROOT, filled, source
from docs.site.quiz import questions
from docs.site.strings import answer_of, board_of
from sanproof.reports.archive.door import open_archive

OF_THE_REPOSITORY: Final = ("TRUST.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def gather(source: Path) -> None:
    """Put all pages into a folder, for Sphinx."""
    source.mkdir(parents=True)
    for path in (*sorted((ROOT / "docs").glob("*.md")), *(ROOT / n for n in OF_THE_REPOSITORY)):
        page = filled(path.read_text(encoding="utf-8"))
        (source / path.name).write_text(_linked(page, path), encoding="utf-8")
    for folder in ("pictures", "tables", "programs"):
        shutil.copytree(ROOT / "docs" / folder, source / folder)
    for path in (Path(__file__).parent / "pages").glob("*.md"):
        text = filled(path.read_text(encoding="utf-8"))
        for name, made in (("%QUIZ%", quiz), ("%BOARD%", shown_first)):
            text = text.replace(name, made()) if name in text else text
        (source / path.name).write_text(text, encoding="utf-8")
    (source / "commands.md").write_text(commands(), encoding="utf-8")
    (source / "api.md").write_text(api(), encoding="utf-8")
    (source / "downloads.md").write_text(downloads(), encoding="utf-8")


def quiz() -> str:
    """Return the questions, as JSON that can stand in a script of a page."""
    return json.dumps(questions()).replace("<", "\\u003c")


def shown_first() -> str:
    """Return the board of the home page."""
    return board_of(answer_of(open_archive(), "Ba1b2+"))


def _linked(text: str, path: Path) -> str:
    """Return a page whose links lead to pages of the site, and to the repository for all else."""

    def replaced(found: re.Match[str]) -> str:
        target, _, anchor = found[1].partition("#")
        place = (path.parent / target).resolve()
        if place == ROOT / "README.md":
            return "](index.md)"
        if place.suffix == ".md" and (
            place.parent == ROOT / "docs" or place.name in OF_THE_REPOSITORY
        ):
            return f"]({place.name}{anchor and '#' + anchor})"
        if place.is_relative_to(ROOT / "docs") and place.is_file():
            return f"]({place.relative_to(ROOT / 'docs').as_posix()})"
        kind = "tree" if place.is_dir() else "blob"
        name = place.relative_to(ROOT).as_posix()
        return f"]({source(kind, name)}{anchor and '#' + anchor})"

    return re.sub(r"\]\((?!https?:|#)([^)\s]+)\)", replaced, text)


def commands() -> str:
    """Return the help of each command, as the command prints it."""
    from sanproof.verify.commands.cli import cli  # noqa: PLC0415

    parts = ["# Commands", "", "*For those who type them: what `--help` prints.*", ""]
    for name, text in _helps(cli, "sanproof", None):
        parts += [f"## {name}", "", "```text", text, "```", ""]
    return "\n".join(parts)


def _helps(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[tuple[str, str]]:
    context = click.Context(
        command,
        info_name=name.rpartition(" ")[2],
        parent=parent,
        terminal_width=80,
        **command.context_settings,
    )
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for other in command.list_commands(context):
            found = command.get_command(context, other)
            if found is not None:
                yield from _helps(found, f"{name} {other}", context)


def api() -> str:
    """Return everything that `import sanproof` names, by Sphinx from the docstrings."""
    from sanproof import api as module  # noqa: PLC0415

    kinds: dict[str, list[str]] = {"Functions": [], "Types": []}
    for name in module.__all__:
        item = getattr(module, name)
        if inspect.isclass(item):
            kinds["Types"].append(f".. autoclass:: {item.__module__}.{name}\n   :members:\n")
        elif callable(item):
            kinds["Functions"].append(f".. autofunction:: sanproof.api.{name}\n")
    parts = ["# Python", "", "*For programs and notebooks: what `import sanproof` names.*", ""]
    parts += ["```{eval-rst}", ".. automodule:: sanproof.api", "   :no-members:", "```", ""]
    for title, items in kinds.items():
        parts += [f"## {title}", "", "```{eval-rst}", *items, "```", ""]
    return "\n".join(parts)


def downloads() -> str:
    """Return the published files, with their sizes and hashes."""
    rows = []
    for path in sorted((ROOT / "data").rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            name = path.relative_to(ROOT).as_posix()
            link = source("raw", name)
            size, digest = f"{len(content):,}", hashlib.sha256(content).hexdigest()
            name = path.relative_to(ROOT / "data").as_posix()
            rows.append(f"| [`{name}`]({link}) | {size} | `{digest}` |")
    head = [
        "# Downloads",
        "",
        "*For those who want the files: what each is, says [The data](data.md).*",
    ]
    table = ["", "| file | bytes | SHA-256 |", "| --- | ---: | --- |", *rows, ""]
    return "\n".join([*head, *table])
