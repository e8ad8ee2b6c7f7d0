"""``sanproof conformance run``: runs a suite on adapters, and prints the results."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sanproof.reports.archive.door import published_directory
from sanproof.reports.tables.files import whole_file
from sanproof.verify.conformance import files
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked, ask
from sanproof.verify.errors import ANSWER_NO, Failure, Unfinished
from sanproof.verify.findings.formats import print_written, written
from sanproof.verify.work.progress import progress


def run_suite(
    form: str,
    out: Path | None,
    limit: int,
    write_known: Path | None = None,
    **asked: Any,  # noqa: ANN401 - of each its type
) -> int:
    """Run a suite on adapters, as `ask_libraries` does, and print the results.

    With ``out`` the results go to that file, and standard output has the text for people. The forms
    text and github show ``limit`` groups of failures of each library. ``write_known`` is a file for
    the list of failures.

    Returns:
        The exit code: 0 if no case fails but for expected failures, 1 if not.

    Raises:
        Failure: The suite, a pattern, the list of failures or the name of the file is wrong.
        Unfinished: An adapter did not finish, or answered nothing.
    """
    if write_known is not None and len(asked["commands"]) > 1:
        raise Failure("Expected failures are those of one library: name one COMMAND.")
    suite, sha256, found = ask_libraries(**asked)
    reports = [one.report for one in found]

    def pieces(form: str) -> Iterable[str]:
        if form == "json":
            today = datetime.now(UTC).date().isoformat()
            return files.written(files.results(suite, sha256, today, found))
        if form == "junit":
            head = (
                '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sanproof conformance">'
            )
            return [f"{head}\n", *(f"{r.testsuite()}\n" for r in reports), "</testsuites>\n"]
        asked = [r for r in reports if r.records or not r.ended]  # the others end the command
        return [f"{r.text(limit) if form == 'text' else r.github(limit)}\n" for r in asked]

    if out is not None:
        with whole_file(out) as file:
            file.writelines(map(str.encode, written(form, pieces(form))))
        form = "text"
    print_written(form, pieces(form))
    _refuse_what_is_unfinished(reports)
    if write_known is not None:
        with whole_file(write_known) as file:
            file.write(reports[0].known_lines().encode())
        return 0
    return ANSWER_NO if any(report.surprises for report in reports) else 0


def ask_libraries(
    commands: Sequence[str],
    *,
    level: str = "core",
    suite: Path | None = None,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    known: Path | None = None,
    timeout_seconds: float = 10.0,
    from_game: bool = False,
) -> tuple[Any, str, list[Asked]]:
    """Run a suite on adapters, and return the suite, the hash of its file, and the results.

    Raises:
        Failure: The suite, a pattern or the list of failures is wrong.
    """
    try:
        suite = suite or published_directory() / "conformance" / f"{level}.json"
        content = suite.read_bytes()
        used = runner.suite_of(content, str(suite))
        cases = runner.chosen(used["cases"], only, skip)
        expected = runner.read_known(str(known)) if known else []
    except runner.Misuse as error:
        raise Failure(str(error)) from error

    with progress(used["level"], len(cases) * len(commands)) as advance:
        found = ask(
            commands, used, cases, timeout_seconds, advance, from_game=from_game, known=expected
        )
    return used, hashlib.sha256(content).hexdigest(), found


def _refuse_what_is_unfinished(reports: Sequence[runner.Report]) -> None:
    """Raise the sentence for what is neither a yes nor a no."""
    if ended := [report for report in reports if report.ended]:
        said = [f"{r.title} {'ended early' if r.records else r.ended}." for r in ended]
        raise Unfinished(f"The run is incomplete. {' '.join(said)}")
    if untested := [report.title for report in reports if report.is_untested]:
        raise Unfinished(f"Nothing was tested: {' and '.join(untested)} answered no case.")
