"""Certificates as text, and what a certificate is worth once it was changed."""

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.certificates import (
    CUBES_BY_NAME,
    ClosedCube,
    check_certificate,
    closing_formula,
    read_certificate,
    split_certificates,
)
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import Cube, all_cubes
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.refute import closing_certificate
from sanproof.proofs.search.solvers import search_refutation
from tests.examples import examples
from tests.proofs.kernel.evidence import PART, Paragraph, paragraphs, part, read_paragraph
from tests.strings import strings_of

CASTLING, KNIGHT, PAWN, ROOK = (CUBES_BY_NAME[n] for n in ("O-O", "Nxb1", "a8", "Rxa1"))
CLOSED = CUBES_BY_NAME["a1"]
each_cube = pytest.mark.parametrize("cube", [CASTLING, KNIGHT, PAWN, ROOK, CLOSED], ids=str)
each_small = pytest.mark.parametrize("cube", [CASTLING, KNIGHT, PAWN], ids=str)


@cache
def certificates() -> dict[Cube, Paragraph]:
    return {CUBES_BY_NAME[p.cube]: p for p in paragraphs(part())}


def published(cube: Cube) -> str:
    """The paragraph of a cube."""
    return str(certificates()[cube])


def found(cube: Cube) -> Paragraph:
    return certificates()[cube]


def refuse(paragraph: Paragraph | str, match: str) -> None:
    with pytest.raises(EvidenceError, match=match) as caught:
        check_certificate(str(paragraph))
    message = str(caught.value)
    assert message.startswith("certificates.txt.xz: ")
    assert message.isprintable()
    assert len(message) <= 300


# --- The formula ---


@each_cube
@pytest.mark.parametrize("scope", Scope)
def test_the_formula_is_the_relaxation_and_a_clause_for_each_open_string(
    cube: Cube, scope: Scope
) -> None:
    strings = list(map(str, strings_of(cube)))[::40]
    relaxation = encode_relaxation(cube, scope)
    excluded = [tuple(relaxation.exclude(parse_san(san))) for san in strings]
    expected = [*relaxation.cnf.clauses, *excluded]
    formula = closing_formula(cube, scope, strings)
    assert formula.clauses == expected
    assert formula.variables == relaxation.cnf.variables


@each_small
def test_the_formula_has_a_model_exactly_if_something_open_is_missing(cube: Cube) -> None:
    scope, left_open = Scope(found(cube).scope), found(cube).open
    assert search_refutation(closing_formula(cube, scope, left_open).clauses) is not None
    for san in left_open:
        fewer = [s for s in left_open if s != san]
        assert search_refutation(closing_formula(cube, scope, fewer).clauses) is None


# --- As text ---


def test_each_cube_has_a_name() -> None:
    assert list(CUBES_BY_NAME.values()) == all_cubes()
    assert len(CUBES_BY_NAME) == 770


@each_cube
def test_a_certificate_is_read(cube: Cube) -> None:
    _, scope, opened, lines = found(cube)
    assert read_certificate(published(cube)) == (cube, Scope(scope), opened, lines)


def test_a_certificate_is_read_as_described() -> None:
    text = (
        "cube Ba1\nscope geometry\nopen Ba1 Ba1# Ba1+\n2839 -17 32 0 5 77 0\n2840 0 2839 12 0\n\n"
    )
    expected = ["2839 -17 32 0 5 77 0", "2840 0 2839 12 0"]
    cube = Cube("B", "", "a1")
    assert read_certificate(text) == (cube, Scope.GEOMETRY, ["Ba1", "Ba1#", "Ba1+"], expected)


def test_certificates_are_split() -> None:
    texts = [str(p) for p in paragraphs(part())]
    assert list(split_certificates("".join(texts))) == texts
    assert [read_paragraph(text).cube for text in texts] == list(map(str, PART))
    assert list(split_certificates("")) == []


@given(st.lists(st.sampled_from(["\n", "\n\n", "0\n", "cube"])).map("".join))
def test_no_text_is_lost_between_certificates(text: str) -> None:
    pieces = list(split_certificates(text))
    assert "".join(pieces) == text
    assert all(piece.endswith("\n\n") for piece in pieces[:-1])
    assert not any("\n\n" in piece[:-2] for piece in pieces)


