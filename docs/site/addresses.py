"""The addresses of the project: those of its repository, or of this clone if it is of none."""

import subprocess
from functools import cache
from pathlib import Path

from docs.site.hatch_build import repository_of, urls

ROOT = Path(__file__).parents[2]


def repository() -> str:
    """Return the repository, from which pip and git can install."""
    return repository_of(ROOT) or ROOT.as_uri()


def site() -> str:
    """Return the site, with a slash at its end: without a repository, as Python serves it here."""
    found = repository_of(ROOT)
    return urls(found)["Homepage"] if found else "http://localhost:8000/"


def slug() -> str:
    """Return the owner and the name of the repository, as actions are named."""
    found = repository_of(ROOT)
    return "/".join(found.split("/")[-2:]) if found else ROOT.name


def source(kind: str, name: str) -> str:
    """Return the address of a file or folder as it was at the commit, of a kind that GitHub has."""
    found = repository_of(ROOT)
    return f"{found}/{kind}/{commit()}/{name}" if found else f"{repository()}/{name}"


@cache
def commit() -> str:
    """Return the commit that the site is built from."""
    command = ("git", "rev-parse", "HEAD")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def filled(text: str) -> str:
    """Return a page with the places in braces filled in."""
    values = {"slug": slug(), "repository": repository(), "commit": commit()}
    for name, value in values.items():
        text = text.replace(f"{{{{ {name} }}}}", value)
    return text
