"""The directory of a run or a scan: which files in it are its own. Nothing else is touched."""

import hashlib
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from sanproof.verify.errors import Failure, failure

_PIECE_BYTES: Final = 1 << 20


def prepare(directory: Path, store_name: str, work: str) -> None:
    """Make a directory, or see that it is empty or holds a store, of such ``work`` as a run.

    Raises:
        Failure: The directory holds files and no store, or cannot be used.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        others = sorted(path.name for path in directory.iterdir())
    except OSError as error:
        why = f"{directory} cannot be a {work} directory: {error.strerror}."
        raise failure(why, error) from error
    if others and store_name not in others:
        some = ", ".join(others[:3]) + ", ..." * (len(others) > 3)
        raise Failure(
            f"{directory} holds other files ({some}): name an empty directory, or a new one."
        )


def check_no_links(directory: Path, names: Iterable[str]) -> None:
    """Refuse symbolic links of these names with a Failure: what they name may be anybody's."""
    for name in names:
        if (directory / name).is_symlink():
            raise Failure(f"{directory / name} is a symbolic link: remove it, or use another DIR.")


def check_names(directory: Path, names: Iterable[str], ours: Collection[str], work: str) -> None:
    """Refuse to write files of these names unless none exists, or they are the work's own.

    Raises:
        Failure: There is something that the work did not write, or a link, a pipe or the like.
    """
    for name in names:
        path = directory / name
        is_own = name in ours and not path.is_symlink() and (path.is_file() or path.is_dir())
        if os.path.lexists(path) and not is_own:
            raise Failure(
                f"{path} is not a file of this {work}, and would be overwritten: "
                "move it away, or use another DIR."
            )


def hash_of(path: Path) -> str | None:
    """Return the SHA-256 of a file in hexadecimal; None if there is no such file."""
    digest = hashed(path, None)
    return None if digest is None else digest.hexdigest()


def hashed(path: Path, size: int | None) -> "hashlib._Hash | None":
    """Return the SHA-256 of a file, or of its first ``size`` bytes, to go on with.

    None if there is no such file, or it is shorter.
    """
    if path.is_symlink() or not path.is_file():
        return None
    left = path.stat().st_size if size is None else size
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while left > 0 and (piece := file.read(min(left, _PIECE_BYTES))):
            digest.update(piece)
            left -= len(piece)
    return None if left else digest