GOOD = "cube xb8\nscope check\nopen axb8=B axb8=B+\n-17 32 0\n0\n\n"
BAD_FORM: dict[str, Callable[[str], str]] = {
    "nothing": lambda _: "",
    "an empty line": lambda _: "\n",
    "two empty lines": lambda _: "\n\n",
    "no end": lambda text: text[:-1],
    "no line end at all": lambda text: text[:-2],
    "an empty line in front": lambda text: "\n" + text,
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "no cube": lambda text: text.split("\n", 1)[1],
    "no scope": lambda text: text.replace("scope check\n", ""),
    "no open strings": lambda text: text.replace("open axb8=B axb8=B+\n", ""),
    "only the end of its head": lambda text: text.split("\n", 3)[3],
    "only a cube": lambda _: "cube xb8\n\n",
    "only a cube and a scope": lambda _: "cube xb8\nscope check\n\n",
    "an unknown cube": lambda text: text.replace("xb8\n", "xb9\n"),
    "an empty cube": lambda text: text.replace("xb8\n", "\n"),
    "a long name of a cube": lambda text: text.replace("xb8\n", "x" * 50_000 + "\n"),
    "a string for a cube": lambda text: text.replace("cube xb8", "cube axb8"),
    "an unknown scope": lambda text: text.replace("check", "checks"),
    "a long scope": lambda text: text.replace("check", "x" * 50_000),
    "a scope that is no relaxation": lambda text: text.replace("check", "exact"),
    "a scope in capitals": lambda text: text.replace("check", "CHECK"),
    "two header lines exchanged": lambda text: "scope check\ncube xb8\n" + text.split("\n", 2)[2],
    "open strings in another order": lambda text: text.replace("axb8=B axb8=B+", "axb8=B+ axb8=B"),
    "an open string twice": lambda text: text.replace("axb8=B ", "axb8=B axb8=B "),
    "an open string of another cube": lambda text: text.replace("open", "open axb7"),
    "only open strings of another cube": lambda text: text.replace("b8=", "b7="),
    "an open string of another piece": lambda text: text.replace("open", "open Bxb8"),
    "an open string that is none": lambda text: text.replace("axb8=B ", "axb8=P "),
    "an empty open string": lambda text: text.replace("open ", "open  "),
    "a space after the open strings": lambda text: text.replace("B+\n", "B+ \n"),
    "a keyword with a letter more": lambda text: text.replace("open ", "opens "),
    "a keyword with a letter less": lambda text: text.replace("open ", "ope "),
    "a keyword in capitals": lambda text: text.replace("cube", "Cube"),
}


@pytest.mark.parametrize("change", BAD_FORM.values(), ids=BAD_FORM)
def test_no_other_form_is_read(change: Callable[[str], str]) -> None:
    read_certificate(GOOD)
    changed = change(GOOD)
    assert changed != GOOD
    with pytest.raises(EvidenceError, match=r"^certificates.txt.xz: ") as caught:
        read_certificate(changed)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) <= 300


def test_a_refusal_says_what_is_wrong() -> None:
    for old, new, said in (
        ("xb8\n", "xb9\n", "'xb9' is not a cube"),
        ("check", "exact", "cube xb8: 'exact' is not a valid Scope"),
        ("=B ", "=P ", "cube xb8: 'axb8=P' is not a SAN string"),
        ("open", "open a8", "cube xb8: its open strings are wrong or unsorted"),
    ):
        with pytest.raises(EvidenceError) as caught:
            read_certificate(GOOD.replace(old, new))
        assert str(caught.value) == f"certificates.txt.xz: {said}"


@pytest.mark.parametrize("keyword", ["cube ", "scope ", "open "])
def test_each_line_of_the_header_has_its_keyword(keyword: str) -> None:
    for other in ("", keyword[:-1], keyword[1:], keyword[:-2] + " ", f" {keyword}", "x" + keyword):
        changed = GOOD.replace(keyword, other)
        with pytest.raises(EvidenceError) as caught:
            read_certificate(changed)
        if keyword == "open " and other == "open":
            assert "its open strings are wrong or unsorted" in str(caught.value)
        else:
            said = f"certificates.txt.xz: {changed[:40]!a} begins no whole certificate"
            assert str(caught.value) == said


