"""The output of a run in the end: a table, and sentences that are right for every number."""

from pathlib import Path
from typing import Any

import pytest

from sanproof.proofs.theory.reasons import Verdict
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.run.show import MAX_DIFFERENCES, show_result
from tests.sentences import broken

DIRECTORY = Path("a-directory-with-a-long-name/run")


def counted(reachable: int, undecided: int = 0) -> dict[str, int]:
    return dict(zip((v.value for v in Verdict), (reachable, 1000, undecided), strict=True))


def summary(strings: int, *, games: int | None, cover: int | None = None) -> dict[str, Any]:
    """Return what a run of some reachable strings says of itself."""

    def lengths(number: int) -> dict[str, Any]:
        return {"games": number, "plies_mean": 60.3 if number else None}

    players = {"white and black": strings} if strings else {}
    return {
        "only": "[a-h]*",
        **counted(strings),
        "by_piece": {"knight": counted(strings)},
        "by_suffix": {"no suffix": counted(strings)},
        "by_discriminator": {"nothing written": counted(strings)},
        "refuted": games or 2,
        "games": None if games is None else lengths(games) | {"strings_by_player": players},
        "cover": None if cover is None else lengths(cover) | {"mates": cover},
        "generator": {"strings": strings, "missing": {}, "too_many": {}},
        "undecided_strings": [],
        "undecided_players": [],
        "times": {
            "working_seconds": 0.0,
            "writing_seconds": 0.3,
            "deciding_worker_seconds": 44.1,
            "games_worker_seconds": 3.2 if games else 0,
            "cover_worker_seconds": 0,
        },
    }


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize(("strings", "games"), [(0, None), (1, 1), (1, 2), (28_938, 57_216)])
def test_what_was_found_is_said_in_whole_sentences(
    capsys: pytest.CaptureFixture[str], strings: int, games: int | None, *, again: bool
) -> None:
    counts = summary(strings, games=games, cover=games)
    assert show_result(counts, DIRECTORY, again=again) == 0
    table, _, said = capsys.readouterr().out.partition("\n  all ")
    assert "SAN strings matching [a-h]*\n" in table  # which is no markup
    assert ("finished before" in table) == again == ("This command searched" not in said)
    assert f" {strings:,} " in table
    assert not broken(said), said
    assert (f"{games or 0:,} game" in said) == bool(games)
    assert f"refute {games or 2:,} formula" in said
    assert f"44.1 s deciding{', 3.2 s games' if games else ''}" in said
    assert str(DIRECTORY) in said


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (counted(3, 1) | {"undecided_strings": ["Nf3"]}, "UNDECIDED: 1 string, such as Nf3"),
        ({"undecided_players": ["Nf3 by black"]}, "UNDECIDED: who plays 1 string, such as Nf3"),
    ],
)
def test_what_is_undecided(
    capsys: pytest.CaptureFixture[str], counts: dict[str, Any], words: str
) -> None:
    assert show_result(summary(3, games=3) | counts, DIRECTORY, again=False) == UNDECIDED
    assert words in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["missing", "too_many"])
@pytest.mark.parametrize("number", [1, MAX_DIFFERENCES + 2])
def test_differences_of_the_generator(
    capsys: pytest.CaptureFixture[str], kind: str, number: int
) -> None:
    found = {f"string {n}": f"why {n}" for n in range(number)}
    check = {"strings": 3, "missing": {}, "too_many": {}, kind: found}
    counts = summary(3, games=None) | {"generator": check}
    assert show_result(counts, DIRECTORY, again=False) == ANSWER_NO
    said = capsys.readouterr().out
    numbers = (number, 0) if kind == "missing" else (0, number)
    assert "DIFFERS: {} missing, {} too many".format(*numbers) in said
    assert said.count("why") == min(number, MAX_DIFFERENCES)
    assert ("and 2 more, in summary.json" in said) == (number > MAX_DIFFERENCES)
