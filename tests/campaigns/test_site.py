"""The parts of the site: addresses, links, the quiz; without building it."""

import json
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from docs.site.addresses import ROOT, filled, repository, site, slug, source
from docs.site.first_games import PUBLISHED, TABLE, found, kept, table
from docs.site.first_games import read as read_games
from docs.site.links import site_map
from docs.site.pages import OF_THE_REPOSITORY, api, downloads
from docs.site.quiz import EACH, questions
from docs.site.strings import answer_of, string_page
from docs.site.strings import slug as name_of
from docs.site.taken import CLASS, bound, take_in
from sanproof.reports.archive.door import open_archive

GAMES = ROOT.parent / "shared" / "games" / "real-games.pgn"
PAGE = """<!doctype html>
<html><head><meta name="description" content="On &quot;moves&quot;.">
<link rel="stylesheet" href="page.css">
<script defer src="page.js"></script>
</head>
<body>
<a class="skip" href="#look-up">Skip</a>
<header>
<h1>What was <em>written</em> &amp; by whom_?</h1>
<nav><a href="#Ba1b2%2B">x</a><a href="#atlas">y</a></nav></header>
<main class="wide"><p>z</p></main>
</body></html>
"""


def test_places_in_braces_are_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/sanproof")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    text = filled("uses: {{ slug }}@{{ commit }}, {{ repository }}")
    assert re.fullmatch(rf"uses: {slug()}@[0-9a-f]{{40}}, {repository()}", text)
    assert repository() == f"https://github.com/{slug()}"
    assert source("blob", "README.md").startswith(f"{repository()}/blob/")


def test_every_place_in_braces_is_known() -> None:
    for path in (ROOT / "docs").glob("*.md"):
        assert "{{" not in filled(path.read_text("utf-8")).replace("${{", ""), path.name


def test_no_two_strings_share_an_address() -> None:
    """Not even where files that differ in case alone are the same."""
    strings = open_archive().strings()
    names = {name_of(san).lower() for san in strings}
    assert len(names) == len(strings)
    assert all(re.fullmatch(r"[\w-]+", name) for name in names)


def test_a_page_that_a_command_made_is_taken_in(tmp_path: Path) -> None:
    folder, source = tmp_path / "scoreboard", tmp_path / "source"
    folder.mkdir()
    source.mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "page.css").write_text(":root {\n  --a: 1;\n}\n\nbody {\n  margin: 0;\n}\n")
    take_in(folder, source)
    made = (source / "scoreboard" / "index.md").read_text()
    assert 'description: "On \\"moves\\"."\n' in made
    assert 'styles: "page.css ../_static/report.css"\nscripts: "page.js"\n' in made
    assert "\n# What was written \\& by whom\\_?\n" in made
    body = (source / "scoreboard" / "index.body").read_text()
    assert '<div class="wide"><p>z</p></div>' in body
    assert all(text not in body for text in ("<main", "<h1>", "skip"))
    style = (folder / "page.css").read_text()
    assert style == f".{CLASS} {{\n& {{\n  --a: 1;\n}}\n\n& {{\n  margin: 0;\n}}\n}}\n"
    assert not (folder / "index.html").exists()


def test_every_style_of_the_pages_can_be_bound() -> None:
    styles = [path for part in ("reports", "conformance") for path in (ROOT / part).rglob("*.css")]
    styles = [path for path in styles if path.name != "entry.css"]
    assert len(styles) > 3
    for path in styles:
        assert ":root" not in bound(path.read_text("utf-8")), path
    with pytest.raises(ValueError, match="@font-face"):
        bound("@font-face {}")


def test_the_map_names_each_page_once(tmp_path: Path) -> None:
    for name in ("index.html", "s/e4.html", "search.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    site_map(tmp_path, site())
    told = re.findall(r"<loc>(.*?)</loc>", (tmp_path / "sitemap.xml").read_text())
    assert told == [f"{site()}index.html", f"{site()}s/e4.html"]


def test_the_quiz_asks_both_kinds_of_each_level_and_nothing_that_was_told() -> None:
    asked = questions()
    kinds = Counter((question["level"], question["verdict"]) for question in asked)
    verdicts = ("reachable", "impossible")
    assert kinds == {(level, verdict): EACH for level in range(3) for verdict in verdicts}
    home = (ROOT / "docs" / "site" / "pages" / "index.md").read_text("utf-8")
    told = set(re.findall(r"`(\S+)`|<code>(\S+)</code>", home))
    assert {san for pair in told for san in pair} & {"Ba1b2+", "Nf3"}
    assert not {san for pair in told for san in pair} & {question["san"] for question in asked}
    assert all(question["why"] and "data-fen" in str(question["board"]) for question in asked)


def test_the_menu_names_every_page() -> None:
    menu = (ROOT / "docs" / "site" / "pages" / "index.md").read_text("utf-8")
    docs = {path.stem for path in (ROOT / "docs").glob("*.md")}
    others = {Path(name).stem for name in OF_THE_REPOSITORY}
    lists = "".join(re.findall(r"^```{toctree}$(.*?)^```$", menu, re.MULTILINE | re.DOTALL))
    assert set(re.findall(r"^(?:\w+ <)?([\w-]+)>?$", lists, re.MULTILINE)) == {
        *(docs | others),
        *("quiz", "commands", "api", "downloads"),
    }


def test_the_reference_names_only_what_is_there() -> None:
    named = re.findall(r"^\.\. auto(?:class|function):: (\S+)\.(\w+)$", api(), re.MULTILINE)
    assert len(named) > 60
    for module, name in named:
        assert hasattr(import_module(module), name), f"{module}.{name}"


def test_downloads_name_the_hashes_of_what_is_there() -> None:
    text = downloads()
    (digest,) = re.findall(r"\[`san_strings\.txt`\].* `([0-9a-f]{64})`", text)
    manifest = json.loads((ROOT / "data" / "manifest.json").read_text("ascii"))
    assert digest == manifest["files"]["san_strings.txt"]


def test_first_games_are_of_proven_strings() -> None:
    assert set(kept()) <= set(open_archive().strings())


@pytest.mark.slow
@pytest.mark.skipif(not GAMES.exists(), reason=f"{GAMES} is not here")
def test_first_games_are_those_of_the_published_file() -> None:
    assert table(found(read_games(GAMES))) == TABLE.read_text("ascii")


def test_the_page_of_a_string_names_its_first_game() -> None:
    played, never = (string_page(answer_of(open_archive(), san)) for san in ("Nf3", "Qb6e3#"))
    assert PUBLISHED in played
    assert kept()["Nf3"].sentence() in played
    assert PUBLISHED not in never
