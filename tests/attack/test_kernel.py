"""The attack itself: forgeries are refused, and the runner reports a kernel that does not."""

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import chess
import pytest

from sanproof.proofs.kernel import certificates, games, theorem
from tests.attack import kernel
from tests.attack.containers import contents_of
from tests.attack.folders import TRAPS, Trap
from tests.attack.forgery import read_game, read_paragraph
from tests.attack.kernel import (
    KINDS,
    Verdict,
    attack_in_process,
    forgeries,
    refused,
    report,
    run,
    sentence_wrong,
    written,
)
from tests.proofs.kernel.evidence import part

Check = Callable[[games.Replay, Sequence[str], int, str], games.Shown]


def wrong_ones() -> list[Verdict]:
    """What the kernel does wrong first."""
    return list(islice((v for v in attack_in_process(part(), 7, 1) if v.wrong), 3))


@pytest.mark.slow
def test_no_forgery_is_accepted() -> None:
    assert wrong_ones() == []


@pytest.mark.slow
def test_each_forgery_is_made_and_differs_from_the_evidence() -> None:
    """Some are alike by chance, and are shown once."""
    all_of_them = [(kind, name) for kind, name, _, _ in forgeries(part(), 7, 1)]
    made = set(all_of_them)
    listed = {(kind, f.name) for kind, forgeries in KINDS.items() for f in forgeries}
    assert len(listed - made) < len(listed) // 20
    assert len(all_of_them) > 250


def test_lines_and_paragraphs_are_taken_apart_and_put_together() -> None:
    for line in part().games.splitlines():
        assert str(read_game(line)) == line
    text = part().certificates
    assert "".join(str(read_paragraph(p + "\n\n")) for p in text.split("\n\n")[:-1]) == text


def leniently(
    replay: games.Replay,
    moves: Sequence[str],
    ply: int,
    san: str,
    check: Check = games.Replay.check,
) -> games.Shown:
    """The kernel's check of a game, but that no game needs to end in mate."""
    try:
        return check(replay, moves, ply, san)
    except games.GameError as error:
        if "end in checkmate" not in str(error):
            raise
        return games.Shown(san, white=ply % 2 == 1)


PLANTED: dict[str, tuple[object, str, Callable[..., object]]] = {
    "refutations are not followed": (certificates, "check_refutation", lambda *_: 1),
    "certificates may come in any order": (theorem, "pairwise", lambda _: []),
    "a game need not end in mate": (games.Replay, "check", leniently),
    "draws are not noticed": (chess.Board, "is_fivefold_repetition", lambda _: False),
    "75 moves are not noticed": (chess.Board, "is_seventyfive_moves", lambda _: False),
}


@pytest.mark.slow
@pytest.mark.parametrize(("place", "name", "instead"), PLANTED.values(), ids=PLANTED)
def test_a_kernel_that_is_wrong_is_noticed(
    place: object, name: str, instead: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, name, instead)
    assert wrong_ones()


def test_a_long_or_broken_sentence_is_wrong() -> None:
    assert not sentence_wrong("a.txt: is not so")
    assert "characters" in sentence_wrong("x" * 1000)
    assert "plain line" in sentence_wrong("a\nb")
    assert "plain line" in sentence_wrong("\xe9")


QUICK = [trap for trap in TRAPS if "for certificates" in trap.name and "link" in trap.name]


@pytest.mark.parametrize("trap", QUICK, ids=lambda trap: trap.name)
@pytest.mark.usually(1)
def test_traps_are_refused_by_the_program(trap: Trap, tmp_path: Path) -> None:
    written(contents_of(part()), tmp_path)
    trap.set_up(tmp_path)
    answer = run(kernel.ON_A_PART, str(tmp_path))
    assert not refused(answer, trap.says)
    assert "something else" in refused(answer, "no such words")
    assert "exit code 1" in refused(answer, trap.says, code=2)


def test_the_report_counts(capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = [
        Verdict("a", "one", "", accepted=False, seconds=1),
        Verdict("a", "two", "", accepted=True, seconds=1),
        Verdict("b", "three", "accepted", accepted=True, seconds=1),
    ]
    assert report(verdicts, every=False) == 1
    told = capsys.readouterr().out
    assert "b: three: accepted" in told
    assert "one" not in told
    assert "| a | 2 | 1 | 1 |" in told
    assert "| **all** | 3 | 1 | 2 |" in told


@pytest.mark.slow
def test_forgeries_do_not_depend_on_the_day() -> None:
    first, second = (
        [forged for *_, forged in islice(forgeries(part(), 3, 1), 40)] for _ in range(2)
    )
    assert first == second
