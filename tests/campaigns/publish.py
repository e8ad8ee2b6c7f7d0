"""Publishes a finished run: ``python -m tests.campaigns.publish RUN FOLDER``.

What a run packed in little time is packed as small as xz can, and the manifest has the new hashes.
Files that are large and not packed are published packed; their hashes are those of the files before
they were. The counts of how often each string was played, which stand in the folder
too (:mod:`reports.archive.observed`), stay as they are.
"""

import hashlib
import json
import lzma
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.observed import open_observed
from sanproof.reports.tables import names
from sanproof.reports.tables.files import csv_table, write_whole
from sanproof.reports.tables.outputs import packed_as
from sanproof.verify.claims.manifest import read_manifest

SMALLEST = 9 | lzma.PRESET_EXTREME


def publish(run: Path, folder: Path) -> list[str]:
    """Copy the files of a finished run into a folder; other files there are removed.

    Folders beside them, such as the conformance suite's, are left as they are; and so are the files
    of counts of played strings.

    Returns:
        The names of the files in the folder.

    Raises:
        OSError: The run is not finished, or the folder cannot be written.
        EvidenceError: The manifest is damaged.
        ArchiveError: The counts that are in the folder are damaged.
        ValueError: The counts name a string that is not in the run's list.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest = read_manifest((run / names.MANIFEST).read_bytes())
    published: list[str] = []
    if observed := open_observed(folder):
        files = observed.files()
        proven = (run / names.FULL_LIST).read_text("ascii").split("\n")
        if foreign := sorted({*observed.times} - {*proven}):
            raise ValueError(f"{foreign[0]} was seen in a game: it is wrong, or the list of {run}")
        published += files
    for name in manifest.files:
        content = (run / name).read_bytes()
        if name.endswith(".xz"):
            content = packed_as(name, lzma.decompress(content), SMALLEST)
            manifest.files[name] = hashlib.sha256(content).hexdigest()
        packed = names.PUBLISHED_AS.get(name, name)
        if packed != name:
            content = packed_as(packed, content, SMALLEST)
        write_whole(folder / packed, content)
        published.append(packed)
    write_whole(folder / names.MANIFEST, manifest.sealed())
    published.append(names.MANIFEST)
    for path in folder.iterdir():
        if path.name not in published and path.is_file():
            path.unlink()
    return sorted(published)


def make_observed(
    times: Iterable[tuple[str, int]], source: Mapping[str, Any], licence: bytes
) -> dict[str, bytes]:
    """Return the three files of counts, from strings in any order and how often each was played.

    ``source`` has the entries of ``observed.json`` but for those that are computed; ``licence`` is
    the text of the counts' licence.
    """
    rows = sorted(times, key=lambda row: list_order(row[0]))
    table = packed_as(names.OBSERVED, csv_table("san,times", (f"{san},{n}" for san, n in rows)))
    made = {names.OBSERVED: table, names.OBSERVED_LICENCE: licence}
    computed = {
        "moves": sum(n for _, n in rows),
        "strings": len(rows),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in made.items()},
    }
    content = (json.dumps({**source, **computed}, indent=2) + "\n").encode("ascii")
    return made | {names.OBSERVED_SOURCE: content}


if __name__ == "__main__":
    sys.stdout.write("\n".join(publish(*map(Path, sys.argv[1:]))) + "\n")
