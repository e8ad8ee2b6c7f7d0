"""The folder of the scoreboard: its pages, JSON, Markdown, badges and reports for maintainers."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from sanproof.reports.page.folder import put_folder
from sanproof.reports.scoreboard.badges import endpoint, picture
from sanproof.reports.scoreboard.contents import Scoreboard
from sanproof.reports.scoreboard.html import scoreboard_pages
from sanproof.reports.scoreboard.maintainers import maintainers_report
from sanproof.reports.scoreboard.tables import as_json, as_markdown

STATIC: Final = ("scoreboard.css", "scoreboard.js")
SHARED: Final = "page.css"
"""The style that the page of a run has, too."""


def write_scoreboard(scoreboard: Scoreboard, folder: Path) -> None:
    """Make the scoreboard in a folder that is new, empty, or an earlier page.

    Raises:
        FolderError: There is something else, or the folder cannot be written.
    """
    made = scoreboard_files(scoreboard)
    name = "sanproof conformance report"
    put_folder(folder, name, made.items())


def scoreboard_files(scoreboard: Scoreboard) -> dict[str, bytes]:
    """Every file of the scoreboard, after its path in the folder."""
    made = {
        **scoreboard_pages(scoreboard),
        "scoreboard.json": as_json(scoreboard),
        "scoreboard.md": as_markdown(scoreboard),
        SHARED: files("sanproof.reports.page").joinpath("static", SHARED).read_bytes(),
    }
    for name in STATIC:
        made[name] = files(__package__).joinpath("static", name).read_bytes()
    for run in scoreboard.runs:
        made[f"badges/{run.slug}.json"] = endpoint(scoreboard, run)
        made[f"badges/{run.slug}.svg"] = picture(scoreboard, run)
        made[f"reports/{run.slug}.md"] = maintainers_report(scoreboard, run)
    return made
