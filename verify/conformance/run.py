"""``sanproof conformance run``: a suite, the adapters that answer it, and what is printed."""

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sanproof.reports.archive.door import published_directory
from sanproof.reports.tables.files import whole_file
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked, ask
from sanproof.verify.conformance.files import results
from sanproof.verify.errors import ANSWER_NO, Failure, Unfinished
from sanproof.verify.findings.formats import print_written, written
from sanproof.verify.work.progress import progress_display


def run_suite(
    form: str,
    out: Path | None,
    limit: int,
    unused_known: int = 0,
    write_known: Path | None = None,
    **asked: Any,  # noqa: ANN401 - of each its type
) -> int:
    """Ask adapters, as `ask_libraries` does, and print what came of it.

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
    suite, sha256, found = ask_libraries(**asked)
    reports = [one.report for one in found]

    def pieces(form: str) -> Iterator[str]:
        if form == "json":
            today = datetime.now(UTC).date().isoformat()
            return results(suite, sha256, today, found)
        if form == "junit":
            return _junit(reports)
        texts = (r.text(limit) if form == "text" else r.github(limit) for r in reports)
        return (f"{text}\n" for text in texts)

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
    if any(report.surprises for report in reports):
        return ANSWER_NO
    return unused_known if any(report.dropped for report in reports) else 0


def _junit(reports: Sequence[runner.Report]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sanproof conformance">\n'
    yield from (f"{report.testsuite()}\n" for report in reports)
    yield "</testsuites>\n"


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
    """Ask adapters the cases of a suite; return the suite, its file's hash, and what came of it.

    Raises:
        Failure: The suite, a pattern or the list of failures is wrong.
    """
    try:
        used, sha256 = _load(level, suite)
        cases = runner.chosen(used["cases"], only, skip)
        expected = runner.read_known(str(known)) if known else []
    except runner.Misuse as error:
        raise Failure(str(error)) from error
    with _progress(used["level"], len(cases) * len(commands)) as advance:
        found = ask(
            commands, used, cases, timeout_seconds, advance, from_game=from_game, known=expected
        )
    return used, sha256, found


def _load(level: str, path: Path | None) -> tuple[Any, str]:
    """Return the suite of a file, or of a level, and the hash of the file."""
    if path is None and level == "full":
        from sanproof.verify.conformance.strings import full_suite_lines  # noqa: PLC0415 - loads chess

        # It is too large to be published.
        name, content = "the full suite", "".join(full_suite_lines(published_directory())).encode()
    else:
        path = path or published_directory() / "conformance" / f"{level}.json"
        name, content = str(path), path.read_bytes()
    return runner.suite_of(content, name), hashlib.sha256(content).hexdigest()


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show progress on a terminal; a build's log needs no such lines."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with progress_display(total, "suite") as display:
        display.begin(what, 0)
        yield display.advance


def _refuse_what_is_unfinished(reports: Sequence[runner.Report]) -> None:
    """Raise the sentence for what is neither a yes nor a no."""
    if said := " ".join(f"{report.title} {report.ended}." for report in reports if report.ended):
        raise Unfinished(f"Not all cases could be asked. {said}")
    if untested := [report.title for report in reports if report.is_untested]:
        raise Unfinished(f"Nothing was tested: {' and '.join(untested)} answered no case.")
