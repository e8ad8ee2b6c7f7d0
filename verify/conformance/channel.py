"""A process that answers cases: its start, its lines, its end. Nothing here waits for it.

What a process writes is bounded wherever it is kept: a line by ``LONGEST_LINE``, its standard
error by its first and last bytes.
"""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from typing import IO, Final

from sanproof.reports.escaping import cut
from sanproof.verify.conformance.protocol import LONGEST_LINE
from sanproof.verify.work import signals

ENDED_WELL: Final = "ended with exit code 0"

_SIMPLE: Final = re.compile(r"[\w./][\w./-]*( +([\w./:,=+@%-]|'[^']*')+)* *")
"""A command for which the shell need not stay: it would hold its pipes open, and hide how it ends.
A program, and words that mean themselves or are in quotes."""
_PIECE: Final = 1 << 16
_FIRST_BYTES: Final = 1 << 13
_LAST_BYTES: Final = 400
_LONGEST_CAUSE: Final = 200
_CAUSE: Final = re.compile(r"^(?:[\w.]*(?:Error|Exception)\b|(?:error|fatal)\b).*", re.MULTILINE)
"""The line that says what is wrong: Python's is the last, that of Node.js is followed by others."""
_MOMENT_SECONDS: Final = 0.25
_STEP_SECONDS: Final = 0.005


class LineTooLong(Exception):
    """A process wrote more than a line can hold, and no line end."""


class LineReader:
    """Puts pieces of a stream together to lines."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, piece: bytes) -> list[bytes]:
        """The lines that end in a piece, without line ends; LineTooLong if one is too long."""
        *lines, rest = piece.split(b"\n")
        if lines:
            lines[0] = bytes(self._rest) + lines[0]
            self._rest = bytearray(rest)
        else:
            self._rest += rest
        if max(map(len, [*lines, self._rest])) > LONGEST_LINE:
            raise LineTooLong
        return lines


class Channel:
    """A process of an adapter, in a process group of its own.

    Its standard streams are ``input``, ``output`` and ``errors``, written and read without waiting.
    """

    def __init__(self, command: str) -> None:
        """Start a shell command; signals are to be held back meanwhile."""
        sys.stdout.flush()
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", f"exec {command}" if _SIMPLE.fullmatch(command) else command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        signals.add_group(self._process.pid)
        self.input, self.output, self.errors = (
            _not_waiting(pipe)
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._unsent = bytearray()
        self._reader = LineReader()
        self._first_errors = self._last_errors = b""

    @property
    def has_unsent(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._unsent)

    def send(self, line: bytes) -> None:
        """Have a line written, now or when the process reads."""
        self._unsent += line

    def flush(self) -> None:
        """Write as much as the process takes now."""
        try:
            while self._unsent:
                written = os.write(self.input.fileno(), self._unsent[:_PIECE])
                del self._unsent[:written]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it reads no more; whether it answers shows its output
            self._unsent.clear()

    def end_input(self) -> None:
        """Tell the process that nothing more comes."""
        with suppress(OSError):
            self.input.close()

    def lines(self) -> list[bytes] | None:
        """The lines that have arrived, None if the output is closed; or LineTooLong."""
        try:
            piece = os.read(self.output.fileno(), _PIECE)
        except BlockingIOError:
            return []
        if not piece:
            return None
        return self._reader.feed(piece)

    def read_errors(self) -> bool:
        """Read what has arrived on standard error, and say whether more can come."""
        try:
            piece = os.read(self.errors.fileno(), _PIECE)
        except BlockingIOError:
            return True
        room = _FIRST_BYTES - len(self._first_errors)
        self._first_errors += piece[:room]
        self._last_errors = (self._last_errors + piece[room:])[-_LAST_BYTES:]
        return bool(piece)

    def how_it_ended(self) -> str:
        """What became of a process that has closed its output, as a part of a sentence.

        It gets a moment to end. ``ENDED_WELL`` is the beginning if it ended as it should.
        """
        end = time.monotonic() + _MOMENT_SECONDS
        while (found := self._ended()) is None and time.monotonic() < end:
            time.sleep(_STEP_SECONDS)
        how = "closed its output" if found is None else found
        return how + self._cause()

    def close(self) -> None:
        """Kill the process and all that it started in its group."""
        signals.end_group(self._process.pid)
        for pipe in (self.input, self.output, self.errors):
            with suppress(OSError):
                pipe.close()
        self._process.wait()

    def _ended(self) -> str | None:
        """How the process ended; it is not forgotten, so that its number stays its own."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        found = os.waitid(os.P_PID, self._process.pid, flags)
        if found is None:
            return None
        if found.si_code == os.CLD_EXITED:
            return f"ended with exit code {found.si_status}"
        return f"was ended by signal {found.si_status}"

    def _cause(self) -> str:
        """What its standard error says, escaped: the first line that names an error, or the last.

        Of much text only the beginning and the end are searched.
        """
        for _ in range(_LAST_BYTES):
            before = self._first_errors, self._last_errors
            if not self.read_errors() or (self._first_errors, self._last_errors) == before:
                break
        words = (self._first_errors + self._last_errors).decode("utf-8", "replace").strip()
        if not words:
            return ""
        found = _CAUSE.search(words)
        line = found[0] if found else words.splitlines()[-1]
        return f"; its standard error says {cut(line.strip(), _LONGEST_CAUSE)!a}"


def _not_waiting(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise TypeError("a process was started without a pipe")
    os.set_blocking(pipe.fileno(), False)
    return pipe
