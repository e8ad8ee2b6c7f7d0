"""Each kind of forgery is caught; and what says that it is does see a kernel or an audit err."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import chess
import pytest

from sanproof.proofs.kernel import certificates, theorem
from sanproof.proofs.kernel import games as kernel_games
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.reports.tables.names import COVER, MANIFEST, WITNESSES
from tests.campaigns.forging import __main__ as campaign
from tests.campaigns.forging import kernel, model
from tests.campaigns.forging.__main__ import EVIDENCE, KINDS, Row, before_the_kernel, kernel_scene
from tests.campaigns.forging.claims import Claims, with_cover
from tests.campaigns.forging.games import LIES
from tests.campaigns.forging.model import (
    Forgery,
    NotCaught,
    Runs,
    audit_files,
    check_caught,
    scene_of,
    sealed,
    text_of,
)
from tests.campaigns.forging.parts import (
    certificates_of,
    games_of,
    is_played,
    is_refutation,
)
from tests.campaigns.forging.tables import TOLD
from tests.campaigns.forging.trees import SCHEMAS
from tests.proofs.kernel.evidence import part


def wrong_before_the_kernel(names: list[str], count: int = 1) -> list[str]:
    return [wrong for row in before_the_kernel(names, count, 7) for wrong in row.wrong]


@pytest.mark.parametrize("start", range(20))
@pytest.mark.usually(1)
def test_the_kernel_accepts_no_forgery(start: int) -> None:
    assert wrong_before_the_kernel(list(EVIDENCE)[start::20]) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usually(2)
def test_the_audit_passes_no_forgery(runs: Runs, kind: str) -> None:
    check_caught(KINDS[kind](scene_of(runs, kind, 0)))


# The lie is caught, however it is told.


def test_what_is_put_together_without_a_lie_passes(runs: Runs) -> None:
    for files in runs:
        assert sealed(files) == files
        assert sealed(files, files) == files
        assert Claims.of(files).files() == files
    for schema in (*SCHEMAS.values(), *TOLD.values()):
        text = text_of(runs.run if schema.file == WITNESSES else runs.played, schema.file)
        assert schema.write(schema.read(text)) == text
    assert with_cover(runs.played) == runs.played
    assert audit_files(runs.played).cover == len(games_of(runs.played, COVER))


def test_the_forgers_own_checks_pass_what_is_sound(runs: Runs) -> None:
    for files in runs:
        assert certificates_of(files)
        assert all(map(is_refutation, certificates_of(files)))
    assert games_of(runs.played)
    assert all(map(is_played, games_of(runs.played)))


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
        assert all(map(is_played, games_of(forgery.files, name)))
        assert said in check_caught(forgery)


@pytest.mark.slow
def test_few_kinds_are_harmless_to_the_kernel() -> None:
    files = kernel.contents_of(part())
    harmless = [
        name for name in EVIDENCE if EVIDENCE[name](kernel_scene(files, name, 0, 0)).harmless
    ]
    assert 0 < len(harmless) < 30 < len(EVIDENCE) / 20


def test_a_seed_says_what_is_forged(runs: Runs) -> None:
    for kind in [*list(KINDS)[::60], "text of san_strings.txt: a bit flipped"]:
        one, same, other = (KINDS[kind](scene_of(runs, kind, 0, seed)) for seed in (1, 1, 2))
        assert one.files == same.files
        if kind == "text of san_strings.txt: a bit flipped":
            assert one.files != other.files


def test_every_file_of_a_run_is_damaged(runs: Runs) -> None:
    kind = KINDS["raw: a bit flipped"]
    damaged = {name for n in range(200) for name in kind(scene_of(runs, "bits", n)).named}
    assert damaged == {*runs.played, *runs.run}
    assert MANIFEST in damaged


# A kernel or an audit that errs is seen.


def leniently(replay: kernel_games.Replay, *arguments: Any) -> kernel_games.Shown:  # noqa: ANN401
    """Check a game as the kernel does, but that it need not end in mate."""
    try:
        return CHECK(replay, *arguments)
    except kernel_games.GameError as error:
        if "end in checkmate" not in str(error):
            raise
        return kernel_games.Shown(arguments[2], white=arguments[1] % 2 == 1)


CHECK = kernel_games.Replay.check
PLANTED: dict[str, tuple[object, str, Callable[..., object], str]] = {
    "refutations are not followed": (certificates, "check_refutation", lambda *_: 1, "refutation:"),
    "any order of games": (theorem, "pairwise", lambda _: [], "damaged games.txt.xz: lines, from"),
    "no mate is needed": (kernel_games.Replay, "check", leniently, "games: no mate"),
    "repetition": (chess.Board, "is_fivefold_repetition", lambda _: False, "drawn by repetition"),
    "75 moves": (chess.Board, "is_seventyfive_moves", lambda _: False, "drawn by 75 moves"),
}


@pytest.mark.parametrize(("place", "name", "instead", "kind"), PLANTED.values(), ids=PLANTED)
@pytest.mark.usually(1)
def test_a_kernel_that_errs_is_seen(
    place: object,
    name: str,
    instead: Callable[..., object],
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [name for name in EVIDENCE if kind in name][:25]
    assert names
    monkeypatch.setattr(place, name, instead)
    # Hide it from what audits here remember.
    monkeypatch.setattr(theorem, "check_certificate", certificates.check_certificate)
    assert wrong_before_the_kernel(names, 25 // len(names))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (None, "it passes"),
        (EvidenceError("manifest.json: it is the wrong file"), "does not name witnesses.csv"),
        (EvidenceError("witnesses.csv: something"), "does not name Nxb1"),
        (EvidenceError("witnesses.csv: Nxb1\n"), "not one line"),
        (KeyError("Nxb1"), "crashes: KeyError"),
        (MemoryError(), "crashes: MemoryError"),
    ],
)
def test_an_audit_that_errs_is_seen(runs: Runs, error: Exception | None, said: str) -> None:
    forgery = Forgery(runs.run, (WITNESSES,), ("Nxb1",))
    with (
        mock.patch.object(model, "audit_here", side_effect=error),
        pytest.raises(NotCaught, match=said),
    ):
        check_caught(forgery)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (None, "it is accepted"),
        (EvidenceError("x" * 1000), None),
        (EvidenceError("a\nb"), "one plain line"),
        (EvidenceError("\xe9"), "one plain line"),
        (KeyError("x"), "KeyError"),
    ],
)
def test_a_wrong_answer_of_the_kernel_is_seen(error: Exception | None, said: str | None) -> None:
    sound = theorem.Theorem(0, frozenset(), frozenset(), 0, 0, 0)
    with mock.patch.object(kernel, "judge", side_effect=error, return_value=sound):
        forgery = Forgery({}, ())
        if said is None:  # a message is cut where it is made
            assert kernel.check_refused(forgery, mock.Mock(), sound)
        else:
            with pytest.raises(NotCaught, match=said):
                kernel.check_refused(forgery, mock.Mock(), sound)


@pytest.mark.parametrize(("wrong", "code"), [([], 0), (["text 0: it passes"], 1)])
def test_the_campaign_counts_and_fails(
    made: Path,
    wrong: list[str],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["forging", "--count", "3", "--seed", "7", "--only", "no such kind"]
    monkeypatch.setattr("sys.argv", arguments)
    monkeypatch.setattr(campaign, "make_runs", lambda _: None)
    monkeypatch.setattr(campaign, "read_runs", lambda _: made)
    monkeypatch.setattr(campaign, "by_the_program", lambda _: [])
    rows = [Row("text", 3, wrong), Row("sound", 2, [])]
    monkeypatch.setattr(campaign, "before_the_audit", lambda *_: rows)
    assert campaign.main() == code
    lines = capsys.readouterr().out.splitlines()
    assert ["all", "5", str(5 - len(wrong))] in [line.split() for line in lines]
    assert set(wrong) <= set(lines)
