"""``sanproof conformance report``: the scoreboard of result files."""

from pathlib import Path
from typing import Any, Final

import click

from sanproof.verify.commands.options import level_option, named_directory
from sanproof.verify.errors import Failure, failure

SCOREBOARD: Final = "sanproof-scoreboard"
"""The folder for the scoreboard, in the current folder."""
SNIPPETS: Final = Path(__file__).parents[1] / "conformance" / "snippets.toml"
"""How to ask libraries in their own languages."""


@click.command("report")
@click.argument("results", metavar="[RESULTS]...", nargs=-1, type=click.Path(path_type=Path))
@level_option("Which suite the results are of.")
@click.option(
    "--suite",
    "suite_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A suite that was exported, instead of the one that is installed.",
)
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    default=SCOREBOARD,
    show_default=True,
    callback=named_directory,
    help="Folder for the scoreboard: new, empty, or an earlier one, which is replaced.",
)
def command(results: tuple[Path, ...], level: str, suite_path: Path | None, folder: Path) -> None:
    """Write a page that compares libraries, from the results of `sanproof conformance run`.

    RESULTS are files that `run --format json` has written, packed with xz or not; without them,
    the page is about the results that come with sanproof. Open DIR/index.html. Beside it are the
    same as JSON and Markdown, a badge for each library, and a report for its maintainers.

    \b
    Try:
      sanproof conformance report
      sanproof conformance run --format json --out results.json ./adapter
      sanproof conformance report results.json --out scoreboard
    """  # noqa: D301
    from sanproof.reports.page.folder import FolderError
    from sanproof.reports.scoreboard.folder import write_scoreboard

    try:
        write_scoreboard(_read(results, level, suite_path), folder)
    except FolderError as error:
        raise failure(f"{error}.", error) from error
    click.echo(folder / "index.html")


def _read(results: tuple[Path, ...], level: str, suite_path: Path | None) -> Any:  # noqa: ANN401
    """The scoreboard of result files; a Failure if one is wrong."""
    import dataclasses
    import hashlib
    import tomllib

    from sanproof.reports.archive.door import published_directory
    from sanproof.reports.scoreboard.contents import ScoreboardError, read_scoreboard
    from sanproof.verify.conformance.files import (
        MOST_OF_A_SUITE,
        kept_scoreboard,
        read_limited,
        suite_of_hash,
    )
    from sanproof.verify.conformance.suite import SuiteError, suite_of

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
    content = (
        read_limited(path, MOST_OF_A_SUITE)
        if suite_path
        else suite_of_hash(published, level, _hash(found[0][1]))
    )
    suite = _json(path, content)
    try:
        suite_of(suite, str(path))
    except SuiteError as error:
        raise Failure(f"{error}.") from error
    snippets = {key.lower(): said for key, said in tomllib.loads(SNIPPETS.read_text()).items()}
    try:
        board = read_scoreboard(suite, hashlib.sha256(content).hexdigest(), found, snippets)
    except ScoreboardError as error:
        raise Failure(f"{error}.") from error
    earlier = () if results else tuple(kept_scoreboard(path, published) for path in kept[:-1])
    return dataclasses.replace(board, earlier=earlier)


def _hash(result: Any) -> str:  # noqa: ANN401
    """The hash of the suite that a result names; empty if it is no result."""
    suite = result.get("suite") if isinstance(result, dict) else None
    return str(suite.get("sha256")) if isinstance(suite, dict) else ""


def read_result(path: Path) -> Any:  # noqa: ANN401
    """The JSON of a result file, packed with xz or not; a Failure if it is none."""
    from sanproof.verify.conformance.files import MOST_OF_RESULTS, read_limited

    return _json(path, read_limited(path, MOST_OF_RESULTS))


def _json(path: Path, content: bytes) -> Any:  # noqa: ANN401
    import json

    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{path} is not JSON.") from error
