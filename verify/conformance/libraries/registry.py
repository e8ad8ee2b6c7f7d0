"""The libraries that the scoreboard shows: ``registry.toml`` beside this module."""

import shlex
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
REGISTRY: Final = HERE / "registry.toml"
PINNED: Final = HERE / "pinned"
ADAPTERS: Final = HERE / "adapters"
SHARED: Final = ("answering.py", "answering.mjs")
"""What adapters of a language share; it stands beside each of them."""
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
    settings: tuple[tuple[str, ...], ...] = ((),)
    python: str = ""
    folder: str = ""
    program: str = ""
    reproduce: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[Path, ...]:
        """The adapter, and what it shares with those in its language."""
        shared = (name for name in SHARED if Path(name).suffix == Path(self.adapter).suffix)
        return tuple(ADAPTERS / name for name in (self.adapter, *shared))

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
    libraries = []
    for entry in entries:
        settings = tuple(tuple(arguments) for arguments in entry.pop("settings", [[]]))
        libraries.append(Library(settings=settings, **entry))
    return tuple(libraries)


def built_in_adapters() -> dict[str, Path]:
    """The adapters that need nothing but a library which is installed beside sanproof, by name."""
    return {
        Path(library.adapter).stem.rstrip("_").replace("_", "-"): ADAPTERS / library.adapter
        for library in read_registry()
        if library.registry == "PyPI"
    }


def shell_command(text: str) -> str:
    """What starts an adapter: a shell command, or the name of one of :func:`built_in_adapters`."""
    path = built_in_adapters().get(text)
    return text if path is None else shlex.join([sys.executable, str(path)])
