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
    *arguments: str, columns: int, streams: Collection[str] = ("stdout",), typed: bytes = b""
) -> tuple[int, list[str]]:
    """Run sanproof with some of its standard streams on a terminal; the others go nowhere.

    Standard input is the terminal if something is typed there.

    Returns:
        The exit code, and the lines that the terminal shows.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    out, errors = (theirs if s in streams else subprocess.DEVNULL for s in ("stdout", "stderr"))
    with subprocess.Popen(
        command(*arguments),
        cwd=ROOT,
        env=environment | {"TERM": "xterm"},
        stdin=theirs if typed else subprocess.DEVNULL,
        stdout=out,
        stderr=errors,
    ) as process:
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        with suppress(OSError):  # the terminal's other side is closed
            while piece := os.read(ours, 1 << 16):
                shown += piece
        os.close(ours)
    return process.returncode, _CONTROL.sub("", shown.decode()).replace("\r\n", "\n").splitlines()
