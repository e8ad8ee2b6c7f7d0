"""The package as it is released and installed: one name, whatever else has the folders' names."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from docs.site import hatch_build
from tests.campaigns.release import ReleaseError, check_tag
from tests.verify.command import ROOT

FOLDERS = ("generator", "proofs", "reports", "verify")
ASK = "import sanproof; print(sanproof.look_up('Ba1b2+').reason)"


def run(*command: str, cwd: Path, **env: str) -> str:
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **env}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout.strip()


@pytest.mark.slow
def test_one_name_is_installed(tmp_path: Path) -> None:
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    run(sys.executable, "-m", "pip", "wheel", *options, "-w", ".", str(ROOT), cwd=tmp_path)
    (wheel,) = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"sanproof"}
    assert len(names) == len(set(names))
    tracked = run("git", "ls-files", *(f"{folder}/*.py" for folder in FOLDERS), cwd=ROOT).split()
    assert {f"sanproof/{name}" for name in tracked} <= set(names)


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """Fill a folder with a user's own files that have the names of our folders."""
    for name in FOLDERS[::2]:
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('{name}.py was run')\n")
    for name in FOLDERS[1::2]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise RuntimeError('{name} was run')\n")
    (tmp_path / "script.py").write_text(ASK + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["script.py"], "no-check"),
        (["-m", "sanproof", "verify", "--only", "O-O", "--no-games", "--out", "run"], ""),
    ],
)
def test_it_runs_in_a_folder_full_of_such_names(
    crowded: Path, arguments: list[str], answer: str
) -> None:
    path = os.pathsep.join((".", str(ROOT)))
    assert answer in run(sys.executable, *arguments, cwd=crowded, PYTHONPATH=path)


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    program = "import sys, sanproof; print(*(m for m in sys.modules if m.startswith('sanproof')))"
    assert run(sys.executable, "-c", program, cwd=ROOT) == "sanproof"


def test_every_link_of_readme_is_absolute_on_pypi() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    made = hatch_build.absolute(readme, "https://github.com/someone/sanproof", "t")
    targets = re.findall(r"\]\(([^)\s]+)\)", made)
    assert len(targets) == len(re.findall(r"\]\(([^)\s]+)\)", readme)) > 10
    assert all(target.startswith(("https://", "#")) for target in targets)
    text = "[![a](b.svg)](c.md) [d](https://e) [f](#g) ![h](i.png)"  # a picture within a link
    assert hatch_build.absolute(text, "https://r", "t") == (
        "[![a](https://r/raw/t/b.svg)](https://r/blob/t/c.md) [d](https://e) [f](#g) "
        "![h](https://r/raw/t/i.png)"
    )


@pytest.mark.parametrize(
    ("version", "heading"),
    [
        ("2.0.1", "[2.0.0] - 2026-12-01"),
        ("2.0.0", "[2.0.0] - not yet released"),
        ("2.0.0", "[1.9.0] - 2026-12-01"),
    ],
)
def test_a_tag_that_disagrees_is_refused(tmp_path: Path, version: str, heading: str) -> None:
    for number, head in (("2.0.0", "[2.0.0] - 2026-12-01"), (version, heading)):
        (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{number}"\n')
        (tmp_path / "CHANGELOG.md").write_text(
            f"# Changelog\n\n## {head}\n\n- a\n\n## [0]\n\n- b\n"
        )
        if heading != head:
            check_tag(tmp_path, "v2.0.0")
    with pytest.raises(ReleaseError):
        check_tag(tmp_path, "v2.0.0")