def test_open_strings_stand_in_list_order() -> None:
    strings = sorted(map(str, strings_of(PAWN)), key=list_order)
    text = str(Paragraph("a8", "geometry", strings, ["0"]))
    assert read_certificate(text)[2] == strings
    text = str(Paragraph("a8", "geometry", sorted(strings), ["0"]))
    with pytest.raises(EvidenceError, match="wrong or unsorted"):
        read_certificate(text)


# --- What it is worth ---


@each_cube
def test_a_published_certificate_holds(cube: Cube) -> None:
    p = found(cube)
    assert check_certificate(published(cube)) == ClosedCube(cube, frozenset(p.open), len(p.lines))


@each_small
def test_what_the_search_finds_passes_the_check(cube: Cube) -> None:
    closed = check_certificate(closing_certificate(cube, found(cube).open))
    assert closed[:2] == (cube, frozenset(found(cube).open))


@pytest.mark.parametrize("cube", [KNIGHT, PAWN], ids=str)
def test_more_open_strings_are_a_weaker_claim(cube: Cube) -> None:
    """It passes if the hints fit; that a string is then open is for the theorem to find."""
    free = next(s for s in map(str, strings_of(cube)) if s not in found(cube).open)
    more = sorted([*found(cube).open, free], key=list_order)
    assert check_certificate(closing_certificate(cube, more)).left_open == set(more)
    refuse(found(cube)._replace(open=more), f"cube {cube}: .* is not line")


@each_cube
def test_fewer_open_strings_fail(cube: Cube) -> None:
    p = found(cube)
    for san in p.open:
        fewer = [s for s in p.open if s != san]
        refuse(p._replace(open=fewer), f"cube {cube}: ")


@each_cube
def test_another_scope_fails_where_it_says_something_else(cube: Cube) -> None:
    """Of a pawn, a king or a castling the larger scope says no more."""
    p = found(cube)
    other = "check" if p.scope == "geometry" else "geometry"
    if cube == CASTLING or cube.piece == "":
        assert check_certificate(str(p._replace(scope=other))).left_open == frozenset(p.open)
    elif cube == ROOK:
        refuse(p._replace(scope=other), f"cube {cube}: ")


def test_a_certificate_of_another_cube_fails() -> None:
    """Its mirror image's, whose formula differs in squares only; or one that promotes."""
    for ours, theirs in (("Nxb1", "Nxb8"), ("a8", "a6"), ("Rxa8", "Rxa1")):
        a, b = found(CUBES_BY_NAME[ours]), found(CUBES_BY_NAME[theirs])
        refuse(a._replace(lines=b.lines), f"cube {ours}: ")


@each_cube
def test_a_refutation_without_its_last_step_fails(cube: Cube) -> None:
    p = found(cube)
    refuse(p._replace(lines=p.lines[:-1]), f"cube {cube}: the refutation does not end")
    refuse(p._replace(lines=[]), f"cube {cube}: the refutation does not end")
    number = p.lines[0].partition(" ")[0]
    refuse(p._replace(lines=[f"{number} 0 0"]), rf"cube {cube}: clause {number}, \[\], does not")


@settings(max_examples=examples(150))
@given(st.data(), st.sampled_from([CASTLING, KNIGHT, PAWN]))
def test_a_changed_character_proves_nothing_else(data: st.DataObject, cube: Cube) -> None:
    """It is refused, or it is another way to refute the very same formula."""
    text = published(cube)
    at = data.draw(st.integers(0, len(text) - 1))
    characters = st.sampled_from(sorted(set("0123456789-+ \nabcdefghxNBQ=#.\t\0" + text)))
    length, new = data.draw(
        st.sampled_from([(1, ""), (0, data.draw(characters)), (1, data.draw(characters))])
    )
    changed = text[:at] + new + text[at + length :]
    try:
        closed = check_certificate(changed)
    except EvidenceError:
        return
    assert closed[:2] == (cube, frozenset(found(cube).open))
    assert read_certificate(changed)[:2] == read_certificate(text)[:2]
