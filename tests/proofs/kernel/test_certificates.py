"""Certificates as text, and what a certificate is worth once it was changed."""

import hashlib
from collections.abc import Callable
from functools import cache

import dratify
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.encoding.relaxation import Scope
from proofs.kernel.certificates import (
    Certificate,
    CertificateError,
    closing_formula,
    formula_hash,
    read_certificate,
    split_certificates,
    write_certificate,
)
from proofs.kernel.files import EvidenceError
from proofs.rules.cubes import Cube
from proofs.rules.san import list_order
from proofs.search import refute
from proofs.search.decide import decide_cube
from proofs.search.errors import Disagreement
from proofs.search.refute import search_certificate
from verify.audit.whole import check_paragraph

KNIGHT, PAWN, BISHOP = Cube("N", "x", "b1"), Cube("", "x", "b8"), Cube("B", "", "b2")
CUBES = {"knight": KNIGHT, "pawn": PAWN, "bishop": BISHOP}
each_cube = pytest.mark.parametrize("cube", CUBES.values(), ids=CUBES)


@cache
def certificate_of(cube: Cube) -> Certificate:
    """As a run makes it."""
    return search_certificate(cube, sorted(map(str, decide_cube(cube).witnesses), key=list_order))


def paragraph_of(cube: Cube) -> str:
    return write_certificate(certificate_of(cube))


def check(certificate: Certificate) -> None:
    check_paragraph(write_certificate(certificate), second_opinion=False)


def rehashed(certificate: Certificate) -> Certificate:
    """With the hash of its own formula: nothing is wrong but what it says."""
    cube, scope, _, left_open, _ = certificate
    return certificate._replace(formula=formula_hash(closing_formula(cube, scope, left_open)))


def without(certificate: Certificate, san: str) -> Certificate:
    return certificate._replace(left_open=tuple(s for s in certificate.left_open if s != san))


def assert_fails(certificate: Certificate, match: str) -> None:
    with pytest.raises(EvidenceError, match=match) as caught:
        check(certificate)
    assert str(caught.value).startswith("certificates.txt.xz: ")
    assert str(certificate.cube) in str(caught.value)


# --- As text ---


@each_cube
def test_a_certificate_is_read_as_it_was_written(cube: Cube) -> None:
    certificate = certificate_of(cube)
    assert read_certificate(write_certificate(certificate)) == certificate


def test_a_certificate_is_written_as_described() -> None:
    lemmas: tuple[tuple[int, ...], ...] = ((-17, 32), ())
    certificate = Certificate(PAWN, Scope.CHECK, "5f0c", ("axb8=B", "axb8=N+"), lemmas)
    text = "cube xb8\nscope check\nformula 5f0c\nopen axb8=B axb8=N+\n-17 32 0\n0\n\n"
    assert write_certificate(certificate) == text
    assert read_certificate(text) == certificate


def test_the_formula_is_known_by_the_hash_of_its_text() -> None:
    formula = closing_formula(KNIGHT, Scope.GEOMETRY, ["Nxb1"])
    assert formula_hash(formula) == hashlib.sha256(formula.dimacs().encode()).hexdigest()


def test_each_open_string_is_a_clause_more() -> None:
    strings = certificate_of(KNIGHT).left_open
    sizes = [len(closing_formula(KNIGHT, Scope.GEOMETRY, strings[:n]).clauses) for n in (0, 1, 5)]
    assert [size - sizes[0] for size in sizes] == [0, 1, 5]


def test_certificates_are_told_apart() -> None:
    paragraphs = [paragraph_of(cube) for cube in CUBES.values()]
    assert list(split_certificates("".join(paragraphs))) == paragraphs
    assert list(split_certificates("")) == []


@given(st.lists(st.sampled_from(["\n", "\n\n", "0\n", "cube"])).map("".join))
def test_no_text_is_lost_between_certificates(text: str) -> None:
    assert "".join(split_certificates(text)) == text


