"""Verdicts: what is called impossible, and that each string is counted and listed once."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_cube
from sanproof.proofs.rules.san import SUFFIXES, list_order, parse_san
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


@given(cubes, st.sampled_from(["both", "White's", "Black's", "neither"]))
@settings(max_examples=examples(60))
def test_a_string_is_impossible_only_if_it_is_so_for_both_colours(cube: Cube, closed: str) -> None:
    """A proof for one colour alone settles nothing but what a witness shows."""
    other = exchanged_cube(cube)
    found = Findings(everything().witnesses)
    found.left_open = {
        c: everything().left_open[c]
        for c in CUBES
        if not (c == cube and closed in ("Black's", "neither"))
        and not (c == other and closed in ("White's", "neither"))
    }
    settled = {cube, other} <= set(found.left_open)
    for ruling in found.rulings([cube]):
        for text, suffix in product(ruling.texts, SUFFIXES):
            if text + suffix in CLAIMED:
                expected = Verdict.REACHABLE
            else:
                expected = Verdict.IMPOSSIBLE if settled else Verdict.UNDECIDED
            assert ruling.verdict(suffix) is expected
        assert (ruling.reason is not None) == (Verdict.IMPOSSIBLE in ruling.verdicts)


@given(cubes)
@settings(max_examples=examples(30))
def test_what_a_proof_leaves_open_is_undecided_without_a_witness(cube: Cube) -> None:
    """Not found is not impossible, for either colour's proof."""
    found = findings(CUBES)
    strings = list(map(str, strings_of(cube)))
    lost = Random(str(cube)).sample(strings, min(20, len(strings)))
    for san in lost:
        found.witnesses.pop(san, None)
    for ruling in found.rulings([cube]):
        for text, suffix in product(ruling.texts, SUFFIXES):
            if (san := text + suffix) in CLAIMED:
                expected = Verdict.UNDECIDED if san in lost else Verdict.REACHABLE
            else:
                expected = Verdict.IMPOSSIBLE
            assert ruling.verdict(suffix) is expected, ruling


@given(cubes, st.data())
@settings(max_examples=examples(30))
def test_each_string_is_ruled_once_whatever_is_shown(cube: Cube, data: st.DataObject) -> None:
    """Also one that no rule could show; those ruled together have the same parts and reason."""
    strange = data.draw(st.sampled_from(list(map(str, strings_of(cube)))))
    found = Findings(everything().witnesses | {strange: witness(strange)}, everything().left_open)
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


players = st.sampled_from(["w", "b"])
some = st.lists(st.tuples(st.sampled_from(["e4", "a1=Q", "Nf3"]), players), unique=True)


@given(some, st.randoms())
def test_witnesses_may_come_in_any_order(given_: list[tuple[str, str]], random: Random) -> None:
    """White's witness is published where there is one, whoever came first."""
    witnesses = [witness(san, player) for san, player in given_]
    first, second = Findings(), Findings()
    first.add_witnesses(witnesses)
    random.shuffle(witnesses)
    for one in witnesses:
        second.add_witnesses([one])
    assert first.witnesses == second.witnesses
    for san, player in given_:
        published = first.witnesses[san].fen.split()[1]
        assert published == ("w" if (san, "w") in given_ else player)


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


def test_only_what_is_selected_is_counted() -> None:
    def selected(san: str) -> bool:
        return san.endswith("#")

    cube = Cube("K", "", "e1")
    result = survey(everything().rulings([cube]), selected)
    assert result.reachable == ["Ke1#"]
    assert all(line.split(",")[0].endswith("#") for line in result.impossible)
    assert result.total() == len([san for san in strings_of(cube) if selected(str(san))])


@pytest.mark.parametrize(
    ("san", "piece", "written"),
    [
        ("e4", "pawn", "nothing written"),
        ("exd5", "pawn", "file written"),
        ("Nf3", "knight", "nothing written"),
        ("Nbd7", "knight", "file written"),
        ("R1a3", "rook", "rank written"),
        ("Qa1b2#", "queen", "square written"),
        ("Bb2", "bishop", "nothing written"),
        ("Ke2", "king", "nothing written"),
        ("O-O-O+", "castling", "nothing written"),
    ],
)
def test_kinds_are_named_after_what_is_written(san: str, piece: str, written: str) -> None:
    cube = cube_of(parse_san(san))
    result = survey(everything().rulings([cube]), lambda text: text == san)
    ((kind, number),) = result.counts.items()
    assert isinstance(kind, Kind)
    assert (piece_name(kind), kind.discriminator, number) == (piece, written, 1)
    assert (kind.verdict, kind.reason) == (Verdict.REACHABLE, None)
