"""Verdicts counted and listed once, and the files of a run, read back by other readers."""

import csv
import json
import lzma
from collections import Counter
from functools import cache
from io import StringIO
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_cube
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.theory.reasons import RULES, Findings, NoReason, Verdict, bare_strings
from sanproof.reports.tables.outputs import cover_index, lists, packed, tables
from sanproof.reports.tables.rows import RowError, rows
from sanproof.reports.tables.summary import count_cover, count_games, summary, to_json, to_markdown
from sanproof.reports.tables.survey import Kind, Survey, piece_name, survey
from sanproof.reports.tables.words import number_of
from tests.examples import examples
from tests.reports.samples import CLAIMED, COVER, FOOLS, SCHOLARS, findings, witness
from tests.sentences import broken
from tests.strings import strings_of
from tests.verify.command import ROOT

EVERY_CUBE = all_cubes()


@cache
def everything() -> Findings:
    return findings(EVERY_CUBE)


cubes = st.sampled_from(EVERY_CUBE)


@given(cubes, st.data())
@settings(max_examples=examples(30))
def test_each_string_is_ruled_once_whatever_is_shown(cube: Cube, data: st.DataObject) -> None:
    """Also one that no rule could show."""
    strange = data.draw(st.sampled_from(list(map(str, strings_of(cube)))))
    found = Findings(
        everything().witnesses | {strange: witness(strange)}, dict(everything().left_open)
    )
    for unproved in data.draw(st.sets(st.sampled_from([cube, exchanged_cube(cube)]))):
        del found.left_open[unproved]
    rulings = list(found.rulings([cube]))
    assert [ruling.bare for ruling in rulings] == list(bare_strings(cube))
    assert [found.ruling(ruling.bare) for ruling in rulings] == rulings


def test_a_proof_that_claims_too_much_finds_no_reason() -> None:
    """A closing proof that excludes what no rule excludes is not believed in silence."""
    for cube, san in ((Cube("O-O", "", ""), "O-O"), (Cube("N", "", "f3"), "Nf3")):
        found = findings(EVERY_CUBE, without=[san])
        found.left_open |= {cube: [], exchanged_cube(cube): []}
        with pytest.raises(NoReason, match=san):
            list(found.rulings([cube]))


def test_every_string_is_counted_and_listed_once_in_list_order() -> None:
    chosen = [*Random(0).sample(EVERY_CUBE, 12), Cube("O-O", "", ""), Cube("", "x", "a8")]
    found = Findings(everything().witnesses, dict(everything().left_open))
    opened = chosen[0]
    del found.left_open[opened]
    result = survey(found.rulings(chosen))
    strings = [str(san) for cube in chosen for san in strings_of(cube)]
    impossible = [line.split(",")[0] for line in result.impossible]
    assert Counter(result.reachable + impossible + result.undecided) == Counter(strings)
    assert set(result.undecided) >= {str(s) for s in strings_of(opened)} - CLAIMED
    for listed in (result.reachable, impossible, result.undecided):
        assert listed == sorted(listed, key=list_order)
    assert result.total() == len(strings)
    assert result.total(Verdict.REACHABLE) == len(result.reachable)
    assert result.total(Verdict.IMPOSSIBLE) == len(impossible)
    assert result.total(Verdict.UNDECIDED) == len(result.undecided)
    assert sum(sum(c.values()) for c in result.count(piece_name).values()) == len(strings)


NAMED = {
    "e4": ("pawn", "nothing written"),
    "exd5": ("pawn", "file written"),
    "Nbd7": ("knight", "file written"),
    "R1a3": ("rook", "rank written"),
    "Qa1b2#": ("queen", "square written"),
    "Ke2": ("king", "nothing written"),
    "O-O-O+": ("castling", "nothing written"),
}


def test_kinds_are_named_after_what_is_written_and_only_what_is_selected_is_counted() -> None:
    for san, (piece, written) in NAMED.items():
        cube = cube_of(parse_san(san))
        result = survey(everything().rulings([cube]), lambda text, san=san: text == san)  # type: ignore[misc]
        ((kind, number),) = result.counts.items()
        assert isinstance(kind, Kind)
        assert (piece_name(kind), kind.discriminator, number) == (piece, written, 1)
        assert (kind.verdict, kind.reason) == (Verdict.REACHABLE, None)
        assert (result.reachable, list(result.impossible), result.undecided) == ([san], [], [])
    mates = survey(everything().rulings([Cube("K", "", "e1")]), lambda san: san.endswith("#"))
    assert mates.reachable == ["Ke1#"]
    assert 0 < len(list(mates.impossible)) == mates.total() - 1
    assert all(line.split(",")[0].endswith("#") for line in mates.impossible)


CUBES = [Cube("N", "", "a1"), Cube("", "x", "a8"), Cube("O-O-O", "", ""), Cube("K", "x", "h1")]
FOUND = findings(all_cubes())
CASTLING = Witness(
    "O-O-O",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1",
    "e1c1",
    "r3k2r/p6p/8/8/8/8/P6P/2KR3R b kq - 1 1",
)


@pytest.fixture(scope="module")
def surveyed() -> Survey:
    return survey(FOUND.rulings(CUBES))


@pytest.fixture(scope="module")
def summarized(surveyed: Survey) -> dict[str, Any]:
    generator = {"strings": len(surveyed.reachable), "missing": {"Nf9": "fen"}, "too_many": {}}
    return summary(None, surveyed, len(CUBES), None, generator) | {"versions": {"chess": "1"}}


