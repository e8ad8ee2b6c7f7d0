"""Certificates as text, and what a certificate is worth once it was changed."""

from functools import cache
from itertools import product

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
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.refute import closing_certificate
from sanproof.proofs.search.solvers import search_refutation
from tests.examples import examples
from tests.proofs.kernel.evidence import PART, Paragraph, paragraphs, part
from tests.strings import strings_of

CASTLING, KNIGHT, PAWN, ROOK = (CUBES_BY_NAME[n] for n in ("O-O", "Nxb1", "a8", "Rxa1"))
CLOSED = CUBES_BY_NAME["a1"]
each_cube = pytest.mark.parametrize("cube", [CASTLING, KNIGHT, PAWN, ROOK, CLOSED], ids=str)
each_small = pytest.mark.parametrize("cube", [CASTLING, KNIGHT, PAWN], ids=str)


@cache
def certificates() -> dict[Cube, Paragraph]:
    return {CUBES_BY_NAME[p.cube]: p for p in paragraphs(part().certificates)}


def published(cube: Cube) -> str:
    """Return the paragraph of a cube."""
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


def test_certificates_are_split_and_read() -> None:
    texts = [str(p) for p in paragraphs(part().certificates)]
    assert list(split_certificates("".join(texts))) == texts
    assert list(split_certificates("")) == []
    for text, cube in zip(texts, PART, strict=True):
        _, scope, opened, lines = certificates()[cube]
        assert read_certificate(text) == (cube, Scope(scope), opened, lines)


@given(st.lists(st.sampled_from(["\n", "\n\n", "0\n", "cube"])).map("".join))
def test_no_text_is_lost_between_certificates(text: str) -> None:
    pieces = list(split_certificates(text))
    assert "".join(pieces) == text
    assert all(piece.endswith("\n\n") for piece in pieces[:-1])
    assert not any("\n\n" in piece[:-2] for piece in pieces)


GOOD = "cube xb8\nscope check\nopen axb8=B axb8=B+\n-17 32 0\n0\n\n"
PIECES = ["", GOOD, " ", "\n", "\r\n", "\n\n", "cube ", "scope ", "open ", "x", "b8", "+ a8"]
"""The pieces that are put into a certificate: also itself, and each of its keywords."""


def test_a_certificate_has_one_spelling() -> None:
    """Whatever is read, of texts with any few characters replaced, is what its parts say."""
    read = 0
    for at, cut, put in product(range(len(GOOD) + 1), range(9), PIECES):
        changed = GOOD[:at] + put + GOOD[at + cut :]
        try:
            cube, scope, opened, lines = read_certificate(changed)
        except EvidenceError:
            continue
        read += changed != GOOD
        assert str(Paragraph(str(cube), scope.value, opened, lines)) == changed
        assert opened == sorted({*opened}, key=list_order)
        assert {cube_of(parse_san(san)) for san in opened} <= {cube}
    assert read > 100


WRONG = {
    "begins no whole certificate": [
        *("", "cube xb8\n\n", GOOD[:-1], GOOD.replace("cube", "Cube")),
        *(GOOD.replace(*change) for change in (("cube ", "cube"), ("scope ", "scope"))),
        *(GOOD.replace(*change) for change in (("open ", "ope "), ("scope ", ""))),
    ],
    "'xb9' is not a cube": [GOOD.replace("xb8\n", "xb9\n")],
    "'axb8' is not a cube": [GOOD.replace("cube xb8", "cube axb8")],
    "'xxxxxxxxxxxxxxxxxxxx' is not a cube": [GOOD.replace("xb8\n", "x" * 50_000 + "\n")],
    "cube xb8: 'exact' is not a valid Scope": [GOOD.replace("check", "exact")],
    "cube xb8: 'xxxxxxxxxx": [GOOD.replace("check", "x" * 50_000)],
    "cube xb8: 'axb8=P' is not a SAN string": [GOOD.replace("=B ", "=P ")],
    "cube xb8: '' is not a SAN string": [GOOD.replace("open ", "open  ")],
    "cube xb8: its open strings are wrong or unsorted": [
        GOOD.replace("open", "open a8"),
        GOOD.replace("open", "open Bxb8"),
        GOOD.replace("open", "opens"),
        GOOD.replace("b8=", "b7="),
        GOOD.replace("axb8=B ", "axb8=B axb8=B "),
        GOOD.replace("B axb8=B+", "B+ axb8=B"),
    ],
}


@pytest.mark.parametrize(("said", "texts"), WRONG.items(), ids=WRONG)
def test_no_other_form_is_read(said: str, texts: list[str]) -> None:
    for text in texts:
        assert text != GOOD
        with pytest.raises(EvidenceError) as caught:
            read_certificate(text)
        message = str(caught.value).removeprefix("certificates.txt.xz: ")
        assert message.startswith(said) or message == f"{text[:40]!a} {said}"
        assert len(message) < 300


def test_open_strings_stand_in_list_order() -> None:
    strings = sorted(map(str, strings_of(PAWN)), key=list_order)
    text = str(Paragraph("a8", "geometry", strings, ["0"]))
    assert read_certificate(text)[2] == strings
    text = str(Paragraph("a8", "geometry", sorted(strings), ["0"]))
    with pytest.raises(EvidenceError, match="wrong or unsorted"):
        read_certificate(text)


# --- What it is worth ---


@each_cube
def test_a_published_certificate_holds_and_less_does_not(cube: Cube) -> None:
    p = found(cube)
    assert check_certificate(published(cube)) == ClosedCube(cube, frozenset(p.open), len(p.lines))
    for san in p.open:
        fewer = [s for s in p.open if s != san]
        refuse(p._replace(open=fewer), f"cube {cube}: ")
    refuse(p._replace(lines=p.lines[:-1]), f"cube {cube}: the refutation does not end")
    number = p.lines[0].partition(" ")[0]
    refuse(p._replace(lines=[f"{number} 0 0"]), rf"cube {cube}: clause {number}, \[\], does not")


@pytest.mark.parametrize("cube", [KNIGHT, PAWN], ids=str)
def test_what_the_search_finds_passes_the_check(cube: Cube) -> None:
    """Also with more open strings, a weaker claim; that one is open is for the theorem to find."""
    free = next(s for s in map(str, strings_of(cube)) if s not in found(cube).open)
    more = sorted([*found(cube).open, free], key=list_order)
    for strings in (found(cube).open, more):
        closed = check_certificate(closing_certificate(cube, strings))
        assert closed[:2] == (cube, frozenset(strings))
    refuse(found(cube)._replace(open=more), f"cube {cube}: .* is not line")


def test_another_scope_or_cube_fails_where_it_says_something_else() -> None:
    """Of a pawn, a king or a castling the larger scope says no more."""
    for cube in (CASTLING, PAWN, ROOK):
        p = found(cube)
        other = p._replace(scope="check" if p.scope == "geometry" else "geometry")
        if cube == ROOK:
            refuse(other, f"cube {cube}: ")
        else:
            assert check_certificate(str(other)).left_open == frozenset(p.open)
    for ours, theirs in (("Nxb1", "Nxb8"), ("a8", "a6"), ("Rxa8", "Rxa1")):
        a, b = found(CUBES_BY_NAME[ours]), found(CUBES_BY_NAME[theirs])
        refuse(a._replace(lines=b.lines), f"cube {ours}: ")


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
