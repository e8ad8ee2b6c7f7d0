"""Every session and campaign is run by something regularly, and what names them names real ones."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.campaigns.__main__ import ROOT, Campaign, main, read_table
from tests.campaigns.mutation.detectors import modules

NOXFILE: Final = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
WEEKLY: Final = (ROOT / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8")
CONTRIBUTING: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CAMPAIGNS: Final = read_table()
BY_HAND: Final = {"lock"}
"""It changes files that are read before they are committed."""
MAX_SESSIONS: Final = 12
TEXTS: Final = ("*.md", "*.py", "*.toml", "*.yml", "*.csv", ".gitignore")


def sessions() -> set[str]:
    """Return the functions of noxfile.py that are sessions."""
    return {
        node.name
        for node in NOXFILE.body
        if isinstance(node, ast.FunctionDef)
        and any("nox.session" in ast.unparse(decorator) for decorator in node.decorator_list)
    }


def by_default() -> set[str]:
    """Return what ``nox`` runs without arguments."""
    (names,) = (
        ast.literal_eval(node.value)
        for node in NOXFILE.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "nox.options.sessions"
    )
    return set(names)


def every_week() -> list[str]:
    """Return the sessions of the weekly workflow, some with arguments."""
    (matrix,) = re.findall(r"^ {8}session:\n((?: {10}- .*\n)+)", WEEKLY, re.MULTILINE)
    return re.findall(r"- (.*)", matrix)


def tracked(*patterns: str) -> list[Path]:
    """Return the tracked files whose names match."""
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in done.stdout.splitlines() if (path := ROOT / name).is_file()]


def test_every_session_is_run_regularly() -> None:
    weekly = {session.split(" ")[0] for session in every_week()}
    assert by_default() | weekly | {"harden"} | BY_HAND == sessions()
    assert {"formal -- --coqchk", "full -- --cover"} <= set(every_week())
    assert len(sessions()) <= MAX_SESSIONS


def test_the_workflow_runs_the_campaigns_of_the_table() -> None:
    assert "table=$(python -m tests.campaigns --json)" in WEEKLY
    assert "--session harden -- ${{ matrix.campaign.name }}\n" in WEEKLY
    # With no package installed, as there.
    command = (sys.executable, "-I", "-S", "-c", "import runpy, sys; sys.path.insert(0, '.'); ")
    program = "sys.argv = ['', '--json']; runpy.run_module('tests.campaigns', run_name='__main__')"
    done = subprocess.run(
        [*command[:-1], command[-1] + program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    rows = json.loads(done.stdout)
    assert [row["name"] for row in rows] == [c.name for c in CAMPAIGNS.values() if c.weekly]
    assert {key for row in rows for key in row} <= set(
        re.findall(r"matrix\.campaign\.(\w+)", WEEKLY)
    )


def test_contributing_names_the_sessions() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \| .* \| ([^|]+) \|$", CONTRIBUTING, re.MULTILINE))
    assert set(table) == sessions()
    assert {name for name, when in table.items() if when.startswith("yes")} == by_default()


@pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=CAMPAIGNS)
def test_a_campaign_runs_what_exists(campaign: Campaign) -> None:
    for command in campaign.commands([]):
        for name in re.findall(r"-m ((?:tests|conformance)[.\w]+)", " ".join(command)):
            path = ROOT.joinpath(*name.split("."))
            assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), name
        for name in re.findall(r"(?<![\w./])tests/[\w/]+", " ".join(command)):
            assert (ROOT / name).exists(), name
    assert all((ROOT / f"requirements/{lock}.lock").exists() for lock in campaign.locks)
    assert not campaign.npm or (ROOT / campaign.npm / "package-lock.json").is_file()
    assert not campaign.after or campaign.after.split(" ")[0] in sessions()
    assert bool(campaign.arguments) <= any("{arguments}" in command for command in campaign.run)


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = re.sub(r"\s+", " ", capsys.readouterr().out)
    for campaign in CAMPAIGNS.values():
        assert f"{campaign.name} {campaign.does} ({campaign.minutes} min, " in printed
        assert campaign.debian in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nonsense"], "no campaign nonsense"), (["suite", "x"], "no arguments")],
)
def test_misuse_is_said(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_missing_program_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["acl2"]) == 2
    assert (
        capsys.readouterr().err
        == f"NOTHING WAS CHECKED: apt-get install {CAMPAIGNS['acl2'].debian}\n"
    )


def test_what_is_said_to_run_exists() -> None:
    seen = 0
    for path in tracked(*TEXTS):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"nox (?:-R )?-s ([a-z]\w*)", text):
            assert name in sessions(), (path, name)
            seen += 1
        for name in re.findall(r"-s harden -- ([a-z]\w*)", text):
            assert name in CAMPAIGNS, (path, name)
            seen += 1
    assert seen > 40


def test_what_a_change_is_tested_with_exists() -> None:
    named = re.findall(r"--only ([\w.]+)", CONTRIBUTING)
    assert named
    for only in named:
        assert any(only in module for module in modules()), only
    for path in re.findall(r"tests/[a-z_./]+", CONTRIBUTING):
        assert (ROOT / path).exists(), path
