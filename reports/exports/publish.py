"""Publishes a finished run: ``python -m reports.exports.publish RUN FOLDER`` fills the data folder.

Files that are large and not packed are published as ``name.xz``; the manifest's hashes are those
of the files before they were packed.
"""

import json
import lzma
import sys
from pathlib import Path
from typing import Final

from reports.tables.files import write_whole
from reports.tables.names import MANIFEST, SUITE_INDEX, SUITE_PGN, WITNESSES

PACKED: Final = (WITNESSES, SUITE_PGN, SUITE_INDEX)


def publish(run: Path, folder: Path) -> list[str]:
    """Copy the files of a finished run into a folder; other files there are removed.

    Folders beside them, such as the conformance suite's, are left as they are.

    Returns:
        The names of the files in the folder.

    Raises:
        OSError: The run is not finished, or the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    published = []
    for name in [*json.loads((run / MANIFEST).read_bytes())["files"], MANIFEST]:
        content = (run / name).read_bytes()
        if name in PACKED:
            name, content = f"{name}.xz", lzma.compress(content, preset=9)  # noqa: PLW2901
        write_whole(folder / name, content)
        published.append(name)
    for path in folder.iterdir():
        if path.name not in published and path.is_file():
            path.unlink()
    return sorted(published)


if __name__ == "__main__":
    sys.stdout.write("\n".join(publish(Path(sys.argv[1]), Path(sys.argv[2]))) + "\n")
