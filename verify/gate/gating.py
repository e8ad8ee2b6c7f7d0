"""``sanproof gate``: run a generator if asked to, read lists, and compare them with the proven."""

import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
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
    display: Display,
    *,
    bare: bool | None,
    prove: bool,
    ordered: bool = False,
) -> bool:
    """Gate lists and print what was found, in one of ``FORMATS``; whether all are exactly right.

    They are compared with a finished run, or with the published data. With ``prove``, each
    difference is proved again. None for ``bare`` finds out which list each is. If they have to be
    ``ordered``, another order than the published one is a difference.

    Raises:
        Failure: The run cannot be read.
    """
    display = display._replace(columns=columns_of(sys.stdout))
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
    before = {name: _stamp(name) for name in files}
    printed = _run(command, timeout_seconds, captured=not files)
    if not files:
        yield parse_list(command, printed)
    for name in files:
        strings = read_list(name)
        if before[name] and before[name] == _stamp(name):
            note = "The command did not rewrite it."
            strings = strings._replace(notes=(*strings.notes, note))
        yield strings


def _stamp(name: str) -> tuple[int, int] | None:
    """Return what changes when a file is written; None if it is not there."""
    with suppress(OSError, ValueError):
        found = Path(name).stat()
        return found.st_mtime_ns, found.st_ino
    return None


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
                # A process that has left the group can hold the pipe open for ever.
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
    """Run a shell in a process group of its own, which ends with the block, whatever ends that."""
    sys.stdout.flush()
    with ExitStack() as stack:
        with signals.postponed():  # or one that arrives here would leave the command alive
            process = subprocess.Popen(
                ["/bin/sh", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                start_new_session=True,
            )
            signals.add_group(process.pid)
            if process.stdout:
                stack.callback(process.stdout.close)
            stack.callback(process.wait)
            stack.callback(signals.end_group, process.pid)
        yield process
