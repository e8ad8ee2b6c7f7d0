"""The claims of a release: one address, one version, links that lead somewhere on PyPI."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest

from docs.site import addresses, hatch_build
from tests.campaigns import release
from tests.verify.command import ROOT

PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
REPOSITORY: Final = "https://github.com/someone/sanproof"
VERSION: Final = PROJECT["project"]["version"]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")


def tracked() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in names.split("\0") if name]


def places(text: str, paths: list[Path]) -> list[str]:
    """Return the lines of files that are text and hold a text, as `path:line`."""
    found = []
    for path in paths:
        if path.is_symlink() or not path.is_file() or b"\0" in (content := path.read_bytes()):
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            if text in line:
                found.append(f"{path.relative_to(ROOT)}:{number}")
    return found


@pytest.mark.parametrize(
    "origin",
    ["https://github.com/someone/sanproof", "git@github.com:someone/sanproof.git", "../elsewhere"],
)
def test_the_address_is_where_the_clone_comes_from(
    origin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert addresses.repository_of(tmp_path) is None
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "remote", "add", "origin", origin], check=True)
    assert addresses.repository_of(tmp_path) == (REPOSITORY if "someone" in origin else None)
    monkeypatch.setenv("GITHUB_REPOSITORY", "other/fork")
    assert addresses.repository_of(tmp_path) == "https://github.com/other/fork"


def test_the_version_stands_in_one_place() -> None:
    pages = [p for p in tracked() if p.suffix in {".toml", ".cff", ".py", ".yml"}]
    held = [place for place in places(f'"{VERSION}"', pages) if place.startswith("pyproject")]
    assert len(held) == 1
    others = places(f'sanproof {VERSION}"', pages) + places(f'__version__ = "{VERSION}', pages)
    assert others == []


def test_every_link_of_readme_is_absolute_on_pypi() -> None:
    made = hatch_build.absolute(README, REPOSITORY, "v1")
    targets = re.findall(r"\]\(([^)\s]+)\)", made)
    assert len(targets) == len(re.findall(r"\]\(([^)\s]+)\)", README)) > 20
    assert all(target.startswith("https://") for target in targets)
    assert f"({REPOSITORY}/raw/v1/docs/pictures/string.png)" in made
    assert f"({REPOSITORY}/blob/v1/TRUST.md)" in made
    assert f"({REPOSITORY}/actions/workflows/ci.yml/badge.svg)" in made


def test_a_picture_within_a_link_keeps_both() -> None:
    text = "[![a](b.svg)](c.md) [d](https://e) [f](#g) ![h](i.png)"
    assert hatch_build.absolute(text, "https://r", "t") == (
        "[![a](https://r/raw/t/b.svg)](https://r/blob/t/c.md) [d](https://e) [f](#g) "
        "![h](https://r/raw/t/i.png)"
    )


def test_the_badge_says_what_is_proved() -> None:
    strings = (ROOT / "data" / "san_strings_with_symbols.txt").read_text("ascii").split("\n")
    count = f"{len(strings):,}"
    assert f"[![{count} strings proved](docs/pictures/proved.svg)]" in README
    assert f"strings proved: {count}" in (ROOT / "docs/pictures/proved.svg").read_text("utf-8")


def tree(folder: Path, version: str, heading: str) -> Path:
    (folder / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n\n- a\n\n## [0.9]\n\n- b\n")
    return folder


@pytest.mark.parametrize(
    ("version", "heading", "said"),
    [
        ("2.0.1", "[2.0.0] - 2026-12-01", "The tag is v2.0.0 and the version 2.0.1."),
        ("2.0.0", "[2.0.0] - not yet released", "The changelog begins with"),
        ("2.0.0", "[1.9.0] - 2026-12-01", "The changelog begins with"),
    ],
)
def test_a_tag_that_disagrees_is_refused(
    tmp_path: Path, version: str, heading: str, said: str
) -> None:
    with pytest.raises(release.ReleaseError, match=re.escape(said)):
        release.check_tag(tree(tmp_path, version, heading), "v2.0.0")
    release.check_tag(tree(tmp_path, "2.0.0", "[2.0.0] - 2026-12-01"), "v2.0.0")


def test_the_workflows_call_sessions_that_there_are() -> None:
    nox = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        for line in re.findall(r"\.ci/run --session (\w.+)", path.read_text(encoding="utf-8")):
            for name in line.partition(" --")[0].split():
                assert f"\ndef {name}(" in nox, (path.name, name)
