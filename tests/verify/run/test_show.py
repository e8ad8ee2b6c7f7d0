"""What a run prints in the end: sentences for every number, on terminals of every width."""

import contextlib
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.verdicts.rulings import Verdict
from sanproof.verify.run.runner import RunResult
from sanproof.verify.run.show import show_result
from tests.sentences import broken

DIRECTORY = Path("a-directory-with-a-long-name/run")


def counted(reachable: int, undecided: int = 0) -> dict[str, int]:
    return dict(zip((v.value for v in Verdict), (reachable, 1000, undecided), strict=True))


def summary(strings: int, *, games: int | None, cover: int | None = None) -> dict[str, Any]:
    """What a run of some reachable strings says of itself."""

    def lengths(number: int) -> dict[str, Any]:
        return {"games": number, "plies_mean": 60.3 if number else None}

    players = {"white and black": strings} if strings else {}
    return {
        "only": "N*",
        **counted(strings),
        "by_piece": {"knight": counted(strings)},
        "by_suffix": {"no suffix": counted(strings)},
        "by_discriminator": {"nothing written": counted(strings)},
        "games": None if games is None else lengths(games) | {"strings_by_player": players},
        "cover": None if cover is None else lengths(cover) | {"mates": cover},
        "generator": {"strings": strings, "missing": {}, "too_many": {}},
        "undecided_strings": [],
        "undecided_players": [],
        "times": {
            "working_seconds": 0.0,
            "deciding_worker_seconds": 44.1,
            "games_worker_seconds": 3.2 if games else 0,
            "cover_worker_seconds": 0,
            "writing_seconds": 0.3,
        },
    }


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def printed(
    counts: dict[str, Any], *, again: bool = False, columns: int | None = None
) -> tuple[bool, str]:
    """What is printed, and what is answered; on a terminal if it has columns."""
    output = StringIO() if columns is None else Terminal()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(output):
        patch.setenv("COLUMNS", str(columns or 80))
        patch.setenv("TERM", "xterm")
        answer = show_result(RunResult(counts, again=again), DIRECTORY)
    return answer, re.sub(r"\x1b\[[0-9;]*m", "", output.getvalue())


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize(
    ("strings", "games"), [(0, None), (0, 0), (1, None), (1, 1), (1, 2), (2, 4), (28_938, 57_216)]
)
def test_no_sentence_breaks_on_small_numbers(
    strings: int, games: int | None, *, again: bool
) -> None:
    answer, text = printed(summary(strings, games=games, cover=games), again=again)
    assert answer
    said = text.split("┘")[1]
    assert not broken(said), said
    for words in ("  show", "0 games", "(work", " ."):
        assert words not in said, said
    assert ("This command searched" in text) != again
    assert "workers' time since the run began: 44.1 s deciding" in text


def test_one_undecided_string_is_it_and_two_are_them() -> None:
    for number, words in ((1, "1 string, such as Nf3. Nothing follows for it."),
                          (2, "2 strings, such as Nf3. Nothing follows for them.")):  # fmt: skip
        counts = summary(3, games=None) | counted(3, number) | {"undecided_strings": ["Nf3"]}
        answer, text = printed(counts)
        assert not answer
        assert f"UNDECIDED: {words}" in text


def test_a_difference_of_the_generator_is_an_answer() -> None:
    check = {"strings": 3, "missing": {"Nf3": "fen"}, "too_many": {"Nf4": "Nf4 cannot be."}}
    answer, text = printed(summary(3, games=None) | {"generator": check})
    assert not answer
    assert "DIFFERS: 1 missing, 1 too many" in text
    assert "missing Nf3: played in fen" in text


@given(st.integers(1, 120), st.sampled_from([0, 1, 28_938]), st.sampled_from([None, 0, 57_216]))
def test_no_word_is_cut_on_any_terminal(columns: int, strings: int, games: int | None) -> None:
    """The words are those of a wide one; lines are no longer than they must be.

    A number for which there is no room may be cut after a comma, as in the output of all commands.
    """
    counts = summary(strings, games=games, cover=games)
    _, text = printed(counts, columns=columns)
    words = set(printed(counts, columns=1000)[1].split()) | set(printed(counts)[1].split())
    plain = {word for number in ("reachable,", "impossible,", "undecided") for word in [number]}
    numbers = {f"{n:,}" for n in (strings, 1000, 0)}
    labels = {"knight:", "suffix:", "written:", "all:"}
    whole = words | plain | numbers | labels
    pieces = {piece for word in whole for piece in re.split("(?<=[|,])(?=.)", word)}
    assert set(text.split()) <= whole | pieces
    for line in text.splitlines():
        assert len(line) <= columns or len(line.split()) == 1


def test_a_pipe_gets_whole_sentences_and_the_table() -> None:
    _, text = printed(summary(28_938, games=57_216))
    assert "┃ reachable ┃" in text
    assert text.endswith(f"\nEverything is in {DIRECTORY}.\n")
    (line,) = [line for line in text.splitlines() if "legal game" in line]
    assert line.endswith("28,938 by white and black.")
