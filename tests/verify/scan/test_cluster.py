"""A scan on a real scheduler with real workers: the same bytes as here."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verify.command import started
from tests.verify.scan.pgn import game, random_games
from tests.verify.scan.test_scanner import outputs
from tests.verify.work.daskers import Cluster, cluster_in


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with cluster_in(tmp_path / "cluster") as own:
        own.scheduler()
        yield own


def test_a_scan_on_a_cluster_gives_the_same_bytes(tmp_path: Path, cluster: Cluster) -> None:
    cluster.worker()
    cluster.worker()
    source = tmp_path / "games.pgn"
    source.write_text("".join(random_games(5, 200)) + game("1. e2e4 *"))
    found = []
    for where in (("--workers", "1"), ("--scheduler", cluster.address)):
        out = tmp_path / where[0]
        code, stderr = scan(source, out, "--rewrite", "--no-fast", *where)
        assert code == 0, stderr
        found.append({n: content for n, content in outputs(out).items() if n != "scan.log"})
    assert found[0] == found[1]
    assert {"counts.csv", "summary.json", "deviations.csv"} <= found[0].keys()


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
