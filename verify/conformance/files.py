"""Reads anybody's suites and results in bounded memory."""

import json
import lzma
from pathlib import Path
from typing import Any, Final

from sanproof.reports.escaping import printable
from sanproof.verify.errors import Failure

MOST_OF_A_SUITE: Final = 1 << 27
"""The full suite has 107 MB."""
MOST_OF_RESULTS: Final = 1 << 24
"""The results of twenty libraries have 1.3 MB; a program's memory for JSON is up to thirty times
as large."""
MOST_PARTS: Final = 1 << 20
"""Objects and arrays: four times as many as the full suite has."""
MOST_COMMAS: Final = 1 << 23
"""Each value takes some eighty bytes, however short it is. The full suite has 3.2 million."""


def read_limited(path: Path, most_bytes: int) -> bytes:
    """Return the content of a file of JSON, unpacked if its name ends with ``.xz``.

    Raises:
        Failure: It is larger than any that we read, has too many parts, or is damaged.
        OSError: It cannot be read.
    """
    name = printable(str(path))
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file:
            content = file.read(most_bytes + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise Failure(f"{name} is not packed with xz, or is damaged.") from error
    if len(content) > most_bytes:
        raise Failure(f"{name} holds more than {most_bytes >> 20} MiB, which is too much.")
    if content.count(b"{") + content.count(b"[") > MOST_PARTS:
        raise Failure(f"{name} holds more than {MOST_PARTS:,} objects, which is too many.")
    if content.count(b",") > MOST_COMMAS:
        raise Failure(f"{name} holds more than {MOST_COMMAS:,} values, which is too many.")
    return content


def read_result(path: Path) -> Any:  # noqa: ANN401
    """Return the JSON of a result file, packed with xz or not; a Failure if it is none."""
    return json_of(path, read_limited(path, MOST_OF_RESULTS))


def json_of(path: Path, content: bytes) -> Any:  # noqa: ANN401
    """Return the JSON of a file's content; a Failure if it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{path} is not JSON.") from error
