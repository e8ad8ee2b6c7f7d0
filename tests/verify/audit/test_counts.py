"""What only a run itself can know has a fixed form; all other counts are counted again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.archive.schema import SEARCH
from sanproof.reports.archive.schema import TIMES_OF_RUN as TIMES
from sanproof.reports.tables.names import SUMMARY, SUMMARY_TEXT
from sanproof.reports.tables.summary import to_json, to_markdown
from tests.campaigns.forging.model import Files, audit_files, fast_audits, read_files, sealed


@pytest.fixture(scope="module")
def played(made: Path) -> Iterator[Files]:
    with fast_audits():
        yield read_files(made / "played")


def with_part(files: Files, name: str, part: dict[str, Any]) -> Files:
    """The run with another part of its summary."""
    summary = json.loads(files[SUMMARY]) | {name: part}
    return sealed(files | {SUMMARY: to_json(summary), SUMMARY_TEXT: to_markdown(summary)})


@pytest.mark.parametrize("name", ["run", "played"])
def test_a_run_writes_these_times_and_counts_of_its_search(made: Path, name: str) -> None:
    summary = json.loads((made / name / SUMMARY).read_bytes())
    assert tuple(summary["times"]) == TIMES
    assert tuple(summary["search"]) == SEARCH


@pytest.mark.parametrize("number", [0, 0.5, 123456.7])
def test_how_long_it_took_may_be_any_time(played: Files, number: float) -> None:
    audit_files(with_part(played, "times", dict.fromkeys(TIMES, number)))


@pytest.mark.parametrize(
    "number", [-0.1, float("nan"), float("inf"), 2e9, 10**400, True, "1", None, [1], {}]
)
@pytest.mark.parametrize(("name", "keys"), [("times", TIMES), ("search", SEARCH)])
def test_what_is_no_number_is_refused(
    played: Files, name: str, keys: tuple[str, ...], number: object
) -> None:
    with pytest.raises(EvidenceError, match=f"^{SUMMARY}: "):
        audit_files(with_part(played, name, dict.fromkeys(keys, 0) | {keys[0]: number}))


@pytest.mark.parametrize("name", ["times", "search"])
def test_other_names_are_refused(played: Files, name: str) -> None:
    part = json.loads(played[SUMMARY])[name]
    for wrong in (part | {"proved_by_hand": 1}, dict(list(part.items())[1:]), {}):
        with pytest.raises(EvidenceError, match=f"^{SUMMARY}: "):
            audit_files(with_part(played, name, wrong))


@pytest.mark.parametrize(
    ("search", "fits"),
    [
        ((10**6, 0, 0), True),
        ((10**6, 3, 7), True),
        ((10**6, 3, 3), True),
        ((10**6, 3, 2), False),
        ((10**6, 0, 1), False),
        ((0, 0, 0), False),
        ((10**6, 10**6 + 1, 10**7), False),
        ((10**6, 0.5, 1), False),
    ],
)
def test_what_it_searched_fits_its_games(
    played: Files, search: tuple[float, ...], fits: bool
) -> None:
    files = with_part(played, "search", dict(zip(SEARCH, search, strict=True)))
    if fits:
        audit_files(files)
        return
    with pytest.raises(EvidenceError, match=f"^{SUMMARY}: "):
        audit_files(files)