def test_lists_hold_the_reachable_strings(surveyed: Survey) -> None:
    files = lists(surveyed)
    full = files["san_strings_with_symbols.txt"].decode("ascii").split("\n")
    assert full == surveyed.reachable
    bare = files["san_strings.txt"].decode("ascii").split("\n")
    assert bare == [san for san in full if not san.endswith(("+", "#"))]


def test_witnesses_are_read_back_as_they_were_written(surveyed: Survey) -> None:
    witnesses = FOUND.witnesses | {"O-O-O": CASTLING}
    content = tables(surveyed, witnesses)["witnesses.csv"].decode("ascii")
    header, *rows = csv.reader(StringIO(content, newline=""), strict=True)
    assert header == ["san", "before_fen", "uci", "after_fen"]
    assert [Witness(*row) for row in rows] == [witnesses[s] for s in surveyed.reachable]
    assert list(CASTLING) in rows
    with pytest.raises(KeyError):
        tables(surveyed, {})


def test_reasons_are_read_back_as_they_were_written(surveyed: Survey) -> None:
    files = packed(tables(surveyed, FOUND.witnesses))
    content = lzma.decompress(files["impossible.csv.xz"])
    header, *rows = csv.reader(StringIO(content.decode("ascii"), newline=""), strict=True)
    assert header == ["san", "reason"]
    assert [",".join(row) for row in rows] == list(surveyed.impossible)
    assert {why for _, why in rows} <= {why.value for why in RULES}
    assert packed(tables(surveyed, FOUND.witnesses)) == files


def test_the_counts_add_up(surveyed: Survey, summarized: dict[str, Any]) -> None:
    verdicts = ("reachable", "impossible", "undecided")
    whole = {name: summarized[name] for name in verdicts}
    assert (
        sum(whole.values()) == summarized["strings"] == sum(len(list(strings_of(c))) for c in CUBES)
    )
    for dimension in ("by_piece", "by_suffix", "by_discriminator"):
        total = Counter[str]()
        for numbers in summarized[dimension].values():
            total.update(numbers)
        assert dict(total + Counter()) == {name: n for name, n in whole.items() if n}
    assert sum(summarized["by_reason"].values()) == len(list(surveyed.impossible))
    assert json.loads(to_json(summarized)) == summarized
    assert summarized["refuted"] == len(CUBES)


def test_the_published_page_shows_the_published_counts() -> None:
    counts = json.loads((ROOT / "data" / "summary.json").read_bytes())
    assert to_markdown(counts) == (ROOT / "data" / "summary.md").read_bytes()


SMALL = st.integers(0, 2)


@given(st.tuples(SMALL, SMALL, SMALL).filter(any), st.none() | SMALL, st.none() | SMALL)
def test_no_sentence_of_the_page_breaks_on_small_numbers(
    numbers: tuple[int, int, int], games: int | None, cover: int | None
) -> None:
    by_verdict = dict(zip((verdict.value for verdict in Verdict), numbers, strict=True))
    played = [FOOLS, SCHOLARS]
    counts = {
        **by_verdict,
        "strings": sum(numbers),
        "by_piece": {"queen": by_verdict},
        "by_suffix": {"mate (#)": by_verdict},
        "by_discriminator": {"nothing written": by_verdict},
        "by_reason": {"no-check": numbers[1]} if numbers[1] else {},
        "refuted": numbers[1],
        "games": None if games is None else count_games(played[:games], ["Qh4#", "Qxf7#"][:games]),
        "cover": None if cover is None else count_cover(COVER[:cover]),
        "generator": {"strings": numbers[0], "missing": {}, "too_many": {}},
        "versions": {"chess": "1"},
    }
    page = to_markdown(counts).decode("ascii")
    assert not broken(page), page
    assert f"and Z3, refute {numbers[1]} formula" in page
    assert ("## Games" in page) == (games is not None)
    assert ("| reason |" in page) == (numbers[1] > 0)
    tables = [block.splitlines() for block in page.split("\n\n") if block.startswith("|")]
    assert len(tables) == 3 + (numbers[1] > 0)
    for lines in tables:
        assert len(lines) > 2, page
        assert len({line.count("|") for line in lines}) == 1


def test_the_index_names_the_first_game_and_its_ply() -> None:
    rows = cover_index(COVER, ["e5", "Qh4#", "Nc6", "Qxf7#"]).decode().splitlines()
    assert rows == ["san,game,ply", "e5,1,2", "Qh4#,1,4", "Nc6,2,4", "Qxf7#,2,7"]
    with pytest.raises(KeyError, match="Nf3"):
        cover_index(COVER, ["Nf3"])


def test_a_number_has_its_noun_and_its_verb() -> None:
    assert [number_of(n, "game") for n in (0, 1, 1001)] == ["0 games", "1 game", "1,001 games"]
    assert [number_of(n, "is", "are") for n in (0, 1, 1001)] == ["0 are", "1 is", "1,001 are"]


def test_rows_have_their_cells_and_comments_are_none() -> None:
    assert list(rows(["# a | b", "", "a | b", "c| |d | #"], 2)) == [["a", "b"], ["c| |d", "#"]]
    for line in ("a", "a | b | c", "a |b"):
        with pytest.raises(RowError, match=line.replace("|", r"\|")):
            list(rows([line], 2))
