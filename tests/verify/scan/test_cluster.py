"""A scan on a real scheduler with real workers: the same bytes as here."""

from pathlib import Path

import pytest
from tests.verify.work.daskers import cluster_in

from tests.verify.command import started
from tests.verify.scan.pgn import game, random_games
from tests.verify.scan.test_scanner import outputs

SMALL_CHUNKS = (
    "import sanproof.verify.scan.scanner as s; whole = s.Settings; "
    "s.Settings = lambda *a, **k: whole(*a, chunk_bytes=1 << 14, **k)\n"
)
"""So that a small file has several."""


@pytest.mark.slow  # tests/verify/work/test_cluster.py has the executor
def test_a_scan_on_a_cluster_gives_the_same_bytes(tmp_path: Path) -> None:
    source, found = tmp_path / "games.pgn", []
    source.write_text("".join(random_games(5, 200)) + game("1. e2e4 *"))
    with cluster_in(tmp_path / "cluster") as cluster:
        cluster.scheduler()
        cluster.worker()
        cluster.worker()
        for where in (("--workers", "1"), ("--scheduler", cluster.address)):
            out = tmp_path / where[0]
            arguments = ("scan", str(source), "--out", str(out), "--rewrite", "--no-fast", *where)
            with started(*arguments, first=SMALL_CHUNKS) as process:
                _, stderr = process.communicate(timeout=120)
            assert process.returncode == 0, stderr
            found.append({n: content for n, content in outputs(out).items() if n != "scan.log"})
    assert found[0] == found[1]
    assert {"counts.csv", "summary.json", "deviations.csv"} <= found[0].keys()
