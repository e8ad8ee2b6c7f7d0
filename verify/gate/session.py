"""``sanproof gate``: run a generator if asked to, read lists, and hold them against the proven."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from reports.exports.archive import ArchiveError, open_archive
from verify.errors import Failure
from verify.gate.compare import Evidence, GateReport, gate
from verify.gate.formats import FORMATS
from verify.gate.lists import STANDARD_INPUT, StringList, bounded, parse_list, read_list, shown


def run_gate(
    files: Sequence[str],
    directory: Path | None,
    form: str,
    limit: int,
    *,
    bare: bool | None,
    afresh: bool,
    command: str | None = None,
    timeout_seconds: float = 600,
) -> bool:
    """Gate lists and print what was found.

    Args:
        files: The lists, ``-`` for standard input; with a command, what it writes, and if that is
            none, the list is what it prints.
        directory: A finished run to hold them against; the published data if None.
        form: One of ``FORMATS``.
        limit: How many differences of each sort are printed for people.
        bare: Whether the lists are those without suffixes; None to find out.
        afresh: Whether each difference is proved again.
        command: A shell command that makes the lists.
        timeout_seconds: How long it may take.

    Returns:
        Whether all lists are exactly right.

    Raises:
        Failure: A list or the run cannot be read, or the command fails.
    """
    try:
        archive = open_archive(directory)
        if not archive.is_complete:
            raise Failure(f"{archive.directory} did not decide every string: nothing to gate with.")
        evidence = _fresh_evidence() if afresh else None
        reports: list[GateReport] = [
            gate(strings, archive, bare=bare, evidence=evidence)
            for strings in _lists(files, command, timeout_seconds)
        ]
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
    click.echo(FORMATS[form](reports, limit))
    return all(report.exact for report in reports)


def _fresh_evidence() -> Evidence:
    """Proofs made now, with solvers: loaded only when asked for."""
    from verify.gate.fresh import fresh_evidence  # noqa: PLC0415

    return fresh_evidence()


def _lists(files: Sequence[str], command: str | None, timeout_seconds: float) -> list[StringList]:
    if command is None:
        return [read_list(name) for name in files or (STANDARD_INPUT,)]
    if STANDARD_INPUT in files:
        raise Failure("What the command prints is read when no file is named; leave out the '-'.")
    before = {name: _stamp(name) for name in files}
    printed = _run(command, timeout_seconds, captured=not files)
    if not files:
        return [parse_list(command, printed)]
    return [_noted(read_list(name), before[name]) for name in files]


def _stamp(name: str) -> tuple[int, int] | None:
    with suppress(OSError, ValueError):
        found = Path(name).stat()
        return found.st_mtime_ns, found.st_ino
    return None


def _noted(strings: StringList, before: tuple[int, int] | None) -> StringList:
    """The list, with a remark if the command left it as it was."""
    if before is None or before != _stamp(strings.source):
        return strings
    return strings._replace(notes=(*strings.notes, "The command did not write it anew."))


def _run(command: str, timeout_seconds: float, *, captured: bool) -> bytes:
    """Run a shell command to its end, and end whatever it leaves behind.

    Returns:
        What it printed, if that is captured; otherwise it goes to standard error.

    Raises:
        Failure: It fails, takes too long, or prints more than a list can hold.
    """
    deadline = time.monotonic() + timeout_seconds
    printed = b""
    try:
        with _group(command, subprocess.PIPE if captured else 2) as process:
            if process.stdout:
                # What has left the group can hold the pipe open for ever.
                printed = bounded(process.stdout, "What the command prints", deadline)
            code = process.wait(max(0.0, deadline - time.monotonic()))
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        late = f"The command {shown(command)} did not end within {timeout_seconds:g} s."
        raise Failure(late) from error
    if code:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise Failure(f"The command {shown(command)} failed with {how}.")
    return printed


@contextmanager
def _group(command: str, stdout: int) -> Iterator[subprocess.Popen[bytes]]:
    """A shell in a process group of its own, which ends with the block."""
    sys.stdout.flush()
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        _end_group(process)
        process.wait()
        if process.stdout:
            process.stdout.close()


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
