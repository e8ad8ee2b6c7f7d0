"""The two published files, byte for byte: one string a line, LF between lines, none at the end."""

# Not pathlib and not contextlib: importing them takes as long as making the lists.
# ruff: noqa: PTH105, PTH108, PTH113, PTH118, PTH120, PTH123, PTH208, SIM105

from __future__ import annotations

import errno
import fcntl
import os

from sanproof.generator.strings import both_lists

BARE_NAME = "san_strings.txt"
SUFFIXED_NAME = "san_strings_with_symbols.txt"
PREFIX, ENDING = ".sanproof-", ".tmp"
OTHER_CONTENT = "a file with other content exists; move it away, or name another folder with --out"


def file_bytes(texts: list[str]) -> bytes:
    """Return the strings as the content of a published file."""
    return "\n".join(texts).encode("ascii")


def published_files() -> dict[str, bytes]:
    """Return the content of each published file by name."""
    bare, suffixed = both_lists()
    return {BARE_NAME: file_bytes(bare), SUFFIXED_NAME: file_bytes(suffixed)}


def write_published_files(directory: str | os.PathLike[str]) -> list[str]:
    """Write both files into an existing directory and return their paths.

    Nothing of a user's is lost: a file that has one of the names, but other content, is left as
    it is, and then neither file is written.

    Raises:
        FileExistsError: There is another file of one of the names.
        OSError: A file could not be written; it is then absent or as it was before.
    """
    files = {os.path.join(directory, name): content for name, content in published_files().items()}
    missing = [path for path, content in files.items() if not _is_there(path, content)]
    for path in missing:
        write_atomically(path, files[path])
    return list(files)


def _is_there(path: str, content: bytes) -> bool:
    """Check whether a file has this content already; return False otherwise.

    Raises:
        FileExistsError: There is something else of this name.
    """
    if not os.path.lexists(path):
        return False
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if file.read(len(content) + 1) == content:
                return True
    raise FileExistsError(errno.EEXIST, OTHER_CONTENT, path)


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Give a file its content at once, whatever interrupts the writing.

    Raises:
        OSError: The content could not be written; the file is then absent or as it was before.
    """
    folder = os.path.dirname(path) or "."
    remove_leftovers(folder)
    handle, temporary = _create_in(folder)
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            os.replace(temporary, path)
    except BaseException:  # an interrupt must not leave the temporary file behind either
        try:
            os.unlink(temporary)
        except OSError:
            pass  # the first error says what went wrong
        raise


def remove_leftovers(folder: str) -> None:
    """Remove what a command that was killed had begun to write in a folder.

    What is being written at this moment stays: its writer holds a lock on it.
    """
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        if name.startswith(PREFIX) and name.endswith(ENDING):
            try:
                _remove_if_left(os.path.join(folder, name))
            except OSError:
                pass  # another process is writing it, or it is not ours to remove


def _remove_if_left(path: str) -> None:
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
    finally:
        os.close(handle)


def _create_in(folder: str) -> tuple[int, str]:
    """Return a new file, locked, so that no process takes it for a leftover."""
    while True:
        temporary = os.path.join(folder, f"{PREFIX}{os.urandom(6).hex()}{ENDING}")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            pass  # some network file systems have no locks
        if os.fstat(handle).st_nlink:
            return handle, temporary
        os.close(handle)  # removed before it was locked
