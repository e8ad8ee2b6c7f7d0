"""Counts of played strings: what is read is what was counted, and damage is noticed."""

import gzip
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.archive.observed import Observed, Sighting, in_words, open_observed, unproven
from sanproof.reports.tables.names import (
    OBSERVED,
    OBSERVED_FILES,
    OBSERVED_LICENCE,
    OBSERVED_SOURCE,
)
from tests.reports.archive.archives import SOURCE, TIMES, write_observed

REACHABLE = open_archive().strings()


def published() -> Observed:
    observed = open_observed(open_archive().directory)
    assert observed is not None
    return observed


def test_the_published_counts_are_of_proven_strings_and_add_up() -> None:
    observed = published()
    assert unproven(observed.times, REACHABLE) == []
    assert 0 < len(observed.times) < len(REACHABLE)
    for san in random.Random(3).sample(REACHABLE, 300):
        assert observed.sighting(san).times == observed.times.get(san, 0)


def test_a_string_that_is_the_end_of_another_is_not_taken_for_it(tmp_path: Path) -> None:
    observed = open_observed(write_observed(tmp_path, {"Nf3": 5, "f3+": 2}))
    assert observed is not None
    for san in ("f3", "3", "Nf", "+", "Nf3+", ""):
        assert observed.sighting(san).times == 0
    assert observed.sighting("Nf3").times == 5
    assert observed.sighting("f3+").times == 2


@given(st.dictionaries(st.sampled_from(REACHABLE), st.integers(1, 10**13), max_size=40))
def test_what_was_counted_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, times: dict[str, int]
) -> None:
    observed = open_observed(write_observed(tmp_path_factory.mktemp("counts"), times))
    assert observed is not None
    assert observed.times == times
    assert list(observed.times) == sorted(times, key=lambda san: (len(san), san))
    assert observed.sighting("e4") == (times.get("e4", 0), sum(times.values()), SOURCE["games_of"])


def test_a_folder_without_counts(tmp_path: Path) -> None:
    assert open_observed(tmp_path) is None


@pytest.mark.parametrize("name", OBSERVED_FILES)
def test_a_file_that_is_missing_or_changed(name: str, tmp_path: Path) -> None:
    path = write_observed(tmp_path) / name
    content = path.read_bytes()
    path.unlink()
    with pytest.raises(ArchiveError, match=f"is damaged: {name}: cannot be read"):
        open_observed(tmp_path)
    path.write_bytes(content[:-2] + b"!!")
    with pytest.raises(ArchiveError, match=f"is damaged: {name} is not"):
        open_observed(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("san,times\nf3,12\ne5,1\nQh4#,5000000000\n", "e5 after f3"),
        ("san,times\nf3,=1+1\n", "holds the row"),
        ("san,times\nf3,12", "ends within"),
        ("san,count\nf3,12\n", "no header"),
        ("", "no header"),
        ("san,times\nf3,12\n", "has 1 strings, not as many as observed.json says"),
        ("san,times\ne5,1\nf3,13\nQh4#,5000000000\n", "has 5000000014 moves"),
    ],
)
def test_a_table_that_no_publisher_writes(text: str, words: str, tmp_path: Path) -> None:
    source = json.loads((write_observed(tmp_path) / OBSERVED_SOURCE).read_bytes())
    files = {OBSERVED: gzip.compress(text.encode()), OBSERVED_LICENCE: b"", OBSERVED_SOURCE: b""}
    observed = Observed(tmp_path, source, files)
    with pytest.raises(ArchiveError, match=words):
        _ = observed.times
    if "=1+1" in text:
        with pytest.raises(ArchiveError, match=words):
            observed.sighting("f3")
    with pytest.raises(ArchiveError, match="cannot be unpacked"):
        Observed(tmp_path, source, files | {OBSERVED: b"no gzip"}).sighting("f3")


LARGE = {0: "0", 12: "12", 999_999: "999,999", 1_234_567: "1.23 million"}
LARGE |= {397_801_292_866: "398 billion", 6 * 10**9: "6 billion", 2 * 10**14: "200 trillion"}


def test_numbers_in_words() -> None:
    assert {number: in_words(number) for number in LARGE} == LARGE
    for times, words in {0: "Never seen", 1: "Played once", 1200: "Played 1,200 times"}.items():
        said = Sighting(times, 5_000_000, "club games").sentence()
        assert said == f"{words} in 5 million moves of club games."


def test_strings_that_are_not_proved() -> None:
    assert unproven(TIMES, {"f3", "e5"}) == ["Qh4#"]
    assert unproven(TIMES, TIMES) == []
