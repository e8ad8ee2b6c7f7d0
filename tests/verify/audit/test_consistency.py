"""Files are compared with the evidence: by the line, by what is counted, by another checker."""

import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.games.game import read_line
from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError, text_of
from sanproof.proofs.search import refute
from sanproof.proofs.search.refute import ask_z3
from sanproof.proofs.shortest.table import PUBLISHED, TABLE, ShortestRow, packed_game
from sanproof.reports.tables.names import COVER as FILE
from sanproof.reports.tables.names import (
    OBSERVED,
    OBSERVED_FILES,
    SUMMARY,
    SUMMARY_TEXT,
)
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.summary import to_json, to_markdown
from sanproof.verify.audit.auditor import closing_lines
from sanproof.verify.audit.whole import EXCERPT, difference
from sanproof.verify.claims.publish import check_cover
from tests.proofs.kernel.evidence import paragraphs
from tests.reports.archive.archives import write_observed, write_shortest
from tests.reports.samples import COVER, FOOLS, SCHOLARS
from tests.verify.audit.runs import Files, audit_files, audit_here, fast_audits, read_files, sealed

# Where two files differ is said by the line, and what makes games a cover

TEXTS = st.text("ab\n", max_size=30).map(str.encode)


@given(TEXTS, TEXTS)
@example(b"a", b"a\n")
@example(b"", b"a")
def test_the_first_line_that_differs_is_named(ours: bytes, theirs: bytes) -> None:
    if ours == theirs:
        return
    right, wrong = (text.decode().splitlines(keepends=True) for text in (ours, theirs))
    number = 0
    while right[number : number + 1] == wrong[number : number + 1]:
        number += 1
    should, does = (
        repr(lines[number]) if number < len(lines) else "the end" for lines in (right, wrong)
    )
    expected = f"line {number + 1} is {does}, and should be {should}"
    assert difference(ours, theirs) == expected


def test_of_a_long_line_the_part_is_shown_where_it_differs() -> None:
    ours, theirs = b"x" * 1000 + b"y" + b"\x1b" * 1000, b"x" * 1000 + b"w\xff" + b"z" * 1000
    said = difference(ours, theirs)
    assert ("xy" in said, "xw" in said, said.isprintable()) == (True, True, True)
    assert len(said) < 8 * EXCERPT


STRINGS = sorted({san for game in COVER for san in game.sans})


def test_games_that_show_every_string_pass() -> None:
    own = PgnGame(3, "e6", 1, ("f3", "e6", "g4", "Qh4#"))
    check_cover(COVER, STRINGS)
    check_cover([*COVER, own], [*STRINGS, "e6"])
    check_cover([], [])


WRONG: dict[str, tuple[Sequence[PgnGame], Sequence[str], str]] = {
    "a string in no game": (COVER, [*STRINGS, "Nf3"], "Nf3 is played in none of its games"),
    "a mate without its game": (
        COVER,
        [*STRINGS, "Qg7#"],
        "not one game for each mate.*Qg7#",
    ),
    "a mate that is not to be shown": (
        COVER,
        ["e4"],
        "not one game for each mate.*Q",
    ),
    "two games for a mate": ([*COVER, FOOLS], STRINGS, "not one game for each mate"),
    "no games": ([], ["Qh4#"], "not one game for each mate.*Qh4#"),
    "a mate that is not the end": (
        [FOOLS._replace(ply=1), SCHOLARS],
        STRINGS,
        "not one game for each mate.*Qh4#",
    ),
    "a game about another string only": (
        [FOOLS._replace(san="e5", ply=1), SCHOLARS],
        STRINGS,
        "not one game for each mate.*Qh4#",
    ),
    "a game that shows nothing more": (
        [*COVER, FOOLS._replace(number=3, san="f3", ply=0)],
        STRINGS,
        "f3 has a game and is in another",
    ),
}


@pytest.mark.parametrize(("cover", "strings", "said"), WRONG.values(), ids=WRONG)
def test_games_that_are_no_cover_fail(
    cover: Sequence[PgnGame], strings: Sequence[str], said: str
) -> None:
    with pytest.raises(EvidenceError, match=f"^{FILE}: {said}"):
        check_cover(cover, strings)


# Values that only a run itself can know have a fixed form; all other counts are counted again


@pytest.fixture(scope="module")
def played(made: Path) -> Iterator[Files]:
    with fast_audits():
        yield read_files(made / "played")


def with_part(files: Files, name: str, part: dict[str, Any]) -> Files:
    """Return the run with another part of its summary."""
    summary = json.loads(files[SUMMARY]) | {name: part}
    return sealed(files | {SUMMARY: to_json(summary), SUMMARY_TEXT: to_markdown(summary)})