GOOD = "cube xb8\nscope check\nformula 5f0c\nopen axb8=B axb8=N+\n-17 32 0\n0\n\n"
BAD_FORM = {
    "nothing": lambda _: "",
    "an empty line": lambda _: "\n",
    "two empty lines": lambda _: "\n\n",
    "no end": lambda text: text[:-1],
    "no line end at all": lambda text: text[:-2],
    "an empty line more": lambda text: text + "\n",
    "an empty line in front": lambda text: "\n" + text,
    "an empty line between": lambda text: text.replace("32 0\n", "32 0\n\n"),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "white space at the end of a line": lambda text: text.replace("32 0\n", "32 0 \n"),
    "white space in front": lambda text: text.replace("-17", " -17"),
    "two spaces": lambda text: text.replace("-17 ", "-17  "),
    "a tab": lambda text: text.replace("-17 ", "-17\t"),
    "a form feed for a line break": lambda text: text.replace("32 0\n", "32 0\f"),
    "no cube": lambda text: text.split("\n", 1)[1],
    "no scope": lambda text: text.replace("scope check\n", ""),
    "no formula": lambda text: text.replace("formula 5f0c\n", ""),
    "no open strings": lambda text: text.replace("open axb8=B axb8=N+\n", ""),
    "only the end of its head": lambda text: text.split("\n", 3)[3],
    "only a cube": lambda _: "cube xb8\n\n",
    "an unknown cube": lambda text: text.replace("xb8\n", "xb9\n"),
    "an empty cube": lambda text: text.replace("xb8\n", "\n"),
    "a string for a cube": lambda text: text.replace("cube xb8", "cube axb8"),
    "an unknown scope": lambda text: text.replace("check", "checks"),
    "a scope that is no relaxation": lambda text: text.replace("check", "exact"),
    "a scope in capitals": lambda text: text.replace("check", "CHECK"),
    "keywords in another order": lambda text: text.replace("scope", "x").replace(
        "formula", "scope"
    ),
    "open strings in another order": lambda text: text.replace("axb8=B axb8=N+", "axb8=N+ axb8=B"),
    "an open string twice": lambda text: text.replace("axb8=B ", "axb8=B axb8=B "),
    "an open string of another cube": lambda text: text.replace("axb8=B", "axb7"),
    "an open string of another piece": lambda text: text.replace("axb8=B", "Bxb8"),
    "an open string that is none": lambda text: text.replace("axb8=B", "axb8=P"),
    "an empty open string": lambda text: text.replace("open ", "open  "),
    "a keyword with a letter more": lambda text: text.replace("open ", "opens "),
    "a clause without its end": lambda text: text.replace("32 0\n", "32\n"),
    "a clause that is empty": lambda text: text.replace("-17 32 0\n", " \n"),
    "a word for a number": lambda text: text.replace("-17", "x"),
    "a plus sign": lambda text: text.replace("32", "+32"),
    "a leading zero": lambda text: text.replace("32", "032"),
    "an underscore": lambda text: text.replace("32", "3_2"),
    "minus zero": lambda text: text.replace("32 0", "32 -0"),
    "a fraction": lambda text: text.replace("32", "3.2"),
    "digits of another script": lambda text: text.replace("32", "\u0663\u0662"),
    "a number too long to read": lambda text: text.replace("32", "3" * 5000),
    "a deletion": lambda text: text.replace("-17 32 0\n", "-17 32 0\nd -17 32 0\n"),
    "a comment": lambda text: text.replace("-17 32 0\n", "c here\n-17 32 0\n"),
}


@pytest.mark.parametrize("change", BAD_FORM.values(), ids=BAD_FORM)
def test_no_other_form_is_read(change: Callable[[str], str]) -> None:
    changed = change(GOOD)
    assert changed != GOOD
    with pytest.raises(CertificateError) as caught:
        read_certificate(changed)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 120


@settings(max_examples=200)
@given(st.data(), st.sampled_from([KNIGHT, PAWN]))
def test_a_changed_character_proves_nothing_else(data: st.DataObject, cube: Cube) -> None:
    """It is refused, or it is another way to refute the very same formula, as dratify confirms."""
    text = paragraph_of(cube)
    at = data.draw(st.integers(0, len(text) - 1))
    characters = st.sampled_from(sorted(set("0123456789-+ \nabcdefghxNBQ=#.\t\0" + text)))
    old, new = data.draw(
        st.sampled_from([(1, ""), (0, data.draw(characters)), (1, data.draw(characters))])
    )
    changed = text[:at] + new + text[at + old :]
    if changed == text:
        return
    try:
        certificate = read_certificate(changed)
    except CertificateError:
        return
    assert certificate != certificate_of(cube)
    try:
        check_paragraph(changed, second_opinion=False)
    except EvidenceError:
        return
    assert certificate[:4] == certificate_of(cube)[:4]
    dimacs = closing_formula(*certificate[:2], certificate.left_open).dimacs()
    proof = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma in certificate.lemmas)
    assert dratify.check_proof(dratify.parse_dimacs(dimacs), proof).ok


# --- What it is worth ---


