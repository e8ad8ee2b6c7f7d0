"""A forgery of each kind is caught; and what says that they are is no dupe itself."""

import json
import sys
from pathlib import Path
from unittest import mock

import pytest

from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.reports.tables.names import COVER, MANIFEST, SUMMARY, WITNESSES
from tests.forgeries import __main__ as runner
from tests.forgeries import bombs, model
from tests.forgeries.certificates import certificates_of, is_refutation
from tests.forgeries.claims import Claims
from tests.forgeries.covers import with_cover
from tests.forgeries.games import LIES, is_played, read_lines
from tests.forgeries.kinds import KINDS
from tests.forgeries.manifests import resealed
from tests.forgeries.model import (
    Forgery,
    NotCaught,
    Runs,
    audit_files,
    check_caught,
    scene_of,
    sealed,
    text_of,
)
from tests.forgeries.summaries import with_true_counts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usually(30)
def test_a_forgery_is_caught(runs: Runs, kind: str) -> None:
    check_caught(KINDS[kind](scene_of(runs, kind, 0)))


@pytest.mark.parametrize("number", range(1, 5))
def test_another_scope_is_a_lie(runs: Runs, number: int) -> None:
    """Of pawns and kings both scopes have the same formula."""
    check_caught(KINDS["certificate: scope"](scene_of(runs, "certificate: scope", number)))


@pytest.mark.slow  # the session `corruption` drops them as well
@pytest.mark.parametrize("group", bombs.GROUPS)
def test_a_bomb_is_refused_with_little_memory(made: Path, group: str) -> None:
    assert bombs.not_caught(made, group) == dict.fromkeys(bombs.GROUPS[group], "")


# What is caught is the lie, and not how it is told.


def test_what_is_put_together_without_a_lie_passes(runs: Runs) -> None:
    for files in runs:
        assert sealed(files) == files
        assert resealed(files, lambda _: None) == files
        assert with_true_counts(files, files) == files
        assert Claims.of(files).files() == files
    assert with_cover(runs.played) == runs.played
    assert audit_files(runs.played).cover == len(read_lines(text_of(runs.played, COVER)))


def test_the_forgers_own_checkers_pass_what_is_sound(runs: Runs) -> None:
    for files in runs:
        assert all(map(is_refutation, certificates_of(files)))
    assert all(map(is_played, read_lines(text_of(runs.played, GAMES))))


@pytest.mark.parametrize(
    ("lie", "said"),
    [("drawn by repetition", "fivefold repetition"), ("drawn by 75 moves", "75 moves")],
)
def test_a_game_that_is_over_is_called_so(runs: Runs, lie: str, said: str) -> None:
    """Nothing else is wrong with it: python-chess plays it to its mate."""
    assert lie in LIES
    for kind in (f"games: {lie}", f"run, games: {lie}", f"cover: {lie}"):
        forgery = KINDS[kind](scene_of(runs, kind, 0))
        name = COVER if kind.startswith("cover") else GAMES
        assert all(map(is_played, read_lines(text_of(forgery.files, name))))
        assert said in check_caught(forgery)


def test_a_seed_says_what_is_forged(runs: Runs) -> None:
    for kind in [*list(KINDS)[::27], "text: a bit flipped"]:
        if not kind.startswith(("raw", "certificate", "run")):  # their files are made, or found
            one, same, other = (KINDS[kind](scene_of(runs, kind, 0, seed)) for seed in (1, 1, 2))
            assert one.files == same.files
            if kind == "text: a bit flipped":
                assert one.files != other.files


# A wrong answer is not counted.


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (EvidenceError("manifest.json: it is the wrong file"), "does not name witnesses.csv"),
        (EvidenceError("witnesses.csv: something"), "does not name Nxb1"),
        (EvidenceError("witnesses.csv: Nxb1\n"), "not one line"),
        (KeyError("Nxb1"), "crashes: KeyError"),
        (MemoryError(), "crashes: MemoryError"),
    ],
)
def test_a_wrong_answer_does_not_count_as_caught(runs: Runs, error: Exception, said: str) -> None:
    forgery = Forgery(runs.run, (WITNESSES,), ("Nxb1",))
    with (
        mock.patch.object(model, "audit_here", side_effect=error),
        pytest.raises(NotCaught, match=said),
    ):
        check_caught(forgery)


def test_an_audit_that_passes_all_catches_nothing(
    runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    some = {kind: KINDS[kind] for kind in list(KINDS)[::20]}
    with (
        mock.patch.object(model, "audit_here", return_value=None),
        mock.patch.object(runner, "KINDS", some),
    ):
        rows = list(runner.try_kinds(runs, 1, seed=0))
    assert [(row.kind, row.tried, len(row.wrong)) for row in rows] == [(k, 1, 1) for k in some]
    assert len(runner.show(rows)) == len(some)
    assert capsys.readouterr().out.splitlines()[-1].split() == ["all", str(len(some)), "0"]


@pytest.mark.parametrize(("wrong", "code"), [([], 0), (["text 0: it passes"], 1)])
def test_the_runner_fails_if_something_was_not_caught(
    made: Path, wrong: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["forgeries", "--count", "3", "--seed", "7"])
    seen = []

    def rows(_: Runs, count: int, seed: int) -> list[runner.Row]:
        seen.append((count, seed))
        return [runner.Row("text", count, wrong)]

    monkeypatch.setattr(runner, "make_runs", lambda _: None)
    monkeypatch.setattr(runner, "read_runs", lambda _: made)
    monkeypatch.setattr(runner, "try_kinds", rows)
    monkeypatch.setattr(runner, "drop_bombs", lambda _: [])
    assert runner.main() == code
    assert seen == [(3, 7)]


def test_a_bomb_that_is_not_refused_is_reported(
    runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    harmless = {"nothing": (SUMMARY, lambda files: files[SUMMARY])}
    bombs.drop(runs.run, runs.played, harmless)
    kind, wrong, _ = json.loads(capsys.readouterr().out)
    assert kind == "nothing"
    assert "it passes" in wrong


def test_every_file_of_a_run_is_damaged(runs: Runs) -> None:
    damaged = {
        name
        for number in range(200)
        for name in KINDS["raw: a bit flipped"](scene_of(runs, "bits", number)).named
    }
    assert damaged == {*runs.played, *runs.run}
    assert MANIFEST in damaged