@pytest.mark.parametrize("name", ["times", "search"])
def test_other_names_are_refused(played: Files, name: str) -> None:
    part = json.loads(played[SUMMARY])[name]
    for wrong in (part | {"proved_by_hand": 1}, dict(list(part.items())[1:]), {}):
        with pytest.raises(EvidenceError, match=f"^{SUMMARY}: "):
            audit_files(with_part(played, name, wrong))


# The second opinion: what this project's checker would let pass, Z3 does not


@pytest.fixture(scope="module")
def run(made: Path) -> Iterator[Files]:
    with fast_audits():
        yield read_files(made / "run")


def test_a_formula_with_a_model_is_refused(run: Files) -> None:
    """Even if the kernel's checker passed its refutation."""
    certificate = max(
        paragraphs(text_of(CERTIFICATES, run[CERTIFICATES])), key=lambda each: len(each.open)
    )
    ask_z3(str(certificate))
    wrong = str(certificate.without_open(certificate.open[-1]))
    with pytest.raises(EvidenceError):
        check_certificate(wrong)
    with pytest.raises(EvidenceError, match=f"cube {certificate.cube}: Z3 finds a model"):
        ask_z3(wrong)


def test_the_audit_fails_where_z3_finds_a_model(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refute, "z3_refutes", lambda _: False)
    with pytest.raises(EvidenceError, match=f"^{CERTIFICATES}: cube .*: Z3 finds a model"):
        audit_here(made / "run")


# Counts of played strings: a string that was seen and not proved fails the audit


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """Copy the run with games, to be changed."""
    return Path(copytree(made / "played", tmp_path / "run"))


def reachable(run: Path) -> list[str]:
    return (run / "san_strings_with_symbols.txt").read_text().split("\n")


def test_counts_of_proven_strings_pass_and_are_named(copied: Path) -> None:
    times = dict.fromkeys(reachable(copied)[1:], 3)
    audited = audit_here(write_observed(copied, times))
    assert audited.observed is not None
    assert (audited.observed.times, audited.unchecked) == (times, [])
    assert set(audited.digests) >= set(OBSERVED_FILES)
    assert f"Seen in games: {len(times):,} strings" in "\n".join(closing_lines(audited))


def test_a_planted_string_fails_the_audit(copied: Path) -> None:
    write_observed(copied, {reachable(copied)[0]: 1, "Ba1b2+": 2})
    with pytest.raises(EvidenceError, match=rf"{OBSERVED}: Ba1b2\+ was seen in a game, 2 times"):
        audit_here(copied)


# The shortest games: every row holds, none is missing, and the table is whole


Change = Callable[[list[ShortestRow]], object]


def forge(rows: list[ShortestRow], at: int, **change: Any) -> None:  # noqa: ANN401
    """Change a row."""
    rows[at] = rows[at]._replace(**change)


CHANGES: list[tuple[Change, str]] = [
    (lambda rows: rows.pop(), "has no row of "),
    (lambda rows: rows.append(ShortestRow("d4", 1, 1, rows[0].text)), "its move"),
    (lambda rows: forge(rows, 0, text=rows[0].text[:-4]), "does not end in checkmate"),
    (lambda rows: forge(rows, -1, text="e2e5" + rows[-1].text[4:]), "e2e5 is not legal"),
    (lambda rows: forge(rows, -1, ply=rows[-1].ply - 2), "its move"),
    (lambda rows: forge(rows, -1, bound=rows[-1].ply + 1), "no game has"),
    (lambda rows: rows.__setitem__(slice(None), highest(rows)), "is what is proved"),
]


def highest(rows: list[ShortestRow]) -> list[ShortestRow]:
    """Say of all games that none is shorter."""
    return [row._replace(bound=row.ply) for row in rows]


@pytest.fixture
def rows(copied: Path) -> list[ShortestRow]:
    """Return a row for each game of the run."""
    lines = lzma.decompress((copied / GAMES).read_bytes()).decode().splitlines()
    games = map(read_line, lines)
    return [ShortestRow(game.san, game.ply + 1, 1, packed_game(game.moves)) for game in games]


def test_a_sound_table_of_shortest_games_is_counted(copied: Path, rows: list[ShortestRow]) -> None:
    audited = audit_here(write_shortest(copied, rows))
    assert (audited.shortest, audited.unchecked) == (len(rows), [])
    assert TABLE in audited.digests
    assert f"Checked {len(rows)} shortest games too" in "\n".join(closing_lines(audited))


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_a_forged_row_fails_the_audit(
    change: Change, words: str, copied: Path, rows: list[ShortestRow]
) -> None:
    change(rows)
    with pytest.raises(EvidenceError, match=rf"^(part .. of )?{TABLE}: .*({words})"):
        audit_here(write_shortest(copied, rows))


def test_a_table_without_content_fails_the_audit(copied: Path, rows: list[ShortestRow]) -> None:
    (write_shortest(copied, rows) / PUBLISHED).write_bytes(b"")
    with pytest.raises(EvidenceError, match=f"^{TABLE}: has 0 parts"):
        audit_here(copied)
