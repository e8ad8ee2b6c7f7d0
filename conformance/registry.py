"""The libraries that the scoreboard shows: ``registry.toml`` beside this module."""

import shlex
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sanproof.verify.conformance.asking import PYTHON_CHESS

HERE: Final = Path(__file__).parent
REGISTRY: Final = HERE / "registry.toml"
PINNED: Final = HERE / "pinned"
ADAPTERS: Final = HERE / "adapters"
SHARED: Final = ("answering.py", "answering.mjs")
"""The module that adapters of a language share; it stands beside each of them."""
REGISTRIES: Final = ("PyPI", "npm", "Debian")


@dataclass(frozen=True, slots=True)
class Library:
    """A library, how it is installed, and how it is asked; ``registry.toml`` says what is what."""

    name: str
    key: str
    registry: str
    version: str
    language: str
    adapter: str
    licence: str
    home: str
    settings: Sequence[Sequence[str]] = ((),)
    sha256: str = ""
    python: str = ""
    folder: str = ""
    program: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """The adapter, and what it shares with those in its language."""
        shared = (name for name in SHARED if Path(name).suffix == Path(self.adapter).suffix)
        own = PYTHON_CHESS if self.adapter == PYTHON_CHESS.name else ADAPTERS / self.adapter
        return (own, *(ADAPTERS / name for name in shared))

    def commands(self, environments: Path) -> list[str]:
        """The shell commands that start the adapter in its environment, one for each setting."""
        environment = environments.resolve() / self.key
        adapter = str(environment / self.adapter)
        if self.registry == "PyPI":
            start = [str(environment / "bin" / "python"), adapter]
        elif self.registry == "npm":
            start = ["node", adapter]
        elif self.program:
            start = [sys.executable, adapter, str(environment / self.program)]
        else:
            path = f"PYTHONPATH={environment / self.folder}"
            start = ["env", path, sys.executable, adapter]
        return [shlex.join([*start, *arguments]) for arguments in self.settings]


def read_registry(path: Path = REGISTRY) -> tuple[Library, ...]:
    """All libraries, in the order of the file; a TypeError if an entry is not of its form."""
    entries = tomllib.loads(path.read_text("utf-8"))["library"]
    return tuple(Library(**entry) for entry in entries)
