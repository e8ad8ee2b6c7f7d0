"""The published suites: this version's, and earlier ones of which results are kept."""

import hashlib
import json
import lzma
from pathlib import Path
from typing import Final

from sanproof.reports.scoreboard.contents import Scoreboard, read_scoreboard

EARLIER: Final = "suites"
"""The folder, beside this version's files, with earlier ones: ``LEVEL-VERSION.json.xz``."""


def suite_of_hash(folder: Path, level: str, sha256: str) -> bytes:
    """The suite of a level whose file has a hash; this version's if no published one has it."""
    newest = (folder / f"{level}.json").read_bytes()
    earlier = (folder / EARLIER).glob(f"{level}-*.json.xz")
    contents = (newest, *(lzma.decompress(path.read_bytes()) for path in sorted(earlier)))
    return next((c for c in contents if hashlib.sha256(c).hexdigest() == sha256), newest)


def kept_scoreboard(results: Path, data: Path) -> Scoreboard:
    """The scoreboard of a packed result file of the published suite."""
    content = json.loads(lzma.decompress(results.read_bytes()))
    asked = content["suite"]
    suite = suite_of_hash(data, asked["level"], asked["sha256"])
    sha256 = hashlib.sha256(suite).hexdigest()
    return read_scoreboard(json.loads(suite), sha256, [(results.name, content)], {})
