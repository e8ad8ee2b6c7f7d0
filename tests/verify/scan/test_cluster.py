"""A scan on a real scheduler with real workers: the same bytes as here."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verify.command import started
from tests.verify.work.daskers import Cluster, cluster_in

GAME = """[Event "{number}"]
[Result "1-0"]

1. e4 {{ [%clk 0:01:00] }} e5 2. Nf3 Nc6 3. Bc4 Nf6 4. {text} Nxe4 5. Re1 Nd6 1-0

"""
SAVED = "scan.sqlite3"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with cluster_in(tmp_path / "cluster") as own:
        own.scheduler()
        yield own


def games(path: Path, count: int) -> Path:
    """Games of which one in a hundred castles with zeros."""
    texts = ("0-0" if number % 100 == 0 else "O-O" for number in range(count))
    path.write_text("".join(GAME.format(number=i, text=text) for i, text in enumerate(texts)))
    return path


def files(directory: Path) -> dict[str, bytes]:
    """What a scan leaves, but for what it keeps for itself and the time it took."""
    found = {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and not path.name.startswith("scan.")
    }
    assert {"counts.csv", "summary.json", "deviations.csv"} <= set(found)
    return found


def test_a_scan_on_a_cluster_gives_the_same_bytes(tmp_path: Path, cluster: Cluster) -> None:
    cluster.worker()
    cluster.worker()
    source = games(tmp_path / "games.pgn", 400)
    options = ("--rewrite", "--no-fast")
    code, stderr = scan(source, tmp_path / "here", *options, "--workers", "1")
    assert code == 0, stderr
    code, stderr = scan(source, tmp_path / "there", *options, "--scheduler", cluster.address)
    assert code == 0, stderr
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert json.loads(files(tmp_path / "here")["summary.json"])
    assert len(files(tmp_path / "here")["deviations.csv"].splitlines()) == 5


SMALL_CHUNKS = (
    "import sanproof.verify.scan.scanner as s; whole = s.Settings; "
    "s.Settings = lambda *a, **k: whole(*a, chunk_bytes=1 << 14, **k)\n"
)


def scan(source: Path, directory: Path, *options: str) -> tuple[int, str]:
    """Run a scan of chunks that are small, so that a small file has several."""
    arguments = ("scan", str(source), "--out", str(directory), *options)
    with started(*arguments, first=SMALL_CHUNKS) as process:
        _, stderr = process.communicate(timeout=120)
    return process.returncode, stderr
