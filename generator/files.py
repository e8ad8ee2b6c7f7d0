"""The two published files, byte for byte: one string a line, LF between lines, none at the end."""

import errno
import os
from pathlib import Path

from sanproof.generator.strings import both_lists

BARE_NAME, SUFFIXED_NAME = "san_strings.txt", "san_strings_with_symbols.txt"
OTHER_CONTENT = "a file with other content exists; move it away, or name another folder with --out"


def published_files() -> dict[str, bytes]:
    """Return the content of each published file by name."""
    bare, suffixed = ("\n".join(strings).encode("ascii") for strings in both_lists())
    return {BARE_NAME: bare, SUFFIXED_NAME: suffixed}


def write_published_files(directory: str | os.PathLike[str]) -> list[str]:
    """Write both files into an existing directory and return their paths.

    Raises:
        FileExistsError: One of the names is taken by other content; neither file is written.
        OSError: A file could not be written; what had its name before is still there.
    """
    files = {Path(directory, name): content for name, content in published_files().items()}
    for path, content in files.items():
        if os.path.lexists(path) and not (path.is_file() and path.read_bytes() == content):
            raise FileExistsError(errno.EEXIST, OTHER_CONTENT, str(path))
    for path, content in files.items():
        temporary = path.with_name(f".sanproof-{os.getpid()}.tmp")
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return list(map(str, files))
