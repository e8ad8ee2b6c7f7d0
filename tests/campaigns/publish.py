"""Publishes a finished run: ``python -m tests.campaigns.publish RUN FOLDER``.

Files that are large and not packed are published packed; the manifest's hashes are those of the
files before they were.

How often each string was played stands in the folder too (:mod:`reports.archive.observed`). These
counts are kept, or replaced by those of ``--observed FILE``, a CSV table of ``san,times`` and any
further columns. Without RUN only they are replaced. ``--source`` names a JSON file that says where
they come from, and ``--licence`` the text of their licence; both stay as they are if not named.
"""

import argparse
import csv
import gzip
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sanproof.proofs.board.malformed import is_san
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.door import ArchiveError
from sanproof.reports.archive.observed import Observed, open_observed, unproven
from sanproof.reports.tables import names
from sanproof.reports.tables.files import csv_table, gzipped, write_whole
from sanproof.reports.tables.outputs import packed_as


def publish(run: Path, folder: Path, observed: Mapping[str, bytes] | None = None) -> list[str]:
    """Copy the files of a finished run into a folder; other files there are removed.

    Folders beside them, such as the conformance suite's, are left as they are; and so are the files
    of counts of played strings, unless others are given as ``observed``.

    Returns:
        The names of the files in the folder.

    Raises:
        OSError: The run is not finished, or the folder cannot be written.
        ArchiveError: The counts that are in the folder are damaged.
        ValueError: The counts name a string that is not in the run's list.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copied = [*json.loads((run / names.MANIFEST).read_bytes())["files"], names.MANIFEST]
    if observed is None:
        kept = open_observed(folder)
        observed = kept.files() if kept else {}
    published = write_observed(observed, run, folder)
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


def write_observed(observed: Mapping[str, bytes], run: Path, folder: Path) -> list[str]:
    """Write the files of counts into a folder, once every string in them is one of the run's list.

    Raises:
        ValueError: One is not: it, or the theorem, is wrong.
    """
    if not observed:
        return []
    rows = gzip.decompress(observed[names.OBSERVED]).decode("ascii").split("\n")[1:-1]
    seen = [row.partition(",")[0] for row in rows]
    if foreign := unproven(seen, (run / names.FULL_LIST).read_text("ascii").split("\n")):
        raise ValueError(
            f"{foreign[0]} was seen in a game and is not among the strings of {run}: "
            "one of the two is wrong"
        )
    for name, content in observed.items():
        write_whole(folder / name, content)
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


def read_counts(
    table: Path, source: Path | None, licence: Path | None, before: Observed | None
) -> dict[str, bytes]:
    """Return the files of counts, from a published table.

    The table is CSV with a header; the string and how often it was played stand first in each row.
    Where the counts come from (JSON), or the text of their licence, is None to keep what the folder
    has, which is ``before``.

    Raises:
        ValueError: One of the files does not hold what it should, or is missing.
    """
    kept = before.files() if before else {}
    try:
        described = json.loads(source.read_bytes() if source else kept[names.OBSERVED_SOURCE])
        text = licence.read_bytes() if licence else kept[names.OBSERVED_LICENCE]
    except KeyError as error:
        need = "the folder has no counts yet: name --source and --licence as well"
        raise ValueError(need) from error
    with table.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        try:
            return make_observed([(san, int(n)) for san, n, *_ in rows], described, text)
        except ValueError as error:
            raise ValueError(f"{table} {error}") from error


def main(arguments: Sequence[str]) -> int:
    """Publish, and print the names of the files; 2 if that cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.publish")
    parser.add_argument("run", nargs="?", type=Path, help="a finished run")
    parser.add_argument("folder", type=Path, help="the data folder")
    parser.add_argument("--observed", type=Path, metavar="FILE", help="counts: san,times")
    parser.add_argument("--source", type=Path, metavar="FILE", help="where they come from (JSON)")
    parser.add_argument("--licence", type=Path, metavar="FILE", help="the text of their licence")
    given = parser.parse_args(arguments)
    if given.observed is None and (given.run is None or given.source or given.licence):
        parser.error("name a RUN, counts with --observed FILE, or both")
    try:
        observed = None
        if given.observed is not None:
            before = open_observed(given.folder)
            observed = read_counts(given.observed, given.source, given.licence, before)
        if given.run is None:
            written = write_observed(observed or {}, given.folder, given.folder)
        else:
            written = publish(given.run, given.folder, observed)
    except (ArchiveError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("\n".join(written) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
