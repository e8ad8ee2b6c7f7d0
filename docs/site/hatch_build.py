"""The package's words on PyPI: its addresses, and a README whose links lead there.

They are those of the repository whose workflow builds it, or that the clone is of. A package that
is built elsewhere has none.
"""

import re
import sys
from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).parents[2]))  # hatchling runs this file by its path

from docs.site.addresses import repository_of, urls

_FROM_GITHUB: Final = "../../"
"""The README's prefix for pages that GitHub makes, such as badges, wherever the repository is."""


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
