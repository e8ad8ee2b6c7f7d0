"""The two published files, byte for byte: one string a line, LF between lines, none at the end."""

# Not pathlib: importing it takes as long as making the lists.
# ruff: noqa: PTH105, PTH108, PTH118, PTH123

from __future__ import annotations

import os

from generator.strings import both_lists

BARE_NAME = "san_strings.txt"
SUFFIXED_NAME = "san_strings_with_symbols.txt"


def file_bytes(texts: list[str]) -> bytes:
    """The strings as the content of a published file."""
    return "\n".join(texts).encode("ascii")


def published_files() -> dict[str, bytes]:
    """The content of each published file by name."""
    bare, suffixed = both_lists()
    return {BARE_NAME: file_bytes(bare), SUFFIXED_NAME: file_bytes(suffixed)}


def write_published_files(directory: str | os.PathLike[str]) -> list[str]:
    """Write both files into an existing directory and return their paths.

    Raises:
        OSError: A file could not be written; it is then absent or as it was before.
    """
    paths = []
    for name, content in published_files().items():
        path = os.path.join(directory, name)
        write_atomically(path, content)
        paths.append(path)
    return paths


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Give a file its content at once, whatever interrupts the writing.

    Raises:
        OSError: The content could not be written; the file is then absent or as it was before.
    """
    temporary = f"{os.fspath(path)}.{os.urandom(6).hex()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:  # an interrupt must not leave the temporary file behind either
        try:  # noqa: SIM105, importing contextlib takes as long again
            os.unlink(temporary)
        except OSError:
            pass  # the first error tells what went wrong
        raise
