"""The addresses of the project: those of its repository on GitHub, if the tree is of one."""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

GITHUB: Final = "https://github.com"
_ORIGIN: Final = re.compile(
    r"(?:https://github\.com/|(?:ssh://)?git@github\.com[:/])([\w-]+/[\w.-]+?)(?:\.git)?/?"
)


def repository_of(root: Path) -> str | None:
    """Return the address on GitHub of the repository that a tree is of; None if it has none."""
    if slug := os.environ.get("GITHUB_REPOSITORY"):
        return f"{os.environ.get('GITHUB_SERVER_URL', GITHUB)}/{slug}"
    if not (root / ".git").exists():
        return None
    asked = ("git", "-C", str(root), "config", "remote.origin.url")
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    origin = _ORIGIN.fullmatch(done.stdout.strip())
    return f"{GITHUB}/{origin[1]}" if origin else None


def urls(repository: str) -> dict[str, str]:
    """Return the project's addresses: the site is that of GitHub Pages for the repository."""
    owner, name = repository.split("/")[-2:]
    site = f"https://{owner}.github.io/{name}/"
    return {
        "Homepage": site,
        "Documentation": site,
        "Repository": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
    }
