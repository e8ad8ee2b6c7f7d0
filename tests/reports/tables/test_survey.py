"""Verdicts: what is called impossible, and that each string is counted and listed once."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_cube
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.verdicts.reasons import NoReason
from sanproof.proofs.verdicts.rulings import Findings, Verdict, bare_strings
from sanproof.reports.tables.survey import Kind, piece_name, survey
from tests.examples import examples
from tests.reports.samples import CLAIMED, findings, witness
from tests.strings import strings_of

CUBES = all_cubes()


@cache
def everything() -> Findings:
    return findings(CUBES)


cubes = st.sampled_from(CUBES)


@given(cubes, st.data())
@settings(max_examples=examples(30))
def test_each_string_is_ruled_once_whatever_is_shown(cube: Cube, data: st.DataObject) -> None:
    """Also one that no rule could show; those ruled together have the same parts and reason."""
    strange = data.draw(st.sampled_from(list(map(str, strings_of(cube)))))
    found = Findings(
        everything().witnesses | {strange: witness(strange)}, dict(everything().left_open)
    )
    for unproved in data.draw(st.sets(st.sampled_from([cube, exchanged_cube(cube)]))):
        del found.left_open[unproved]
    rulings = list(found.rulings([cube]))
    texts = [text for ruling in rulings for text in ruling.texts]
    assert sorted(texts) == sorted(map(str, bare_strings(cube)))
    for ruling in rulings:
        assert str(ruling.bare) == ruling.texts[0]
        for text in ruling.texts:
            assert found.ruling(parse_san(text)).verdicts == ruling.verdicts
            assert found.ruling(parse_san(text)).reason == ruling.reason
            assert [bool(x) for x in parse_san(text)] == [bool(x) for x in ruling.bare]


def test_a_proof_that_claims_too_much_finds_no_reason() -> None:
    """A closing proof that excludes what no rule excludes is not believed in silence."""
    for cube, san in ((Cube("O-O", "", ""), "O-O"), (Cube("N", "", "f3"), "Nf3")):
        found = findings(CUBES, without=[san])
        found.left_open |= {cube: [], exchanged_cube(cube): []}
        with pytest.raises(NoReason, match=san):
            list(found.rulings([cube]))


def test_every_string_is_counted_and_listed_once_in_list_order() -> None:
    chosen = [*Random(0).sample(CUBES, 12), Cube("O-O", "", ""), Cube("", "x", "a8")]
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


KINDS = {
    "e4": ("pawn", "nothing written"),
    "exd5": ("pawn", "file written"),
    "Nbd7": ("knight", "file written"),
    "R1a3": ("rook", "rank written"),
    "Qa1b2#": ("queen", "square written"),
    "Ke2": ("king", "nothing written"),
    "O-O-O+": ("castling", "nothing written"),
}


def test_kinds_are_named_after_what_is_written_and_only_what_is_selected_is_counted() -> None:
    for san, (piece, written) in KINDS.items():
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
