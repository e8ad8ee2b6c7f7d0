"""The directory of a job: which files in it are its own. Nothing else is touched."""

import hashlib
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from sanproof.verify.errors import Failure, failure


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


def check_names(directory: Path, names: Iterable[str], ours: Collection[str], work: str) -> None:
    """Refuse to write files of these names if something is there that the job did not write.

    Raises:
        Failure: There is such a file.
    """
    for name in names:
        path = directory / name
        if os.path.lexists(path) and name not in ours:
            raise Failure(
                f"{path} is not a file of this {work}, and would be overwritten: "
                "move it away, or use another DIR."
            )


def hash_of(path: Path) -> str | None:
    """Return the SHA-256 of a file in hexadecimal; None if there is no such file."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
