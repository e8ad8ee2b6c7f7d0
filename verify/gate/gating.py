"""``sanproof gate``: run a generator if asked to, read lists, and compare them with the proven."""

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.reports.escaping import shown
from sanproof.verify.errors import Failure
from sanproof.verify.findings.finding import STANDARD_INPUT
from sanproof.verify.findings.formats import Display, print_written
from sanproof.verify.findings.width import columns_of
from sanproof.verify.gate.compare import Gate, GateReport, prove_all
from sanproof.verify.gate.formats import FORMATS
from sanproof.verify.gate.lists import StringList, bounded, parse_list, read_list
from sanproof.verify.work import signals


def run_gate(
    lists: Iterable[StringList],
    directory: Path | None,
    form: str,
    limit: int,
    *,
    bare: bool | None,
    prove: bool,
    ordered: bool = False,
) -> bool:
    """Gate lists and print what was found, in one of ``FORMATS``; whether all are exactly right.

    They are compared with a finished run, or with the published data. With ``prove``, each
    difference is proved again; ``bare`` and ``ordered`` are those of :class:`Gate`.

    Raises:
        Failure: The run cannot be read.
    """
    display = Display(limit, columns_of(sys.stdout))
    exact = True

    def compared() -> Iterator[GateReport]:
        nonlocal exact
        explain = prove_all if prove else None
        gate = Gate(open_complete(directory), bare=bare, ordered=ordered, explain=explain)
        for strings in lists:
            report = gate.compare(strings)
            exact = exact and report.exact
            yield report

    try:
        print_written(form, FORMATS[form](compared(), display))
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
    return exact


def lists_of(
    files: Sequence[str], command: str | None, timeout_seconds: float
) -> Iterator[StringList]:
    """Yield lists one by one, each read when its turn comes; ``-`` is standard input.

    With a shell command, the files are what it writes; without files, the list is what it
    prints.

    Raises:
        Failure: A list cannot be read, or the command fails.
    """
    if command is None:
        yield from map(read_list, files or (STANDARD_INPUT,))
        return
    if STANDARD_INPUT in files:
        raise Failure("Without --reads the gate reads what the command prints: leave out the '-'.")
    before = {name: _modified(name) for name in files}
    printed = _run(command, timeout_seconds, captured=not files)
    if not files:
        yield parse_list(command, printed)
    for name in files:
        strings = read_list(name)
        if before[name] == _modified(name):
            note = "The command did not rewrite it."
            strings = strings._replace(notes=(*strings.notes, note))
        yield strings


def _modified(name: str) -> int:
    """Return when a file was written, if it is there."""
    with suppress(OSError, ValueError):
        return Path(name).stat().st_mtime_ns
    return 0


def _run(command: str, timeout_seconds: float, *, captured: bool) -> bytes:
    """Run a shell command in a process group of its own, and end whatever it leaves behind.

    Returns:
        What it printed, if that is captured; otherwise it goes to standard error.

    Raises:
        Failure: It fails, takes too long, or prints more than a list can hold.
    """
    deadline = time.monotonic() + timeout_seconds
    printed, process = b"", None
    try:
        with signals.postponed():  # or one that arrives here would leave the command alive
            process = subprocess.Popen(
                ["/bin/sh", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if captured else 2,
                start_new_session=True,
            )
            signals.add_group(process.pid)
        if process.stdout:
            # A process that has left the group can hold the pipe open for ever.
            printed = bounded(process.stdout, "What the command prints", deadline)
        code = process.wait(max(0.0, deadline - time.monotonic()))
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        late = f"The command {shown(command)} did not end within {timeout_seconds:g} s."
        raise Failure(late) from error
    finally:
        if process is not None:
            signals.end_group(process.pid)
            process.wait()
            if process.stdout:
                process.stdout.close()
    if code:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        raise Failure(f"The command {shown(command)} failed with {how}.")
    return printed
