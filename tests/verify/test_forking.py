"""A command that is forked does what one does that is started, and leaves nothing behind."""

import sys
from pathlib import Path

import pytest

from sanproof.reports.archive.door import open_archive
from tests.verify.command import command, completed
from tests.verify.forking import Forker, forker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are forked on Linux")


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "Zz9"],
        ["export"],
        ["scan", "--check", "list.txt"],
        ["gate", "list.txt"],
        ["\udcff"],
    ],
    ids=ascii,
)
def test_it_ends_as_a_command_that_is_started(arguments: list[str], tmp_path: Path) -> None:
    sans = open_archive().strings(bare=True)
    (tmp_path / "list.txt").write_text("\n".join([*sans[1:], "e9"]))
    server = forker()
    assert server is not None
    started = completed(command(*arguments), cwd=tmp_path, text=False)
    forked = server.run(arguments, tmp_path)
    assert forked.returncode == started.returncode
    assert (forked.stdout, forked.stderr) == (started.stdout, started.stderr)
    assert len(forked.stdout) > 100_000 or forked.returncode
    assert [path.name for path in tmp_path.iterdir()] == ["list.txt"]


def test_it_ends_with_the_tests_and_its_end_is_an_error(tmp_path: Path) -> None:
    server = Forker()
    server._process.kill()
    server._process.wait()
    with pytest.raises((OSError, RuntimeError)):
        server.run(["--version"], tmp_path)
    server.close()
    server = Forker()
    assert server.run(["--version"], tmp_path).returncode == 0
    server.close()
    assert server._process.returncode == 0


def test_another_environment_is_no_reason_to_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    server = forker()
    assert server is not None
    assert server.is_alike()
    monkeypatch.setenv("COLUMNS", "33")
    assert not server.is_alike()
