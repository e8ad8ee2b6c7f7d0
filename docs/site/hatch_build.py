"""The package's words on PyPI: its addresses, and a README whose links lead there."""

import re
from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

_FROM_GITHUB: Final = "../../"
"""The README's prefix for pages that GitHub makes, such as badges, wherever the repository is."""


class Addresses(MetadataHookInterface):
    """Makes the addresses and the README from the one address in pyproject.toml."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add what `dynamic` in pyproject.toml leaves to this hook."""
        repository = self.config["repository"]
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["urls"] = urls(repository)
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(readme, repository, f"v{metadata['version']}"),
        }


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
