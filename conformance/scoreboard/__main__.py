"""``python -m conformance.scoreboard``: a page that compares libraries, from files of results."""

import hashlib
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from conformance.scoreboard.contents import (
    Scoreboard,
    kept_scoreboard,
    read_scoreboard,
    sent,
    suite_of_hash,
)
from conformance.scoreboard.pages import write_scoreboard
from sanproof.reports.archive.door import published_directory
from sanproof.reports.page.folder import FolderError
from sanproof.verify.commands.ending import run_to_end
from sanproof.verify.commands.options import directory_option, file_option, level_option
from sanproof.verify.conformance.files import MOST_OF_A_SUITE, read_limited, read_result
from sanproof.verify.conformance.suite import read_suite
from sanproof.verify.errors import Failure, failure

SCOREBOARD: Final = "sanproof-scoreboard"
"""The folder for the scoreboard, in the current folder."""
SNIPPETS: Final = Path(__file__).parents[1] / "snippets.toml"
"""The ways to ask libraries in their own languages."""


@click.command(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.argument("results", metavar="[RESULTS]...", nargs=-1, type=click.Path(path_type=Path))
@level_option("Which suite the results are of.")
@file_option("--suite", "A suite that was exported, instead of the one that is installed.")
@directory_option(
    "--out",
    "Folder for the scoreboard: new, empty, or an earlier one, which is replaced.",
    "folder",
    default=SCOREBOARD,
)
def report(results: tuple[Path, ...], level: str, suite: Path | None, folder: Path) -> None:
    """Write a page that compares libraries, from the results of `sanproof conformance run`.

    RESULTS are files that `run --format json` has written, packed with xz or not; without them,
    the page is about the results that come with sanproof. Open DIR/index.html. Beside it are the
    same as JSON and Markdown, a badge for each library, and a report for its maintainers.
    """
    try:
        write_scoreboard(_read(results, level, suite), folder)
    except FolderError as error:
        raise failure(f"{error}.", error) from error
    click.echo(folder / "index.html")


def _read(results: tuple[Path, ...], level: str, suite_path: Path | None) -> Scoreboard:
    """Return the scoreboard of result files; a Failure if one is wrong."""
    published = published_directory() / "conformance"
    path = suite_path or published / f"{level}.json"
    if suite_path is None and not path.exists():
        raise Failure(
            f"The suite {level} is not installed: write it with `sanproof conformance export "
            f"--level {level} --out DIR`, and name the file with --suite."
        )
    kept = sorted((published / "results").glob(f"*-{level}.json.xz"))
    paths = results or tuple(kept[-1:])
    if not paths:
        raise Failure(f"No results of the suite {level} are installed: name a file with results.")
    found = [(str(path), read_result(path)) for path in paths]
    found += () if results else sent(published)
    try:
        sha256 = str(found[0][1]["suite"]["sha256"])
    except (KeyError, TypeError):  # it is no result, which is said below
        sha256 = ""
    content = (
        read_limited(path, MOST_OF_A_SUITE)
        if suite_path
        else suite_of_hash(published, level, sha256)
    )
    snippets = {key.lower(): said for key, said in tomllib.loads(SNIPPETS.read_text()).items()}
    suite = read_suite(content, str(path))
    sha256 = hashlib.sha256(content).hexdigest()
    board = read_scoreboard(suite, sha256, found, snippets, published)
    earlier = () if results else tuple(kept_scoreboard(path, published) for path in kept[:-1])
    return replace(board, earlier=earlier)


def _run() -> int:
    """Run the command that ``sys.argv`` names, and return its exit code."""
    try:
        report.main(prog_name="python -m conformance.scoreboard", standalone_mode=False)
    except click.ClickException as error:
        error.show(sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    run_to_end(_run)
