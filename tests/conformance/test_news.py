"""What of the failures beyond the core is news."""

import csv

import pytest

from conformance import keep, news
from conformance.news import Failure, News, known_mechanisms
from conformance.scoreboard.contents import kept_scoreboard
from conformance.suite.recognise import Asked
from tests.verify.command import ROOT

TWO_FILES = Failure(
    "a", "string.knight", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nbd2"
)  # its mechanism: disambiguation.file
TWO_FILES_MATE = Failure("m", "string.knight", "6rk/6pp/8/4N1N1/8/8/8/4K3 w - - 0 1", "Nef7#")
DISCOVERED = Failure("b", "string.knight", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Nc3+")
ALL_MOVES = Failure("e", "moves.check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None)
TOO_LITTLE = Failure("d", "wrong.less-than-needed", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2")


@pytest.mark.parametrize(
    ("failure", "known", "is_news"),
    [
        (TWO_FILES, {"disambiguation.file"}, False),
        (TWO_FILES, {"disambiguation.rank", "disambiguation.square", "moves.all"}, True),
        (DISCOVERED, {"disambiguation.file", "check.double"}, True),
        (DISCOVERED, {"check.discovered-by-piece"}, False),
        (TWO_FILES_MATE, {"disambiguation.file"}, False),  # its cases are no checks; a mate has it
        (TOO_LITTLE, {"wrong.less-than-needed"}, False),
        (TOO_LITTLE, {"disambiguation.file"}, True),  # what is refused is no move of two files
        (ALL_MOVES, {"play.quiet", "check.direct"}, True),
        (ALL_MOVES, {"play.quiet", "moves.mate"}, False),
        (Failure("f", "game.tags", None, "1. e4 *"), {"game.tags"}, False),
    ],
)
def test_a_failure_is_news_if_no_failure_of_the_core_has_its_mechanisms(
    failure: Failure, known: set[str], is_news: bool
) -> None:
    assert News(known).has(failure) is is_news


def test_what_is_known_are_the_mechanisms_that_the_core_shows() -> None:
    """Of a library in these settings; what is up to it never fails."""
    core = kept_scoreboard(
        max((ROOT / keep.DATA / "results").glob("*-core.json.xz")), ROOT / keep.DATA
    )
    sloppy = next(run for run in core.runs if run.title == "chess.js 1.4.0")
    known = known_mechanisms(core, (sloppy.name, sloppy.version, sloppy.settings))
    assert known is not None
    assert "wrong.file-where-square-is-due" in known
    rows = csv.DictReader((ROOT / "docs/tables/libraries.csv").read_text("utf-8").splitlines())
    row = next(r for r in rows if f"{r['library']} {r['version']}{r['settings']}" == sloppy.title)
    areas = {name.removesuffix(" failed") for name in row if name.endswith(" failed")}
    assert {name.partition(".")[0] for name in known} == {
        area for area in areas if row[f"{area} failed"] not in {"", "0"}
    }
    assert known_mechanisms(core, (sloppy.name, sloppy.version, "unheard of")) is None


def test_a_position_and_a_text_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move is read and written; and what was found last is tried first."""
    looked: list[str] = []

    class Noted(Asked):
        def wrong_with(self, name: str, *, alone: bool = True) -> str | None:
            looked.append(name)
            return super().wrong_with(name, alone=alone)

    monkeypatch.setattr(news, "Asked", Noted)
    found = News({"check.double", "disambiguation.file", "check.direct"})
    assert not found.has(TWO_FILES)
    assert looked == ["check.direct", "check.double", "disambiguation.file"]
    assert not found.has(TWO_FILES._replace(id="write"))
    assert len(looked) == 3
    assert not found.has(TWO_FILES_MATE)
    assert looked[3:] == ["disambiguation.file"]