@each_cube
def test_what_the_search_finds_passes_the_check(cube: Cube) -> None:
    certificate = certificate_of(cube)
    closed = check_paragraph(write_certificate(certificate), second_opinion=True)
    assert closed == (cube, certificate.left_open, len(certificate.lemmas))


def test_the_smallest_scope_is_taken() -> None:
    assert certificate_of(KNIGHT).scope is Scope.GEOMETRY
    assert certificate_of(BISHOP).scope is Scope.CHECK


@each_cube
def test_more_open_strings_are_a_weaker_claim(cube: Cube) -> None:
    """It passes alone; that a string is then refuted nowhere is for the cover check to find."""
    certificate = certificate_of(cube)
    free = next(s for s in map(str, cube.strings()) if s not in certificate.left_open)
    left_open = sorted([*certificate.left_open, free], key=list_order)
    check(rehashed(certificate._replace(left_open=tuple(left_open))))


@each_cube
def test_fewer_open_strings_fail(cube: Cube) -> None:
    certificate = certificate_of(cube)
    for san in certificate.left_open[::6]:
        assert_fails(rehashed(without(certificate, san)), "does not follow")
    assert_fails(without(certificate, certificate.left_open[0]), "not the one that the rules give")


@each_cube
def test_another_scope_fails(cube: Cube) -> None:
    certificate = certificate_of(cube)
    scope = Scope.CHECK if certificate.scope is Scope.GEOMETRY else Scope.GEOMETRY
    assert_fails(certificate._replace(scope=scope), "not the one that the rules give")


def test_a_scope_that_is_too_small_fails() -> None:
    lowered = rehashed(certificate_of(BISHOP)._replace(scope=Scope.GEOMETRY))
    assert_fails(lowered, "does not follow|not the formula's")


@each_cube
def test_another_formula_fails(cube: Cube) -> None:
    certificate = certificate_of(cube)
    others = ["", "0" * 64, certificate.formula[:-1], certificate.formula.upper()]
    for formula in others:
        assert_fails(certificate._replace(formula=formula), "not the one that the rules give")


def test_a_certificate_of_another_cube_fails() -> None:
    """Its neighbour's, whose formula is the same but for squares; with its own strings' names."""
    neighbour = Cube("N", "x", "c1")
    certificate = certificate_of(KNIGHT)
    renamed = tuple(sorted((s.replace("b1", "c1") for s in certificate.left_open), key=list_order))
    strings = {str(san) for san in neighbour.strings()}
    assert strings.issuperset(renamed)
    moved = certificate._replace(cube=neighbour, left_open=renamed)
    assert_fails(moved, "not the one that the rules give")
    assert_fails(rehashed(moved), "does not follow|not the formula's")


@each_cube
def test_a_refutation_without_its_last_step_fails(cube: Cube) -> None:
    certificate = certificate_of(cube)
    assert_fails(certificate._replace(lemmas=certificate.lemmas[:-1]), "end in the empty clause")
    assert_fails(certificate._replace(lemmas=()), "end in the empty clause")
    assert_fails(certificate._replace(lemmas=((),)), r"clause 1, \[\], does not follow")


@pytest.mark.parametrize("literal", [0, 10**6, -(10**6), 10**30])
def test_a_foreign_literal_fails(literal: int) -> None:
    certificate = certificate_of(KNIGHT)
    lemmas = ((*certificate.lemmas[0], literal), *certificate.lemmas[1:])
    assert_fails(certificate._replace(lemmas=lemmas), "a literal that is not the formula's")


# --- The search ---


@each_cube
def test_a_string_that_is_not_left_open_is_told(cube: Cube) -> None:
    """CaDiCaL's answer differs from Z3's: the message names the cube and the string."""
    left_open = list(certificate_of(cube).left_open)
    missing = left_open.pop(len(left_open) // 2)
    with pytest.raises(Disagreement) as caught:
        search_certificate(cube, left_open)
    assert str(caught.value) == (
        f"Z3 closes cube {cube} with {len(left_open)} strings open, and CaDiCaL finds {missing} "
        "open as well"
    )


def test_a_disagreement_over_a_cube_without_strings_is_told() -> None:
    with pytest.raises(Disagreement, match="Nxb1"):
        search_certificate(KNIGHT, [])


def test_a_solver_that_finds_models_everywhere_contradicts_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left_open = certificate_of(KNIGHT).left_open
    monkeypatch.setattr(refute, "search_refutation", lambda _: None)
    with pytest.raises(Disagreement, match=f"^CaDiCaL contradicts itself over cube {KNIGHT}$"):
        search_certificate(KNIGHT, left_open)
