"""Every session of noxfile.py is run by somebody regularly, or it is said here why not."""

import ast
import re
from typing import Final

from tests.mutation.detectors import modules
from tests.verify.command import ROOT

NOXFILE: Final = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
WEEKLY: Final = (ROOT / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8")
CONTRIBUTING: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BY_HAND: Final = {
    "smoke": "a part of tests",
    "bench": "measures, and fails on nothing",
    "lock": "changes files that are read before they are committed",
    "trust": "prints a table; a test compares it with TRUST.md",
    "pictures": "changes pictures, which depend on the fonts of the system",
    "vendor": "for a change of the board: its bytes depend on the version of Node.js",
}


def sessions() -> set[str]:
    """The functions of noxfile.py that are sessions."""
    return {
        node.name
        for node in NOXFILE.body
        if isinstance(node, ast.FunctionDef)
        and any("nox.session" in ast.unparse(decorator) for decorator in node.decorator_list)
    }


def by_default() -> set[str]:
    """What ``nox`` runs without arguments."""
    (names,) = (
        ast.literal_eval(node.value)
        for node in NOXFILE.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "nox.options.sessions"
    )
    return set(names)


def every_week() -> list[str]:
    """The matrix of the weekly workflow: sessions, some with arguments."""
    (matrix,) = re.findall(r"^ {8}session:\n((?: {10}- .*\n)+)", WEEKLY, re.MULTILINE)
    return re.findall(r"- (.*)", matrix)


def weekly_sessions() -> set[str]:
    """The sessions of the weekly workflow that run without arguments."""
    return {session for session in every_week() if " " not in session}


def said() -> dict[str, str]:
    """The last column of the table of CONTRIBUTING.md: when each session runs."""
    return dict(re.findall(r"^\| `(\w+)` \| .* \| ([^|]+) \|$", CONTRIBUTING, re.MULTILINE))


def test_every_session_has_one_place() -> None:
    places = [by_default(), weekly_sessions(), set(BY_HAND)]
    assert set().union(*places) == sessions()
    assert sum(map(len, places)) == len(sessions())


def test_the_workflow_runs_its_matrix() -> None:
    assert "- run: .venv/bin/nox -s ${{ matrix.session }}\n" in WEEKLY
    listed = every_week()
    assert len(set(listed)) == len(listed)
    for session in listed:
        name, *arguments = session.split(" ")
        assert name in sessions()
        assert not arguments or arguments[0] == "--"


def test_conditions_of_the_workflow_name_sessions_of_its_matrix() -> None:
    named = set(re.findall(r"matrix\.session == '([^']+)'", WEEKLY))
    for group in re.findall(r"fromJSON\('\[(.*?)\]'\)", WEEKLY):
        named |= set(re.findall(r'"([^"]+)"', group))
    assert named
    assert named <= set(every_week())


def test_contributing_says_when_each_session_runs() -> None:
    table = said()
    assert set(table) == sessions()
    assert {name for name, when in table.items() if when.startswith("yes")} == by_default()
    assert {name for name, when in table.items() if when == "weekly"} == weekly_sessions()
    assert {name for name, when in table.items() if when == "no"} == set(BY_HAND)


def test_the_cover_is_found_from_nothing_every_week() -> None:
    assert "full -- --cover" in every_week()
    assert said()["full"] == "yes; weekly with games and cover"


def test_what_a_change_is_tested_with_exists() -> None:
    named = re.findall(r"--only ([\w.]+)", CONTRIBUTING)
    assert named
    for only in named:
        assert any(only in module for module in modules()), only
    assert set(re.findall(r"nox -s (\w+)", CONTRIBUTING)) <= sessions()
    for path in re.findall(r"tests/[a-z_./]+", CONTRIBUTING):
        assert (ROOT / path).exists(), path
