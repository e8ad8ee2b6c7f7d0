"""A command that is forked does what one does that is started, and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.command import command
from tests.verify.forking import Forker, forker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are forked on Linux")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["explain", "Ba1b2+"],
        ["explain", "Zz9"],
        ["scan", "--check", "no.pgn"],
        ["gate", "list.txt"],
        ["\udcff"],
        [],
    ],
    ids=" ".join,
)
@pytest.mark.usually(2)
def test_it_ends_as_a_command_that_is_started(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("e4\nNf3\n")
    server = forker()
    assert server is not None
    started = subprocess.run(command(*arguments), cwd=tmp_path, capture_output=True, check=False)
    for _ in range(2):  # what it has loaded the second finds loaded
        forked = server.run(arguments, tmp_path)
        assert forked.returncode == started.returncode
        assert (forked.stdout, forked.stderr) == (started.stdout, started.stderr)


def test_much_is_written_and_read(tmp_path: Path) -> None:
    server = forker()
    assert server is not None
    listed = server.run(["export", "--what", "impossible"], tmp_path)
    plain = subprocess.run(
        command("export", "--what", "impossible"), cwd=tmp_path, capture_output=True, check=False
    )
    assert len(listed.stdout) > 1_000_000
    assert (listed.stdout, listed.returncode) == (plain.stdout, plain.returncode)
    assert not list(tmp_path.iterdir())


def test_a_signal_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the number that Python's module has for it."""
    monkeypatch.setattr(
        "tests.verify.forking.SERVER",
        "import os, signal, sys; import sanproof.verify.commands.start as start; "
        "start.main = lambda: os.kill(os.getpid(), signal.SIGKILL); "
        "from tests.verify.forking import serve; serve(int(sys.argv[1]))",
    )
    server = Forker()
    assert server.run(["explain", "e4"], tmp_path).returncode == -9
    server.close()


def test_one_that_has_ended_is_an_error(tmp_path: Path) -> None:
    server = Forker()
    server._process.kill()
    server._process.wait()
    with pytest.raises((OSError, RuntimeError)):
        server.run(["--version"], tmp_path)
    server.close()


def test_nothing_is_left(tmp_path: Path) -> None:
    server = Forker()
    assert server.run(["--version"], tmp_path).returncode == 0
    server.close()
    assert server._process.returncode == 0
    with pytest.raises(ChildProcessError):
        os.waitpid(server._process.pid, 0)


def test_another_environment_is_no_reason_to_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    server = forker()
    assert server is not None
    assert server.is_alike()
    monkeypatch.setenv("COLUMNS", "33")
    assert not server.is_alike()
