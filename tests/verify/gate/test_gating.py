"""The gate's session: many lists, terminals."""

from pathlib import Path

import pytest

from tests.verify.command import command, completed, on_terminal


@pytest.mark.parametrize("form", ["json", "junit", "sarif"])
def test_a_form_for_programs_is_printed_whole_or_not_at_all(tmp_path: Path, form: str) -> None:
    run = completed(
        command("gate", "--format", form, "data/san_strings.txt", str(tmp_path / "none"))
    )
    assert (run.returncode, run.stdout) == (2, "")


@pytest.mark.slow
def test_a_terminal_is_told_that_its_input_is_waited_for() -> None:
    code, shown = on_terminal("gate", columns=200, streams=["stderr"], typed=b"e4\ne5\n\x04")
    assert code == 1
    assert "Type or paste the list" in "".join(shown)
    assert "Ctrl-D" in "".join(shown)
