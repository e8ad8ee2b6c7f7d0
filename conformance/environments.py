"""Installs the libraries of the survey.

Each library gets an environment of its own in the folder: a virtual environment, a folder of npm's
packages, or the content of a Debian package, with the adapter in it. Nothing is installed without a
hash in ``pinned.json`` or ``registry.toml``. If a library cannot be installed, ``installed.json``
in the folder has the reason, and the others are installed.
"""

import hashlib
import json
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.asking import PYTHON_CHESS

HERE: Final = Path(__file__).parent
REGISTRY: Final = HERE / "registry.toml"
PINNED: Final = HERE / "pinned.json"
"""The packages that npm installs (its package-lock.json) by key, or that pip installs, and those
that pip needs to build them: requirements with their hashes."""
ADAPTERS: Final = HERE / "adapters"
SHARED: Final = ("answering.py", "answering.mjs")
"""The modules that adapters of a language share; they are copied beside each adapter."""
REGISTRIES: Final = ("PyPI", "npm", "Debian")
INSTALLED: Final = "installed.json"
"""The file with each library's key, and the reason if it is not installed, or an empty text."""

TIMEOUT_SECONDS: Final = 900
_NEWEST_PYTHON: Final = 14
_PIP: Final = ("-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
_LOCKED: Final = ("--require-hashes", "--no-build-isolation", "-r")


@dataclass(frozen=True, slots=True)
class Library:
    """A library, with how it is installed and run. ``registry.toml`` explains the entries."""

    name: str
    key: str
    registry: str
    version: str
    language: str
    adapter: str
    licence: str
    home: str
    release: str = ""
    settings: Sequence[Sequence[str]] = ((),)
    sha256: str = ""
    python: str = ""
    folder: str = ""
    program: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """The adapter, and the module that adapters in its language share."""
        shared = (name for name in SHARED if Path(name).suffix == Path(self.adapter).suffix)
        own = PYTHON_CHESS if self.adapter == PYTHON_CHESS.name else ADAPTERS / self.adapter
        return (own, *(ADAPTERS / name for name in shared))

    def commands(self, environments: Path) -> list[str]:
        """Return the shell commands that start the adapter in its environment, one per setting."""
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
    """Read all libraries, in the file's order. Raises a TypeError if an entry has another form."""
    content = tomllib.loads(path.read_text("utf-8"))
    newest = f"the newest on {content['looked_up']}"
    releases = {"PyPI": newest, "npm": newest, "Debian": content["debian"]}
    return tuple(
        Library(**{"release": releases[entry["registry"]]} | entry) for entry in content["library"]
    )


class NotInstalled(Exception):
    """A library cannot be installed. The message is a line with the reason."""


def install(library: Library, folder: Path) -> None:
    """Make the environment of a library from scratch, or raise a NotInstalled if it cannot be."""
    environment = folder / library.key
    shutil.rmtree(environment, ignore_errors=True)
    environment.mkdir(parents=True)
    {"PyPI": _from_pypi, "npm": _from_npm, "Debian": _from_debian}[library.registry](
        library, environment
    )
    for path in library.files:
        shutil.copy(path, environment)


def _from_pypi(library: Library, environment: Path) -> None:
    _run([_python(library.python), "-I", "-m", "venv", str(environment)])
    python = str(environment / "bin" / "python")
    pinned = json.loads(PINNED.read_bytes())[library.key]
    for kind in ("build", "pip"):
        lines = [" --hash=".join((name, *hashes)) for name, hashes in pinned.get(kind, {}).items()]
        if lines:
            path = environment / f"{kind}.txt"
            path.write_text("\n".join(lines), "utf-8")
            _run([python, *_PIP, *_LOCKED, str(path)])


def _from_npm(library: Library, environment: Path) -> None:
    lock = json.loads(PINNED.read_bytes())[library.key]["npm"]
    for name, content in (("package-lock", lock), ("package", lock["packages"][""])):
        (environment / f"{name}.json").write_text(json.dumps(content), "utf-8")  # npm compares them
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    _run(["npm", "ci", *quiet], environment)


def _from_debian(library: Library, environment: Path) -> None:
    package, version = library.key, library.version
    _run(["apt-get", "download", f"{package}={version}"], environment)
    (file,) = environment.glob(f"{package}_*.deb")
    if hashlib.sha256(file.read_bytes()).hexdigest() != library.sha256:
        raise NotInstalled(f"{package} {version} has another SHA-256 than {library.sha256}")
    _run(["dpkg-deb", "--extract", str(file), str(environment)])


def _python(least: str) -> str:
    """Return a Python that is new enough: this one, or one that is installed beside it."""
    wanted = int(least.removeprefix("3.") or 0)
    if sys.version_info >= (3, wanted):
        return sys.executable
    for minor in range(wanted, _NEWEST_PYTHON + 1):
        if found := shutil.which(f"python3.{minor}"):
            return found
    raise NotInstalled(f"it needs Python {least}, which is not installed")


def _run(command: Sequence[str], folder: Path | None = None) -> None:
    """Run a command; if it fails, the message of NotInstalled is the last line that it wrote."""
    try:
        made = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotInstalled(f"{command[0]} cannot be run: {error}") from error
    if made.returncode:
        said = made.stdout.strip().splitlines() or [f"exit code {made.returncode}"]
        raise NotInstalled(f"{Path(command[0]).name}: {said[-1]}")


def main(folder: Path, keys: Sequence[str] = ()) -> None:
    """Install all libraries, or those with these keys, and record why one is not installed."""
    path = folder / INSTALLED
    found = json.loads(path.read_bytes()) if path.exists() else {}
    for library in read_registry():
        if keys and library.key not in keys:
            continue
        try:
            install(library, folder)
            found[library.key] = ""
        except (NotInstalled, OSError) as error:
            found[library.key] = str(error)
        sys.stderr.write(f"{library.key} {library.version}: {found[library.key] or 'installed'}\n")
    write_whole(path, (json.dumps(found, indent=1) + "\n").encode())
