"""The README's commands are run: each as it stands there, or on a part where it takes long."""

import doctest
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.verify.command import ROOT, shell

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
LONG: Final[Mapping[str, str]] = {
    "sanproof verify --out run": "sanproof verify --out run --only O-O",
    "sanproof read Nge2 --fen FEN": "sanproof read Nge2 --fen '{fen}'",
    "sanproof write g1e2 --fen FEN": "sanproof write g1e2 --fen '{fen}'",
    "sanproof position FEN": "sanproof position '{fen}'",
    "sanproof gate mine.txt": "sanproof gate {data}/san_strings.txt",
    "sanproof scan data/cover.pgn.xz --out scan": "sanproof scan {games} --out scan",
    "python -I -m sanproof.proofs.kernel data": "python -m sanproof.proofs.kernel --help",
    "nox": "true",
}
"""The commands that are run in place of some that take minutes, or name what is not there.

The kernel and the audit of the whole data, and nox itself, are sessions of their own."""
FEN: Final = "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3"
GAMES: Final = ROOT / "tests/games/real-games.pgn"
NO: Final = frozenset({"sanproof explain 'Ba1b2+'", "python -I -m sanproof.proofs.kernel data"})
"""The commands that do not end with 0: an impossible string, and a kernel without a folder."""


def commands() -> list[str]:
    """Return the commands of the blocks, in their order."""
    found = re.findall(r"^\$ (.+)$", README, re.MULTILINE)
    for block in blocks("sh"):
        parts = re.split(r" && |\n", re.sub(r" +# .*", "", block))
        found += [part.removeprefix(".venv/bin/") for part in parts]
    return [c for c in dict.fromkeys(found) if re.match(r"sanproof |python |nox$", c)]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of this tree in a shell."""
    line = LONG.get(command, command)
    return shell(line.format(fen=FEN, data=ROOT / "data", games=GAMES), folder)


def test_every_command_is_known_and_does_its_work(tmp_path: Path) -> None:
    found = commands()
    assert {"sanproof verify --out run", "nox", "sanproof explain 'Ba1b2+'"} <= set(found)
    assert set(LONG) <= set(found)
    for command in found:
        done = run(command, tmp_path)
        assert "Traceback" not in done.stderr, command
        assert (done.returncode == 0) == (command not in NO), (command, done.stderr)


def test_what_is_shown_is_what_is_printed(tmp_path: Path) -> None:
    assert blocks("console")
    for block in blocks("console"):
        command, _, output = block.removeprefix("$ ").partition("\n")
        printed = run(command, tmp_path).stdout
        assert doctest.OutputChecker().check_output(output, printed, doctest.ELLIPSIS), printed


def test_python_answers_as_it_says() -> None:
    (block,) = blocks("python")
    names: dict[str, object] = {}
    said = 0
    for line in block.splitlines():
        code, _, comment = line.partition("  # ")
        if re.match(r"(import|\w+ =)", code):
            exec(code, names)
        else:
            value = eval(code, names) if code else None
            said += comment in {repr(value), str(value)}
    assert said == 2


def test_the_two_commands_that_set_up_and_test_are_there() -> None:
    """``.ci/run`` and others' builds look for them."""
    verify = "sanproof verify --out run"
    setup = f"python3 -m venv .venv && .venv/bin/pip install '.[prove]' && .venv/bin/{verify}\n"
    assert setup in blocks("sh")
    assert ".venv/bin/pip install nox && .venv/bin/nox\n" in blocks("sh")
