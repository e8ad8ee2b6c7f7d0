"""Fetches the packages that ``packages.txt`` names, by hash, and unpacks the game files in them."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

LIST: Final = Path(__file__).parent / "packages.txt"
OWN_VERSIONS: Final = "Debian"
"""A distribution offers one version of a package: on another one it cannot be had."""
_TIMEOUT_SECONDS: Final = 600


class Package(NamedTuple):
    """A package, and the SHA-256 of its file: a source distribution on PyPI."""

    registry: str
    name: str
    version: str
    sha256: str

    @property
    def folder(self) -> str:
        """Where its game files go; not its version, so that explained differences stay."""
        return f"{self.registry}/{self.name.replace('/', '-')}"


class NotFetched(Exception):
    """A package cannot be had; the message says why, in a line."""


def read_list() -> list[Package]:
    """The packages of the list."""
    return [Package(*line.split()) for line in LIST.read_text("ascii").splitlines()]


def fetch(packages: list[Package], games: Path) -> list[Package]:
    """Fetch packages and unpack their game files below a folder; those that were fetched.

    Raises:
        NotFetched: One cannot be had, and it is none of a distribution's.
    """
    shutil.rmtree(games, ignore_errors=True)
    fetched = []
    for package in packages:
        try:
            _unpack(_download(package, games.parent / package.folder), games / package.folder)
        except NotFetched as error:
            if package.registry != OWN_VERSIONS:
                raise
            sys.stderr.write(f"NOT COMPARED: {error}\n")
        else:
            fetched.append(package)
    return fetched


def _download(package: Package, folder: Path) -> Path:
    """Have the registry's own client download a package."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command: tuple[str, ...]
    version = f"{package.name}{'@' if package.registry == 'npm' else '='}{package.version}"
    if package.registry == "PyPI":
        wanted = folder / "wanted.txt"
        wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
        pip = (sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation")
        command = (*pip, "--no-binary=:all:", "--require-hashes", "-r", wanted.name)
    elif package.registry == "npm":
        command = ("npm", "pack", "--silent", version)
    else:
        command = ("apt-get", "download", version)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotFetched(f"{version}: {error}") from error
    found = [path for path in folder.iterdir() if path.suffix in {".gz", ".tgz", ".deb"}]
    if done.returncode or len(found) != 1:
        last = (done.stderr.strip().splitlines() or ["nothing was downloaded"])[-1]
        raise NotFetched(f"{version}: {last}")
    if hashlib.sha256(found[0].read_bytes()).hexdigest() != package.sha256:
        raise NotFetched(f"{version} has another SHA-256 than {package.sha256}")
    return found[0]


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack the game files of a package."""
    whole = archive.parent / "whole"
    whole.mkdir()
    if archive.suffix == ".deb":
        subprocess.run(("dpkg-deb", "--extract", archive, whole), check=True)
    else:
        subprocess.run(("tar", "--extract", "--file", archive, "--directory", whole), check=True)
    for path in sorted(whole.rglob("*")):
        if path.is_file() and path.suffix.lower() == ".pgn":
            there = folder / path.relative_to(whole)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, there)
    shutil.rmtree(whole)
