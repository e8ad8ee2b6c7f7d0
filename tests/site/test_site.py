"""What the site is made of: addresses, links, the quiz; without building it."""

import io
import json
import re
from pathlib import Path

import chess.pgn
import pytest

from docs.site.addresses import ROOT, filled, repository, site, slug
from docs.site.first_games import PUBLISHED, TABLE, found, kept, table
from docs.site.first_games import read as read_games
from docs.site.links import framed, site_map
from docs.site.pages import _linked, commands, downloads
from docs.site.quiz import STRINGS, questions
from docs.site.strings import answer_of, linked, page
from docs.site.strings import slug as name_of
from sanproof.reports.exports.archive import open_archive

GAMES = ROOT.parent / "shared" / "games" / "real-games.pgn"
PAGE = (
    '<html><head><title>A</title><link rel="icon" href="data:,"> img-src data:</head>'
    '<nav aria-label="Sections"><a href="#Ba1b2%2B">x</a><a href="#atlas">y</a></nav></html>'
)


def test_places_in_braces_are_filled_in() -> None:
    text = filled("uses: {{ slug }}@{{ commit }}, {{ repository }}")
    assert re.fullmatch(rf"uses: {slug()}@[0-9a-f]{{40}}, {repository()}", text)
    assert repository() == f"https://github.com/{slug()}"


def test_every_place_in_braces_is_known() -> None:
    for path in (ROOT / "docs").glob("*.md"):
        assert "{{" not in filled(path.read_text("utf-8")).replace("${{", ""), path.name


def test_links_lead_to_pages_or_to_the_repository() -> None:
    page = ROOT / "docs" / "data.md"
    text = (
        "[a](gate.md#x) [b](../TRUST.md) [c](../data/summary.md#y) [d](https://e) [f](../README.md)"
    )
    made = re.findall(r"\]\(([^)]+)\)", _linked(text, page))
    assert made[:2] == ["gate.md#x", "TRUST.md"]
    assert re.fullmatch(rf"{repository()}/blob/[0-9a-f]{{40}}/data/summary\.md#y", made[2])
    assert made[3:] == ["https://e", "index.md"]
    assert "/tree/" in _linked("[a](programs)", page)


def test_no_two_strings_share_an_address() -> None:
    """Not even where files that differ in case alone are the same."""
    strings = open_archive().strings()
    names = {name_of(san).lower() for san in strings}
    assert len(names) == len(strings)
    assert all(re.fullmatch(r"[\w-]+", name) for name in names)


def test_every_page_gets_the_menu_and_its_address(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    framed(tmp_path, "look-up", site(), repository())
    made = (tmp_path / "index.html").read_text()
    assert f'<link rel="canonical" href="{site()}look-up/index.html">' in made
    assert made.index('aria-label="Site"') < made.index('aria-label="Sections"')
    (tmp_path / "index.html").write_text("<head></head>")
    with pytest.raises(ValueError, match="has no"):
        framed(tmp_path, "look-up", site(), repository())


def test_strings_that_are_linked_are_found(tmp_path: Path) -> None:
    (tmp_path / "look-up").mkdir()
    (tmp_path / "look-up" / "index.html").write_text(PAGE)
    (tmp_path / "quiz.html").write_text('<script>[{"san": "e4"}]</script>')
    assert linked(tmp_path) == ["Ba1b2+", "e4"]


def test_the_map_names_each_page_once(tmp_path: Path) -> None:
    for name in ("index.html", "s/e4.html", "search.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    site_map(tmp_path, site())
    told = re.findall(r"<loc>(.*?)</loc>", (tmp_path / "sitemap.xml").read_text())
    assert told == [f"{site()}index.html", f"{site()}s/e4.html"]


def test_the_quiz_has_ten_of_both_kinds() -> None:
    asked = questions()
    assert [question["san"] for question in asked] == list(STRINGS)
    assert len(asked) == 10
    verdicts = [question["verdict"] for question in asked]
    assert min(verdicts.count("reachable"), verdicts.count("impossible")) >= 3
    assert all(question["why"] for question in asked)


def test_downloads_name_the_hashes_of_what_is_there() -> None:
    text = downloads()
    (digest,) = re.findall(r"\[`san_strings\.txt`\].* `([0-9a-f]{64})`", text)
    manifest = json.loads((ROOT / "data" / "manifest.json").read_text("ascii"))
    assert digest == manifest["files"]["san_strings.txt"]


def test_every_command_is_on_the_page_of_commands() -> None:
    text = commands()
    assert "## sanproof conformance run\n" in text
    assert "Usage: sanproof conformance run" in text


def test_first_games_are_of_proven_strings() -> None:
    assert set(kept()) <= set(open_archive().strings())


@pytest.mark.slow
@pytest.mark.skipif(not GAMES.exists(), reason=f"{GAMES} is not here")
def test_first_games_are_those_of_the_published_file() -> None:
    assert table(found(read_games(GAMES))) == TABLE.read_text("ascii")


def test_of_two_games_the_earlier_is_the_first() -> None:
    texts = [
        f'[UTCDate "2024.01.{day}"]\n[UTCTime "10:00:00"]\n\n{moves}'
        for day, moves in (("02", "1. e4 e5"), ("01", "1. d4 e5 2. dxe5"), ("03", "1. d4"))
    ]
    games = [chess.pgn.read_game(io.StringIO(text)) for text in texts]
    firsts = {first.san: first.sentence() for first in found(filter(None, games))}
    assert firsts["e4"] == "2024-01-02, 10:00:00 UTC, move 1, White"
    assert firsts["e5"] == "2024-01-01, 10:00:00 UTC, move 1, Black"
    assert firsts["d4"] == "2024-01-01, 10:00:00 UTC, move 1, White"


def test_the_page_of_a_string_names_its_first_game() -> None:
    played, never = (page(answer_of(open_archive(), san), site()) for san in ("Nf3", "Qb6e3#"))
    assert PUBLISHED in played
    assert kept()["Nf3"].sentence() in played
    assert PUBLISHED not in never
