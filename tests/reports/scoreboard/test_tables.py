import json

import pytest

from sanproof.reports.scoreboard import tables
from sanproof.reports.scoreboard.tables import as_json, as_markdown, hardest_cases, summary
from tests.reports.scoreboard.samples import sample


def test_the_json_holds_counts_and_failures() -> None:
    content = json.loads(as_json(sample()))
    worst = next(entry for entry in content["libraries"] if entry["name"] == "worst")
    assert (worst["passed"], worst["failed"], worst["skipped"]) == (0, 7, 0)
    assert worst["areas"]["check"] == [0, 3]
    assert [failure["id"] for failure in worst["failures"]][:2] == [
        "broken.ghost",
        "check.none.1.read",
    ]
    assert worst["up to the library"] == {"differs": 1}


def test_the_tables_have_as_many_cells_in_each_row() -> None:
    for line in as_markdown(sample()).decode().splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    rows = summary(sample()).splitlines()
    assert len({row.replace("\\|", "").count("|") for row in rows}) == 1
    assert len(rows) == 2 + len(sample().runs)


def test_a_library_that_was_not_installed_is_said() -> None:
    (row,) = [line for line in summary(sample()).splitlines() if "absent" in line]
    assert "not tested: could not be installed: no wheel" in row


@pytest.mark.parametrize("share", [0.5, 0.6])
def test_the_cases_that_many_libraries_fail(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    monkeypatch.setattr(tables, "SHARE", share)
    found = [(case.id, failing, asked) for case, failing, asked in hardest_cases(sample())]
    assert found[0] == ("check.none.1.read", 2, 3)
    assert ("check.none.2.read", 1, 3) not in found
    assert (("check.none.3.write", 1, 2) in found) == (share <= 0.5)
