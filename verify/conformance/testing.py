"""``sanproof conformance run``: a suite, the adapters that answer it, and what is printed."""

import fnmatch
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sanproof.reports.archive.door import published_directory
from sanproof.reports.escaping import shown
from sanproof.reports.tables.files import whole_file
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.files import MOST_OF_A_SUITE, read_limited
from sanproof.verify.conformance.formats import FORMATS, UsedSuite
from sanproof.verify.conformance.outcome import LibraryReport
from sanproof.verify.conformance.suite import Demand, Level, Suite, read_suite
from sanproof.verify.errors import ANSWER_NO, Failure, Unfinished
from sanproof.verify.findings.formats import Display, print_written, written
from sanproof.verify.findings.width import columns_of
from sanproof.verify.work.progress import progress_display


def run_suite(
    form: str,
    out: Path | None,
    limit: int,
    unused_known: int = 0,
    write_known: Path | None = None,
    **asked: Any,  # noqa: ANN401 - of each its type
) -> int:
    """Ask adapters, as `ask_libraries` does, and print what came of it, in one of ``FORMATS``.

    With ``out``, that goes to the file, and people read the text form on standard output. The forms
    text and github show so many failures of each library. The failures go to ``write_known``.

    Returns:
        The exit code: 0 if everything that can fail passed, but for the failures that are expected,
        1 if not, ``unused_known`` if all is well, but an expected failure names no case.

    Raises:
        Failure: The suite, a pattern, the list of failures or the name of the file is wrong.
        Unfinished: An adapter could not be asked everything, or answered nothing.
    """
    if write_known is not None and len(asked["commands"]) > 1:
        raise Failure("Known failures are those of one library: name one COMMAND.")
    tested, reports = ask_libraries(**asked)
    if out is not None:
        with whole_file(out) as file:
            pieces = written(form, FORMATS[form](tested, reports, Display(limit)))
            file.writelines(map(str.encode, pieces))
        form = "text"
    display = Display(limit, columns_of(sys.stdout))
    print_written(form, FORMATS[form](tested, reports, display))
    _refuse_what_is_unfinished(reports)
    if write_known is not None:
        with whole_file(write_known) as file:
            file.writelines(line.encode() for line in _known_lines(reports[0], tested))
        return 0
    if any(any(report.surprises) for report in reports):
        return ANSWER_NO
    return unused_known if tested.unused else 0


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
) -> tuple[UsedSuite, list[LibraryReport]]:
    """Ask adapters the cases of a suite; return which suite it was, and what came of it.

    Raises:
        Failure: The suite, a pattern or the list of failures is wrong.
    """
    used, sha256 = _load(level, suite)
    try:
        asked = runner.chosen([{"id": case.id} for case in used.cases], only, skip)
        expected = runner.read_known(str(known)) if known else []
    except runner.Misuse as error:
        raise Failure(str(error)) from error
    names = {case["id"] for case in asked}
    cases = [case for case in used.cases if case.id in names]
    ids = [case.id for case in used.cases if case.demand is not Demand.MAY]
    unused = tuple(pattern for pattern in expected if not fnmatch.filter(ids, pattern))
    for pattern in unused:
        sys.stderr.write(
            f"{shown(pattern)} is known to fail, but no case that can fail has this name.\n"
        )
    today = datetime.now(UTC).date().isoformat()
    tested = UsedSuite(used.version, used.level.value, sha256, today, unused)
    with _progress(used.level.value, len(cases) * len(commands)) as advance:
        reports = ask(
            commands,
            cases,
            timeout_seconds,
            advance,
            used.games,
            from_game=from_game,
            known=expected,
        )
    return tested, reports


def _load(level: str, path: Path | None) -> tuple[Suite, str]:
    """Return the suite of a file, or of a level, and the hash of the file."""
    if path is None and level == Level.FULL.value:
        from sanproof.verify.conformance.strings import full_suite_lines  # noqa: PLC0415 - loads chess

        # It is too large to be published.
        name, content = "the full suite", "".join(full_suite_lines(published_directory())).encode()
    else:
        path = path or published_directory() / "conformance" / f"{level}.json"
        name, content = shown(str(path)), read_limited(path, MOST_OF_A_SUITE)
    return read_suite(content, name), hashlib.sha256(content).hexdigest()


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show progress on a terminal; a build's log needs no such lines."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with progress_display(total, "suite") as display:
        display.begin(what, 0)
        yield display.advance


def _known_lines(report: LibraryReport, tested: UsedSuite) -> Iterator[str]:
    """Yield a file of the failures that a library has now."""
    yield f"# {report.title}, suite {tested.version}: an id or a shell pattern a line.\n"
    yield from (f"{entry.case.id}\n" for entry in report.entries if entry.is_failure)


def _refuse_what_is_unfinished(reports: Sequence[LibraryReport]) -> None:
    """Raise the sentence for what is neither a yes nor a no."""
    ended = [report for report in reports if report.ended is not None]
    if ended:
        said = " ".join(f"{report.title} {report.ended}." for report in ended)
        raise Unfinished(f"Not all cases could be asked. {said}")
    untested = [report.title for report in reports if report.is_untested]
    if untested:
        raise Unfinished(f"Nothing was tested: {' and '.join(untested)} answered no case.")
