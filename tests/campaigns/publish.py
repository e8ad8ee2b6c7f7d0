"""Publishes a finished run: ``python -m tests.campaigns.publish RUN FOLDER``.

Files that are large and not packed are published packed; the manifest's hashes are those of the
files before they were. The counts of how often each string was played, which stand in the folder
too (:mod:`reports.archive.observed`), stay as they are.
"""

import gzip
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sanproof.proofs.board.malformed import is_san
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.door import ArchiveError
from sanproof.reports.archive.observed import open_observed, unproven
from sanproof.reports.tables import names
from sanproof.reports.tables.files import csv_table, gzipped, write_whole
from sanproof.reports.tables.outputs import packed_as


def publish(run: Path, folder: Path) -> list[str]:
    """Copy the files of a finished run into a folder; other files there are removed.

    Folders beside them, such as the conformance suite's, are left as they are; and so are the files
    of counts of played strings.

    Returns:
        The names of the files in the folder.

    Raises:
        OSError: The run is not finished, or the folder cannot be written.
        ArchiveError: The counts that are in the folder are damaged.
        ValueError: The counts name a string that is not in the run's list.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copied = [*json.loads((run / names.MANIFEST).read_bytes())["files"], names.MANIFEST]
    kept = open_observed(folder)
    published = check_observed(kept.files(), run) if kept else []
    for name in copied:
        packed = names.PUBLISHED_AS.get(name, name)
        content = (run / name).read_bytes()
        if packed != name:
            content = packed_as(packed, content, preset=9)
        write_whole(folder / packed, content)
        published.append(packed)
    for path in folder.iterdir():
        if path.name not in published and path.is_file():
            path.unlink()
    return sorted(published)


def check_observed(observed: Mapping[str, bytes], run: Path) -> list[str]:
    """Return the names of the files of counts, once every string in them is of the run's list.

    Raises:
        ValueError: One is not: it, or the theorem, is wrong.
    """
    rows = gzip.decompress(observed[names.OBSERVED]).decode("ascii").split("\n")[1:-1]
    seen = [row.partition(",")[0] for row in rows]
    if foreign := unproven(seen, (run / names.FULL_LIST).read_text("ascii").split("\n")):
        raise ValueError(
            f"{foreign[0]} was seen in a game and is not among the strings of {run}: "
            "one of the two is wrong"
        )
    return list(observed)


def make_observed(
    times: Iterable[tuple[str, int]], source: Mapping[str, Any], licence: bytes
) -> dict[str, bytes]:
    """Return the three files of counts, from strings in any order and how often each was played.

    ``source`` has the entries of ``observed.json`` but for those that are computed; ``licence`` is
    the text of the counts' licence.

    Raises:
        ValueError: They are no counts of SAN strings.
    """
    rows = sorted(times, key=lambda row: list_order(row[0]))
    if wrong := [san for san, n in rows if not is_san(san) or n < 1]:
        raise ValueError(f"{wrong[0]!a} has no count of a SAN string")
    if len({san for san, _ in rows}) < len(rows):
        raise ValueError("a string is there twice")
    table = gzipped(csv_table("san,times", (f"{san},{n}" for san, n in rows)))
    made = {names.OBSERVED: table, names.OBSERVED_LICENCE: licence}
    computed = {
        "moves": sum(n for _, n in rows),
        "strings": len(rows),
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in made.items()},
    }
    content = (json.dumps({**source, **computed}, indent=2) + "\n").encode("ascii")
    return made | {names.OBSERVED_SOURCE: content}


def main(run: Path, folder: Path) -> int:
    """Publish, and print the names of the files; 2 if that cannot be done."""
    try:
        written = publish(run, folder)
    except (ArchiveError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("\n".join(written) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
