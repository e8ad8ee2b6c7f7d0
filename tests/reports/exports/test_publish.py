"""Publishing a run: the same content, packed where it is large, and nothing else."""

import json
import lzma
from pathlib import Path

from reports.exports.publish import PACKED, publish
from reports.tables.names import MANIFEST, WITH_SUITE


def a_run(folder: Path) -> dict[str, bytes]:
    """The files of a run, of which publishing reads the names only."""
    folder.mkdir()
    files = {name: f"content of {name}\n".encode() for name in WITH_SUITE}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / MANIFEST).write_text(json.dumps({"files": dict.fromkeys(files, "")}))
    (folder / "run.sqlite3").write_bytes(b"what a run keeps to go on")
    return files


def test_every_file_is_published_and_nothing_else(tmp_path: Path) -> None:
    files = a_run(tmp_path / "run")
    data = tmp_path / "data"
    data.mkdir()
    (data / "left over.csv").write_text("of an earlier version")
    names = publish(tmp_path / "run", data)
    assert sorted(path.name for path in data.iterdir()) == names
    assert names == sorted([MANIFEST, *(f"{n}.xz" if n in PACKED else n for n in files)])
    for name, content in files.items():
        if name in PACKED:
            assert lzma.decompress((data / f"{name}.xz").read_bytes()) == content
        else:
            assert (data / name).read_bytes() == content


def test_folders_beside_them_stay(tmp_path: Path) -> None:
    a_run(tmp_path / "run")
    data = tmp_path / "data"
    (data / "conformance").mkdir(parents=True)
    (data / "conformance" / "core.json").write_text("the suite")
    names = publish(tmp_path / "run", data)
    assert (data / "conformance" / "core.json").read_text() == "the suite"
    assert sorted(path.name for path in data.iterdir()) == sorted([*names, "conformance"])
