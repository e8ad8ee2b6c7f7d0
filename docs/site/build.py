"""Builds the site: ``python -m docs.site.build OUT``.

Sphinx makes it of the pages in docs/ and of some of the repository's. The page of
`sanproof report` and the scoreboard stand beside, as they are. It takes a minute or two.
"""

import argparse
import inspect
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import click

import sanproof
from docs.site.addresses import repository_of
from sanproof.verify.commands.cli import cli

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
OF_THE_REPOSITORY: Final = ("TRUST.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
BESIDE: Final = {"look-up": ("sanproof", "report"), "scoreboard": ("conformance.scoreboard",)}
"""Folders of the site that a command makes."""


def main(arguments: list[str]) -> None:
    """Build it in a folder that is not there, or that an earlier build made."""
    parser = argparse.ArgumentParser(prog="python -m docs.site.build", description=__doc__)
    parser.add_argument("out", type=Path)
    out: Path = parser.parse_args(arguments).out.resolve()
    if out.exists() and not (out / "objects.inv").exists():
        sys.exit(f"{out} is no earlier site: name a folder that does not exist.")
    with tempfile.TemporaryDirectory() as work:
        source, made = Path(work) / "source", Path(work) / "site"
        gather(source)
        sphinx = ("sphinx", "--fail-on-warning", "--quiet", "--conf-dir", str(HERE))
        _run("The pages", *sphinx, str(source), str(made))
        for name, command in BESIDE.items():
            _run(f"{name}/", *command, "--out", str(made / name))
        shutil.rmtree(made / ".doctrees", ignore_errors=True)
        (made / ".nojekyll").touch()  # folders that begin with an underscore are published too
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(made, out)
    sys.stdout.write(f"{out / 'index.html'}\n")


def _run(what: str, *module: str) -> None:
    sys.stderr.write(f"{what} ...\n")
    subprocess.run((sys.executable, "-m", *module), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def gather(source: Path) -> None:
    """Put all pages into a new folder, for Sphinx."""
    source.mkdir(parents=True)
    pages = [*sorted((ROOT / "docs").glob("*.md")), *(ROOT / name for name in OF_THE_REPOSITORY)]
    for path in (*pages, HERE / "index.md"):
        (source / path.name).write_text(linked(path), encoding="utf-8")
    for folder in ("pictures", "tables", "programs"):
        shutil.copytree(ROOT / "docs" / folder, source / folder)
    (source / "commands.md").write_text(commands(), encoding="utf-8")
    (source / "api.md").write_text(python(), encoding="utf-8")


def linked(path: Path) -> str:
    """Return a page whose links lead to pages of the site, and to the repository for all else."""
    repository = repository_of(ROOT) or ROOT.as_uri()

    def replaced(found: re.Match[str]) -> str:
        target, _, anchor = found[1].partition("#")
        anchor = anchor and f"#{anchor}"
        place = (path.parent / target).resolve()
        if path.parent == HERE or place == ROOT / "README.md":
            return f"]({'index.md' if place == ROOT / 'README.md' else target}{anchor})"
        if place.suffix == ".md" and (
            place.parent == ROOT / "docs" or place.name in OF_THE_REPOSITORY
        ):
            return f"]({place.name}{anchor})"
        if place.is_relative_to(ROOT / "docs") and place.is_file():
            return f"]({place.relative_to(ROOT / 'docs').as_posix()})"
        name = place.relative_to(ROOT).as_posix() if place.is_relative_to(ROOT) else target
        kind = "tree" if place.is_dir() else "blob"
        return f"]({repository}/{kind}/main/{name}{anchor})"

    text = path.read_text(encoding="utf-8")
    slug = "/".join(repository.split("/")[-2:])
    for name, value in {"repository": repository, "slug": slug, "commit": commit()}.items():
        text = text.replace(f"{{{{ {name} }}}}", value)
    return re.sub(r"\]\((?!https?:|#)([^)\s]+)\)", replaced, text)


@cache
def commit() -> str:
    """Return the commit that the site is built from."""
    asked = ("git", "-C", str(ROOT), "rev-parse", "HEAD")
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def commands() -> str:
    """Return the help of each command, as the command prints it."""
    parts = ["# Commands", "", "*For those who type them: what `--help` prints.*", ""]
    for name, text in _helps(cli, "sanproof", None):
        parts += [f"## {name}", "", "```text", text, "```", ""]
    return "\n".join(parts)


def _helps(
    command: click.Command, name: str, parent: click.Context | None
) -> Iterator[tuple[str, str]]:
    shown = name.rpartition(" ")[2]
    settings = command.context_settings
    context = click.Context(command, parent, info_name=shown, terminal_width=80, **settings)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for other in command.list_commands(context):
            if found := command.get_command(context, other):
                yield from _helps(found, f"{name} {other}", context)


def python() -> str:
    """Return everything that `import sanproof` names, by Sphinx from the docstrings."""
    kinds: dict[str, list[str]] = {"Functions": [], "Types": []}
    for name in dir(sanproof):
        item = getattr(sanproof, name)
        if name.startswith("_") or not getattr(item, "__module__", "").startswith("sanproof."):
            continue
        if inspect.isclass(item):
            kinds["Types"].append(f".. autoclass:: {item.__module__}.{name}\n   :members:\n")
        elif callable(item):
            kinds["Functions"].append(f".. autofunction:: sanproof.api.{name}\n")
    parts = ["# Python", "", "*For programs and notebooks: what `import sanproof` names.*", ""]
    for title, items in kinds.items():
        parts += [f"## {title}", "", "```{eval-rst}", *items, "```", ""]
    return "\n".join(parts)


if __name__ == "__main__":
    main(sys.argv[1:])
