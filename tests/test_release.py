"""The claims of a release: its tag, and links that lead somewhere on PyPI."""

import re
from pathlib import Path

import pytest

from docs.site import hatch_build
from tests.campaigns import release
from tests.verify.command import ROOT


def test_every_link_of_readme_is_absolute_on_pypi() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    made = hatch_build.absolute(readme, "https://github.com/someone/sanproof", "t")
    targets = re.findall(r"\]\(([^)\s]+)\)", made)
    assert len(targets) == len(re.findall(r"\]\(([^)\s]+)\)", readme)) > 10
    assert all(target.startswith(("https://", "#")) for target in targets)


def test_a_picture_within_a_link_keeps_both() -> None:
    text = "[![a](b.svg)](c.md) [d](https://e) [f](#g) ![h](i.png)"
    assert hatch_build.absolute(text, "https://r", "t") == (
        "[![a](https://r/raw/t/b.svg)](https://r/blob/t/c.md) [d](https://e) [f](#g) "
        "![h](https://r/raw/t/i.png)"
    )


@pytest.mark.parametrize(
    ("version", "heading", "is_right"),
    [
        ("2.0.0", "[2.0.0] - 2026-12-01", True),
        ("2.0.1", "[2.0.0] - 2026-12-01", False),
        ("2.0.0", "[2.0.0] - not yet released", False),
        ("2.0.0", "[1.9.0] - 2026-12-01", False),
    ],
)
def test_a_tag_that_disagrees_is_refused(
    tmp_path: Path, version: str, heading: str, *, is_right: bool
) -> None:
    (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n\n- a\n\n## [0]\n\n- b\n")
    if is_right:
        release.check_tag(tmp_path, "v2.0.0")
    else:
        with pytest.raises(release.ReleaseError):
            release.check_tag(tmp_path, "v2.0.0")


def test_the_workflows_call_sessions_that_there_are() -> None:
    nox = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        for line in re.findall(r"\.ci/run --session (\w.+)", path.read_text(encoding="utf-8")):
            for name in line.partition(" --")[0].split():
                assert f"\ndef {name}(" in nox, (path.name, name)
