"""What the commands ask of a run."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import cli

WHOLE = "a cover is of all strings, and of games"
ASKED = {
    "verify": (True, True, None),
    "verify --cover": (True, True, None),
    "verify --no-cover": (True, False, None),
    "verify --no-games": (False, False, None),
    "verify --no-games --no-cover": (False, False, None),
    "verify --only Q*d4": (True, False, None),
    "verify --only Q*d4 --no-cover": (True, False, None),
    "verify --only Q*d4 --cover": WHOLE,
    "verify --no-games --cover": WHOLE,
    "verify --scheduler tls://a.b:1": (True, True, "tls://a.b:1"),
    "verify --scheduler tcp://[::1]:65535": (True, True, "tcp://[::1]:65535"),
    "verify --scheduler tcp://a.b:65536": "is not of the form tcp://HOST:PORT",
    "verify --scheduler tcp://a.b:1 --workers 1": "leave out --workers",
    "games": (True, True, None),
    "games --only Q*d4": (True, False, None),
}
"""For each line whether games and a cover are asked for, and from which scheduler; or an error."""


@pytest.mark.parametrize("line", ASKED)
def test_the_cover_is_part_of_a_whole_run(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bool, bool, str | None]] = []

    def run(
        *_: object, games: bool = True, cover: bool = False, scheduler: str | None = None
    ) -> None:
        asked.append((games, cover, scheduler))

    monkeypatch.setattr("sanproof.verify.run.runner.run", run)
    monkeypatch.setattr("sanproof.verify.run.show.show_result", lambda *_: 0)
    (tmp_path / "run.sqlite3").touch()
    name, *options = line.split()
    place = ["--out", str(tmp_path)] if name == "verify" else [str(tmp_path)]
    done = CliRunner().invoke(cli, [name, *place, *options])
    expected = ASKED[line]
    if isinstance(expected, str):
        assert (done.exit_code, asked) == (2, [])
        assert expected in done.output
    else:
        assert (done.exit_code, done.output, asked) == (0, "", [expected])
