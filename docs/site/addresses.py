"""The addresses of the project: those of the repository whose workflow builds, or the package's.

The package has them from pyproject.toml.
"""

import os
import subprocess
from functools import cache
from importlib.metadata import metadata
from pathlib import Path

from docs.site.hatch_build import urls

ROOT = Path(__file__).parents[2]


@cache
def _urls() -> dict[str, str]:
    if slug := os.environ.get("GITHUB_REPOSITORY"):
        return urls(f"{os.environ['GITHUB_SERVER_URL']}/{slug}")
    found = metadata("sanproof").get_all("Project-URL") or []
    return dict(line.split(", ", 1) for line in found)


def repository() -> str:
    """Return the repository."""
    return _urls()["Repository"]


def site() -> str:
    """Return the site, with a slash at its end."""
    return _urls()["Homepage"]


def slug() -> str:
    """Return the owner and the name of the repository, as actions are named."""
    return "/".join(repository().split("/")[-2:])


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
