"""The calculation of docs/cluster.md, with figures that can be worked out by hand."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scan_plan import Games, Machines, Rates, plan, read_rates, saturating_cores, table
from tests.verify.command import ROOT

RATES = Rates(
    text_bytes_per_second=1e6,
    reader_bytes_per_second=10e6,
    sending_bytes_per_second=10e6,
    tasks_per_second=10,
    chunk_bytes=2e6,
)
GAMES = Games(
    games=3.6e6, text_bytes_per_game=1e3, packed_bytes=3.6e8, files=50, largest_share=0.01
)
"""An hour's work of one core that scans, and 360 seconds of one that reads."""


def machines(count: int, cores: int, readers: int, *, is_cluster: bool = False) -> Machines:
    return Machines(count, cores, 4e6, readers, is_cluster)


def test_one_core_scans_beside_one_that_reads() -> None:
    made = plan(RATES, GAMES, machines(1, 2, 1))
    assert made.limits["scanning"] == 3600
    assert made.limits["reading"] == 360
    assert made.limits["fetching files"] == 90
    assert (made.hours, made.machine_hours, made.holds_up) == (1, 1, "scanning")


def test_one_reader_holds_up_many_cores() -> None:
    made = plan(RATES, GAMES, machines(1, 41, 1))
    assert made.limits["scanning"] == 90
    assert (made.hours, made.holds_up) == (0.1, "reading")
    assert plan(RATES, GAMES, machines(1, 42, 2)).hours == pytest.approx(0.05)


def test_a_cluster_waits_for_the_network_and_then_for_the_scheduler() -> None:
    made = plan(RATES, GAMES, machines(4, 21, 1, is_cluster=True))
    assert made.limits["network"] == 900
    assert made.limits["scheduler"] == 180
    assert made.limits["reading"] == 720  # and handing out
    assert (made.holds_up, made.hours, made.machine_hours) == ("network", 0.25, 1)
    slow = RATES._replace(tasks_per_second=1)
    assert plan(slow, GAMES, machines(4, 21, 1, is_cluster=True)).holds_up == "scheduler"


def test_the_largest_file_is_waited_for() -> None:
    games = GAMES._replace(largest_share=0.5)
    made = plan(RATES, games, machines(10, 2, 10))
    assert made.limits["scanning"] == 360
    assert (made.holds_up, made.hours) == ("the largest file", 0.5)


def test_what_keeps_how_many_cores_busy() -> None:
    fed = {"reader": 10, "reader of a cluster": 5, "network": 4, "scheduler": 20}
    assert saturating_cores(RATES, 4e6) == pytest.approx(fed)


@given(st.integers(1, 100), st.integers(2, 100), st.booleans(), st.data())
def test_the_work_is_done_by_no_more_cores_than_there_are(
    count: int, cores: int, is_cluster: bool, data: st.DataObject
) -> None:
    readers = data.draw(st.integers(1, count * cores - 1))
    made = plan(RATES, GAMES, machines(count, cores, readers, is_cluster=is_cluster))
    core_seconds = made.machine_hours * cores * 3600
    assert core_seconds >= 3960 * (1 - 1e-9)  # 3600 to scan and at least 360 to read
    assert made.hours * 3600 == pytest.approx(max(made.limits.values()))


def test_the_table_has_a_line_for_each_way() -> None:
    lines = list(table(RATES, GAMES, 8, 4e6, [1, 4]))
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| 1", "| 4", "| 4", "| 4"]
    assert all(line.count("|") == 6 for line in lines)
    assert "clusters side by side, each with a file: 7" in lines[-1]  # 32 cores, each feeds four
    few = list(table(RATES, GAMES._replace(files=3), 8, 4e6, [1, 4]))
    assert "clusters side by side, each with a file: 3" in few[-1]


@pytest.mark.parametrize("wrong", [None, "fast", 0, -1, True])
def test_a_rate_that_was_not_measured_is_not_made_up(wrong: object) -> None:
    values = RATES._asdict() | {"tasks_per_second": wrong}
    with pytest.raises(ValueError, match="tasks_per_second"):
        read_rates(values)


def test_the_program_reads_several_files(tmp_path: Path) -> None:
    values = list(RATES._asdict().items())
    for name, part in (("a.json", values[:2]), ("b.json", values[2:])):
        (tmp_path / name).write_text(json.dumps(dict(part)))
    program = [sys.executable, "-m", "tests.scan_plan"]
    files = [str(tmp_path / name) for name in ("a.json", "b.json")]
    run = subprocess.run([*program, *files], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("| machines |")
    assert "One reader keeps 10 cores busy." in run.stdout
    run = subprocess.run([*program, files[0]], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "sending_bytes_per_second: a measured rate is needed" in run.stderr


def test_the_figures_of_the_page_are_calculated_from_the_rates_of_the_page(
    tmp_path: Path,
) -> None:
    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    said = r"scanned (\d+) MB .* read (\d+) MB .* sent (\d+) MB, .* out (\d+) tasks of (\d+) MiB"
    ((scanned, read, sent, tasks, mib),) = re.findall(said, page)
    rates = [int(scanned) * 1e6, int(read) * 1e6, int(sent) * 1e6, int(tasks), int(mib) << 20]
    values = dict(zip(Rates._fields, rates, strict=True))
    (tmp_path / "rates.json").write_text(json.dumps(values))
    program = [sys.executable, "-m", "tests.scan_plan", str(tmp_path / "rates.json")]
    run = subprocess.run(program, capture_output=True, text=True, check=True)
    head, _, *lines = run.stdout.partition("\n\n")[0].splitlines()
    made = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in (head, *lines)]
    with (ROOT / "docs" / "tables" / "lichess.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == made
    one, many, cluster, *_ = (row[2] for row in rows[1:])
    assert f"one machine would take {one} hours" in page
    assert f"64 machines with files of their own {many} hours" in page
    assert f"a file at a time, they would take {cluster} hours" in page
