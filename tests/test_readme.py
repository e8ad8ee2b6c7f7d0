"""The README's commands are run: each as it stands there, or on a part where it takes long."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.verify.command import PROGRAM, ROOT

README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
LONG: Final[Mapping[str, str]] = {
    "sanproof verify --out run": "sanproof verify --out run --only 'Ka1*'",
    "sanproof read Nge2 --fen FEN": "sanproof read Nge2 --fen '{fen}'",
    "sanproof write g1e2 --fen FEN": "sanproof write g1e2 --fen '{fen}'",
    "sanproof position FEN": "sanproof position '{fen}'",
    "sanproof gate mine.txt": "sanproof gate {data}/san_strings.txt",
    "sanproof scan data/cover.pgn.xz --out scan": "sanproof scan {data}/cover.pgn.xz --out scan",
    "python -I -m sanproof.proofs.kernel data": "python -m sanproof.proofs.kernel --help",
    "sanproof audit data": "sanproof audit --help",
    "sanproof verify --no-games": "sanproof verify --no-games --out positions --only 'Ka1*'",
    "nox": "true",
}
"""What is run in the place of a command that takes minutes, or that names what is not there.

The kernel and the audit of the whole data, and nox itself, are sessions of their own."""
FEN: Final = "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3"
NO: Final = frozenset({"sanproof explain 'Ba1b2+'", "python -I -m sanproof.proofs.kernel data"})
"""What ends with another exit code than 0: an impossible string, and a kernel without a folder."""


def commands() -> list[str]:
    """The commands of the tables and of the blocks that show an output, in their order."""
    cells = re.findall(r"^\| (`[^|]+`) \|", README, re.MULTILINE)
    spans = [span for cell in cells for span in re.findall(r"`([^`]+)`", cell)]
    found = [span.removeprefix(".venv/bin/") for span in spans]
    found += re.findall(r"^\$ (.+)$", README, re.MULTILINE)
    return [c for c in dict.fromkeys(found) if re.match(r"sanproof |python |nox$", c)]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of this tree in a shell."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, text in (
        # Worker processes load the program's file again, as they do that of an installed program.
        (
            "sanproof",
            (
                f"import sys\nsys.path.insert(0, '{ROOT}')\n"
                f"if __name__ == '__main__':\n    {PROGRAM}\n"
            ),
        ),
        (
            "python",
            f"import os, sys\nos.execv('{sys.executable}', ['{sys.executable}', *sys.argv[1:]])\n",
        ),
    ):
        (programs / name).write_text(f"#!{sys.executable}\n{text}")
        (programs / name).chmod(0o755)
    line = LONG.get(command, command).format(fen=FEN, data=ROOT / "data")
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_command_is_known_and_does_its_work(tmp_path: Path) -> None:
    found = commands()
    assert {"sanproof verify --out run", "nox", "sanproof explain 'Ba1b2+'"} <= set(found)
    assert set(LONG) <= set(found)
    for command in found:
        done = run(command, tmp_path)
        assert "Traceback" not in done.stderr, command
        assert (done.returncode == 0) == (command not in NO), (command, done.stderr)


def test_what_is_shown_is_what_is_printed(tmp_path: Path) -> None:
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        command, _, output = block.removeprefix("$ ").partition("\n")
        assert run(command, tmp_path).stdout == output


@pytest.mark.parametrize("text", ["KERNEL_", "TIME_", "BENCH_TABLE", "EXPLAIN_OUTPUT"])
def test_no_place_is_left_to_fill_in(text: str) -> None:
    for page in (README, (ROOT / "TRUST.md").read_text(encoding="utf-8")):
        assert text not in page


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target
