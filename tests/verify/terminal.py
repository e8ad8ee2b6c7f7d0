"""A command on a terminal of so many columns."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Collection
from contextlib import suppress

from tests.verify.command import ROOT, command

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def on_terminal(
    *arguments: str, columns: int, streams: Collection[str] = ("stdout",), variable: bool = False
) -> tuple[int, list[str]]:
    """Run sanproof with some of its standard streams on a terminal.

    Args:
        arguments: The command's.
        columns: How wide the terminal is.
        streams: Which of ``stdout`` and ``stderr`` the terminal shows; the others go nowhere.
        variable: Whether the variable COLUMNS says so, and not the terminal.

    Returns:
        The exit code, and the lines that the terminal shows.
    """
    ours, theirs = pty.openpty()
    size = struct.pack("HHHH", 24, 0 if variable else columns, 0, 0)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    environment |= {"TERM": "xterm"} | ({"COLUMNS": str(columns)} if variable else {})
    places = {s: theirs if s in streams else subprocess.DEVNULL for s in ("stdout", "stderr")}
    with subprocess.Popen(
        command(*arguments),
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=places["stdout"],
        stderr=places["stderr"],
    ) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # the terminal's other side is closed
            while piece := os.read(ours, 1 << 16):
                shown += piece
        os.close(ours)
    return process.returncode, _CONTROL.sub("", shown.decode()).replace("\r\n", "\n").splitlines()


def expect_fit(lines: list[str], columns: int) -> None:
    """No line is wider than the terminal, but for one word that is longer than a line."""
    assert lines
    for line in lines:
        assert len(line) <= columns or len(line.split()) == 1, line
