"""Reads suites and results: anybody's files in bounded memory, and the published ones."""

import hashlib
import json
import lzma
from pathlib import Path
from typing import Final

from sanproof.reports.escaping import printable
from sanproof.reports.scoreboard.contents import Scoreboard, read_scoreboard
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

EARLIER: Final = "suites"
"""The folder, beside this version's files, with earlier ones: ``LEVEL-VERSION.json.xz``."""


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


def suite_of_hash(folder: Path, level: str, sha256: str) -> bytes:
    """Return the suite of a level whose file has a hash; the newest if no published one has it."""
    newest = (folder / f"{level}.json").read_bytes()
    earlier = (folder / EARLIER).glob(f"{level}-*.json.xz")
    contents = (newest, *(lzma.decompress(path.read_bytes()) for path in sorted(earlier)))
    return next((c for c in contents if hashlib.sha256(c).hexdigest() == sha256), newest)


def kept_scoreboard(results: Path, data: Path) -> Scoreboard:
    """Return the scoreboard of a packed result file of the published suite."""
    content = json.loads(lzma.decompress(results.read_bytes()))
    asked = content["suite"]
    suite = suite_of_hash(data, asked["level"], asked["sha256"])
    sha256 = hashlib.sha256(suite).hexdigest()
    return read_scoreboard(json.loads(suite), sha256, [(results.name, content)], {})
