"""docs/notation.md says what the code does: its tables, its examples, its commands."""

import csv
from pathlib import Path

import pytest

from sanproof.verify.notation.reading import read
from sanproof.verify.notation.vocabulary import Deviation, Illegality
from sanproof.verify.notation.writing import IllegalMove, write

DOCS = Path(__file__).parents[3] / "docs"
TABLES = DOCS / "tables"


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a table beside the page."""
    with (TABLES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


DEVIATIONS = rows_of("deviations.csv")
REASONS = rows_of("illegal.csv")


def test_the_vocabulary_is_the_one_of_the_table() -> None:
    rows = [(row["name"], row["meaning"]) for row in DEVIATIONS]
    assert rows == [(deviation.value, deviation.sentence) for deviation in Deviation]


def test_the_reasons_are_those_of_the_table() -> None:
    rows = [(row["name"], row["meaning"]) for row in REASONS]
    assert rows == [(reason.value, reason.sentence) for reason in Illegality]


@pytest.mark.parametrize("row", DEVIATIONS, ids=lambda row: row["name"])
def test_examples_of_deviations(row: dict[str, str]) -> None:
    reading = read(row["example"], row["position"])
    assert reading.canonical == row["written"]
    assert Deviation(row["name"]) in reading.deviations


@pytest.mark.parametrize("row", REASONS, ids=lambda row: row["name"])
def test_examples_of_reasons(row: dict[str, str]) -> None:
    name, text, fen = row["name"], row["example"], row["position"]
    if name == Illegality.PROMOTION_MISSING.value:  # a missing piece is ambiguous in SAN
        with pytest.raises(IllegalMove, match=name):
            write(text, fen)
    else:
        assert read(text, fen).reason is Illegality(name)
