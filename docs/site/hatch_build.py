"""The package's words on PyPI: its addresses, and a README whose links lead there.

They are those of the repository whose workflow builds it, or that the clone is of. A package that
is built elsewhere has none.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

_FROM_GITHUB: Final = "../../"
"""The README's prefix for pages that GitHub makes, such as badges, wherever the repository is."""

GITHUB: Final = "https://github.com"
_ORIGIN: Final = re.compile(
    r"(?:https://github\.com/|(?:ssh://)?git@github\.com[:/])([\w-]+/[\w.-]+?)(?:\.git)?/?"
)


class Addresses(MetadataHookInterface):
    """Makes the addresses and the README from the repository's address."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add what `dynamic` in pyproject.toml leaves to this hook."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if repository := repository_of(Path(self.root)):
            metadata["urls"] = urls(repository)
            text = absolute(text, repository, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


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


def absolute(readme: str, repository: str, tag: str) -> str:
    """Make a README's relative links and pictures lead to the repository, as it was at a tag."""

    def replaced(found: re.Match[str]) -> str:
        picture, text, target = found.groups()
        if target.startswith(_FROM_GITHUB):
            address = f"{repository}/{target.removeprefix(_FROM_GITHUB)}"
        else:
            address = f"{repository}/{'raw' if picture else 'blob'}/{tag}/{target}"
        return f"{picture}[{text}]({address})"

    inner = r"(?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*"
    once = re.sub(r"(!)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)", replaced, readme)
    return re.sub(rf"(?<!!)()\[({inner})\]\((?!https?:|#)([^)\s]+)\)", replaced, once)
