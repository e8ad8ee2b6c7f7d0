"""The scoreboard in a real browser, opened from disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.scoreboard.pages import FAILURES, scoreboard_pages, write_scoreboard
from tests.conformance.scoreboard.samples import sample

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.reports.conftest import Visit

pytestmark = pytest.mark.browser

AXE = {"preload": False}
"""It would fetch the style sheets, which the page's policy forbids."""


@pytest.fixture(scope="module")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scoreboard") / "page"
    write_scoreboard(sample(), folder)
    return folder


def shown(page: Page) -> list[str]:
    """Return the ids of the cases in the list that can be seen."""
    links = page.locator("#cases a:visible").all()
    return [str(link.get_attribute("href")).partition("#case-")[2] for link in links]


def test_all_failures_are_shown_and_the_filter_narrows_them(
    visit: Visit, page_folder: Path
) -> None:
    with visit(page_folder, name=FAILURES, answered=False) as page:
        assert shown(page) == list(sample().by_case)
        page.select_option("#area", "check")
        assert shown(page) == ["check.none.1.read", "check.none.2.read", "check.none.3.write"]
        assert page.text_content("#found") == "3 cases."
        page.select_option("#operation", "write")
        assert shown(page) == ["check.none.3.write"]
        assert "area=check&operation=write" in page.url
        page.click("button[type=reset]")
        page.wait_for_url(lambda url: "area=" not in url)  # the browser empties the fields first
        assert shown(page) == list(sample().by_case)
        page.fill("#text", "EXD6")
        assert shown(page) == ["broken.ghost"]
        page.select_option("#library", "best-1.0-strict-all")
        assert shown(page) == []
        assert page.text_content("#found") == "0 cases."


def test_a_cell_leads_to_the_failures_of_its_library(visit: Visit, page_folder: Path) -> None:
    with visit(page_folder, answered=False) as page:
        page.click("#areas tr:has-text('strict: all') td.some a")
        page.wait_for_url("**/failures.html#*")
        assert shown(page) == ["check.none.1.read"]
        assert page.input_value("#library") == "best-1.0-strict-all"


def test_an_address_of_a_case_leads_to_its_board(visit: Visit, page_folder: Path) -> None:
    with visit(page_folder, "#case=check.none.1.read", name=FAILURES, answered=False) as page:
        page.wait_for_url("**/failures-check.none.html#case-check.none.1.read")
        case = page.locator(":target")
        case.locator(".board piece").first.wait_for()
        assert case.locator(".board svg line").count() == 2, "what is right, and what came"
        assert "a2a3" in str(case.text_content())


def test_an_address_that_is_nonsense_shows_everything(visit: Visit, page_folder: Path) -> None:
    with visit(page_folder, "#case=nobody&library=%00", name=FAILURES, answered=False) as page:
        assert shown(page) == list(sample().by_case)


def test_without_scripts_everything_can_be_read(visit: Visit, page_folder: Path) -> None:
    with visit(page_folder, name=FAILURES, answered=False, java_script_enabled=False) as page:
        assert shown(page) == list(sample().by_case)
        assert page.is_hidden("#filter")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", scoreboard_pages(sample()))
def test_nothing_stands_in_anybodys_way(
    visit: Visit, page_folder: Path, scheme: str, width: int, name: str
) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe is not installed: `nox -s browser` does it",
    )
    view = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    with visit(page_folder, name=name, answered=False, **view) as page:
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = axe.Axe().run(page, options=AXE)
        assert found.violations_count == 0, found.generate_report()
        assert len(found.response["passes"]) > 10


@pytest.mark.parametrize("width", [390, 1400])
def test_names_settings_and_columns_are_not_cut(
    visit: Visit, page_folder: Path, width: int
) -> None:
    view = {"viewport": {"width": width, "height": 900}}
    with visit(page_folder, answered=False, **view) as page:
        cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)"
        assert page.locator("#summary th").evaluate_all(cut) == []
        assert "strict: all" in page.inner_text("#summary tbody").splitlines()
        table, box = page.locator("#summary table"), page.locator("#summary .scroll")
        fits = table.evaluate("e => e.offsetWidth") <= box.evaluate("e => e.clientWidth")
        assert fits or width < 1000
