"""Refutations against the definition, truth tables and another checker; certificates as text."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import product
from random import Random

import dratify
import pytest
from hypothesis import example, given, settings
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
from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.solvers import search_refutation, translate_refutation
from tests.examples import examples
from tests.proofs.kernel.evidence import (
    Clause,
    Paragraph,
    Step,
    paragraphs,
    part,
    read_steps,
    refutes,
    write_steps,
)
from tests.strings import strings_of

# --- Refutations: what is accepted holds by definition, and what has a model is never refuted ---


def accepts(formula: Sequence[Clause], lines: list[str], most_steps: float = 1 << 18) -> bool:
    """Check a refutation; its clauses are counted, and nothing is changed by that."""
    before = [[*clause] for clause in formula], [*lines]
    try:
        assert check_refutation(formula, lines, most_steps) == len(lines)
    except RefutationError:
        return False
    finally:
        assert before == ([[*clause] for clause in formula], lines)
    return True


def write(formula: Sequence[Clause], steps: Sequence[Step]) -> list[str]:
    """Return the lines of a refutation, numbered as they must be."""
    return write_steps(steps, len(formula) + 1)


def satisfiable(formula: Sequence[Clause]) -> bool:
    """Check by the truth table whether a formula has a model."""
    variables = sorted({abs(x) for clause in formula for x in clause})
    models = product(*((v, -v) for v in variables))
    return any(all(not set(m).isdisjoint(clause) for clause in formula) for m in models)


def test_of_many_refutations_those_that_hold_are_accepted() -> None:
    """Both answers happen often. As many steps are allowed as the hints name literals, or fewer."""
    random, accepted = Random(11), 0
    every = [x for v in range(1, 4) for x in (v, -v)]
    for number in range(6_000):
        formula = [tuple(random.choices(every, k=random.randint(1, 2))) for _ in range(8)]
        lemmas = [*(tuple(random.choices(every, k=1)) for _ in range(random.randint(0, 2))), ()]
        steps = [
            (lemma, tuple(random.choices(range(1, number), k=random.randint(3, 9))))
            for number, lemma in enumerate(lemmas, len(formula) + 1)
        ]
        lines = write(formula, steps)
        holds = accepts(formula, lines)
        accepted += holds
        assert holds == refutes(formula, steps), (formula, steps)
        assert not (holds and satisfiable(formula)), (formula, steps)
        if holds and number % 10 == 0:
            known = [*formula, *lemmas]
            named = sum(len(known[hint - 1]) for _, hints in steps for hint in hints)
            assert [accepts(formula, lines, named + n) for n in (-1, 0, 1)] == [False, True, True]
    assert 300 < accepted < 5_700


@st.composite
def unsatisfiable(draw: st.DrawFn) -> list[Clause]:
    """Draw a formula without a model: as long as there is one, add a clause that excludes it."""
    random = Random(draw(st.integers(0, 2**32)))
    formula: list[Clause] = []
    for model in product(*((v, -v) for v in range(1, 5))):
        if all(not set(model).isdisjoint(clause) for clause in formula):
            formula.append(tuple(-x for x in random.sample(model, random.choice((2, 3)))))
    random.shuffle(formula)
    return formula


def dratify_accepts(formula: Sequence[Clause], steps: Sequence[Step]) -> bool:
    """Return what another author's checker says of the clauses without their hints."""
    lines = [" ".join(map(str, (*clause, 0))) for clause in formula]
    cnf = dratify.parse_dimacs("\n".join([f"p cnf 4 {len(lines)}", *lines, ""]))
    proof = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma, _ in steps)
    return bool(dratify.check_proof(cnf, proof, check_rat=False).ok)


@settings(max_examples=examples(150))
@given(st.data(), unsatisfiable())
def test_what_a_solver_refutes_is_refuted(data: st.DataObject, formula: list[Clause]) -> None:
    """And all agree on it with hints and literals left out, repeated, flipped or exchanged."""
    found = search_refutation(formula)
    assert found is not None
    steps = read_steps(translate_refutation(found, formula))
    assert accepts(formula, write(formula, steps))
    assert dratify_accepts(formula, steps)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(steps) - 1))
        lemma, hints = steps[at]
        changes = [
            *((lemma[1:], hints), (tuple(-x for x in lemma), hints), (lemma, hints[1:])),
            *((lemma, hints[:-1]), (lemma, hints[::-1]), (lemma, (*hints, 1))),
        ]
        steps[at] = data.draw(st.sampled_from(changes))
    holds = accepts(formula, write(formula, steps))
    assert holds == refutes(formula, steps)
    assert not holds or dratify_accepts(formula, steps)


FORMULA: list[Clause] = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
"""All four clauses of two variables: no model, and no unit clause."""
GOOD = ["5 2 0 1 2 0", "6 0 5 3 4 0"]
KNOWN: list[tuple[bool, list[Clause], list[Step]]] = [
    (True, FORMULA, [((1, 2, 7), (1,)), ((2, 2), (1, 1, 2, 3)), ((), (6, 3, 3, 4, 1))]),
    (True, [(1,), (-1,)], [((1, -1), (1,)), ((9,), (1, 2)), ((), (1, 2)), ((), (5,))]),
    (True, [(1,), ()], [((), (2,))]),
    (True, [(2, 1), (-1, 2), (1, -2), (-2, -1)], [((2, 2), (1, 2)), ((), (5, 3, 4))]),
    (False, FORMULA, []),
    (False, [()], []),  # no step, though the formula has the empty clause
    (False, [], [((), ())]),
    (False, FORMULA, [((), ())]),
    (False, FORMULA, [((2,), (1, 2)), ((), (3, 4, 5))]),  # in an order that does not propagate
    (False, [(1,), (-1,)], [((), (1, 2)), ((5,), (3,))]),
    (False, [(1,), (-1, 2)], [((), (1, 2))]),
    (False, [(1, -1)], [((), (1,))]),
    (False, [(1, 1), (-1,)], [((), (1, 2))]),  # a repeated literal is one literal more
    (False, [(1, 2), (-1, 2)], [((2,), (1, 2)), ((), (3,))]),
    (True, [(), (), (), ()], [((1, 1), (1,)), ((), (5, 1))]),
]


@pytest.mark.parametrize(("holds", "formula", "steps"), KNOWN)
def test_known_refutations(holds: bool, formula: list[Clause], steps: list[Step]) -> None:
    assert accepts(formula, write(formula, steps)) == refutes(formula, steps) == holds


NUMBER = r"(?:0|-?[1-9][0-9]*)"


def strictly_read(lines: Sequence[str]) -> list[Step] | None:
    """Return the steps if the lines are as described: whole numbers, single spaces, two zeros."""
    for expected, line in enumerate(lines, len(FORMULA) + 1):
        if not re.fullmatch(f"{NUMBER}( {NUMBER})*", line) or max(map(len, line.split(" "))) > 99:
            return None
        number, *numbers = map(int, line.split(" "))
        if number != expected or numbers[-1:] != [0] or 0 not in numbers[:-1]:
            return None
        if not all(0 < hint < number for hint in numbers[numbers.index(0) + 1 : -1]):
            return None
    return read_steps(lines)


PIECES = ["", " ", "0", "-", "+", "_", "\t", "\n", "d ", "c ", "5 ", "1 0", "6", "-0", "one", "."]
PIECES += ["\u0665", "\xb2", " 0 ", "9" * 30, "9" * 5000, "3 4 0", "-1 ", "7"]


@settings(max_examples=examples(600))
@given(st.integers(0, 1), st.integers(0, 12), st.integers(0, 4), st.sampled_from(PIECES))
@example(0, 0, 0, "0")
@example(1, 10, 1, "-0")
@example(0, 4, 2, "1 5")
@example(0, 10, 1, "1")
def test_lines_are_read_as_lrat_writes_them(line: int, at: int, cut: int, put: str) -> None:
    """A deletion, another number, another spelling of a number, a hint to itself: all refused."""
    lines = [*GOOD]
    lines[line] = lines[line][:at] + put + lines[line][at + cut :]
    steps = strictly_read(lines)
    assert accepts(FORMULA, lines) == (steps is not None and refutes(FORMULA, steps))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["it is so"], "'it is so' is not a line of a refutation"),
        (["5 0"], "'5 0' is not a line of a refutation"),
        ([GOOD[0], "", GOOD[1]], "'' is not a line of a refutation"),
        ([f"5 2 0 1 {'9' * 5000} 0"], f"'5 2 0 1 {'9' * 52}' is not a line of a refutation"),
        (["05 2 0 1 2 0"], "'05 2 0 1 2 0' has numbers that are not written as in LRAT"),
        ([GOOD[0], "6 0 -1 3 4 0"], "'6 0 -1 3 4 0' is not line 6 with hints to lines before"),
        ([GOOD[0], "6 -3 0 5 0"], "clause 6, [-3], does not follow from its hints"),
        ([GOOD[0]], "the refutation does not end in the empty clause"),
    ],
)
def test_the_offending_line_is_named(lines: list[str], said: str) -> None:
    with pytest.raises(RefutationError) as caught:
        check_refutation(FORMULA, lines)
    assert str(caught.value) == said


@pytest.mark.parametrize("more", [0, 1])
def test_hints_name_at_most_so_many_literals(more: int) -> None:
    """By default, 2^18: here a clause of one literal again and again."""
    lines = [f"3 0{' 1' * (256 * 1024 - 1 + more)} 2 0"]
    if not more:
        assert check_refutation([(1,), (-1,)], lines) == 1
        return
    with pytest.raises(RefutationError, match=r"^clause 3: the hints name more"):
        check_refutation([(1,), (-1,)], lines)


# --- Certificates ---

CASTLING, KNIGHT, PAWN, ROOK = (CUBES_BY_NAME[n] for n in ("O-O", "Nxb1", "a8", "Rxa1"))
CLOSED = CUBES_BY_NAME["a1"]
each_cube = pytest.mark.parametrize("cube", [CASTLING, KNIGHT, PAWN, ROOK, CLOSED], ids=str)


@cache
def paragraphs_by_cube() -> dict[Cube, Paragraph]:
    return {CUBES_BY_NAME[p.cube]: p for p in paragraphs(part().certificates)}


def refuse(paragraph: Paragraph | str, match: str) -> None:
    with pytest.raises(EvidenceError, match=match) as caught:
        check_certificate(str(paragraph))
    message = str(caught.value)
    assert message.startswith("certificates.txt.xz: ")
    assert message.isprintable()
    assert len(message) <= 300


@each_cube
@pytest.mark.parametrize("scope", Scope)
def test_the_formula_is_the_relaxation_and_a_clause_for_each_open_string(
    cube: Cube, scope: Scope
) -> None:
    strings = list(map(str, strings_of(cube)))[::40]
    relaxation = encode_relaxation(cube, scope)
    excluded = [tuple(relaxation.exclude(parse_san(san))) for san in strings]
    formula = closing_formula(cube, scope, strings)
    assert formula.clauses == [*relaxation.cnf.clauses, *excluded]
    assert formula.variables == relaxation.cnf.variables


@each_cube
def test_a_published_certificate_holds_and_less_does_not(cube: Cube) -> None:
    p = paragraphs_by_cube()[cube]
    assert check_certificate(str(p)) == ClosedCube(cube, frozenset(p.open), len(p.lines))
    for san in p.open:
        refuse(p._replace(open=[s for s in p.open if s != san]), f"cube {cube}: ")
    refuse(p._replace(lines=p.lines[:-1]), f"cube {cube}: the refutation does not end")
    number = p.lines[0].partition(" ")[0]
    refuse(p._replace(lines=[f"{number} 0 0"]), rf"cube {cube}: clause {number}, \[\], does not")


@settings(max_examples=examples(150))
@given(st.data(), st.sampled_from([CASTLING, KNIGHT, PAWN]))
def test_a_changed_character_proves_nothing_else(data: st.DataObject, cube: Cube) -> None:
    """It is refused, or it is another way to refute the very same formula."""
    text = str(paragraphs_by_cube()[cube])
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.just("") | st.sampled_from(sorted({*"-+ \nxNBQ=#.\t\0", *text})))
    changed = text[:at] + new + text[at + data.draw(st.integers(0, 1)) :]
    try:
        closed = check_certificate(changed)
    except EvidenceError:
        return
    assert closed[:2] == (cube, frozenset(paragraphs_by_cube()[cube].open))
    assert read_certificate(changed)[:2] == read_certificate(text)[:2]


def test_certificates_are_read() -> None:
    assert list(CUBES_BY_NAME.values()) == all_cubes()
    assert len(CUBES_BY_NAME) == 770
    text = CERTIFICATE.replace("axb8=B+", "axb8=N axb8=B+")  # in list order
    assert read_certificate(text)[2] == ["axb8=B", "axb8=N", "axb8=B+"]
    for cube, p in paragraphs_by_cube().items():
        assert read_certificate(str(p)) == (cube, Scope(p.scope), p.open, p.lines)


@given(st.lists(st.sampled_from(["\n", "\n\n", "0\n", "cube"])).map("".join))
def test_no_text_is_lost_between_certificates(text: str) -> None:
    pieces = list(split_certificates(text))
    assert "".join(pieces) == text
    assert all(piece.endswith("\n\n") for piece in pieces[:-1])
    assert not any(not piece or "\n\n" in piece[:-2] for piece in pieces)


CERTIFICATE = "cube xb8\nscope check\nopen axb8=B axb8=B+\n-17 32 0\n0\n\n"
PUT = ["", CERTIFICATE, " ", "\n", "\r\n", "\n\n", "cube ", "scope ", "open ", "x", "b8", "+ a8"]
"""The pieces that are put into a certificate: also itself, and each of its keywords."""


def test_a_certificate_has_one_spelling() -> None:
    """Whatever is read, of texts with any few characters replaced, is what its parts say."""
    read = 0
    for at, cut, put in product(range(len(CERTIFICATE) + 1), range(9), PUT):
        changed = CERTIFICATE[:at] + put + CERTIFICATE[at + cut :]
        try:
            cube, scope, opened, lines = read_certificate(changed)
        except EvidenceError:
            continue
        read += changed != CERTIFICATE
        assert str(Paragraph(str(cube), scope.value, opened, lines)) == changed
        assert opened == sorted({*opened}, key=list_order)
        assert {cube_of(parse_san(san)) for san in opened} <= {cube}
    assert read > 100


OPEN = "cube xb8: its open strings are wrong or unsorted"
WRONG = [
    *((before, after, "") for before, after in (("cube ", "cube"), ("scope ", "scope"))),
    *((before, after, "") for before, after in (("open ", "ope "), ("scope ", ""), ("0\n\n", "0"))),
    ("xb8\n", "xb9\n", "'xb9' is not a cube"),
    ("xb8\n", "x" * 50_000 + "\n", "'xxxxxxxxxxxxxxxxxxxx' is not a cube"),
    ("check", "exact", "cube xb8: 'exact' is not a valid Scope"),
    ("check", "x" * 50_000, "cube xb8: 'xxxxxxxxxx"),
    ("=B ", "=P ", "cube xb8: 'axb8=P' is not a SAN string"),
    ("open ", "open  ", "cube xb8: '' is not a SAN string"),
    *(("open", after, OPEN) for after in ("open a8", "open Bxb8", "opens")),
    *(("axb8=B ", after, OPEN) for after in ("axb7=B ", "axb8=B axb8=B ", "axb8=B+ axb8=B ")),
    ("open axb8=B axb8=B+", "open axb8=B+ axb8=B", OPEN),
    ("axb8=B+", "axb8=B+ axb8=N", OPEN),
]


@pytest.mark.parametrize(("before", "after", "said"), WRONG)
def test_no_other_form_is_read(before: str, after: str, said: str) -> None:
    text = CERTIFICATE.replace(before, after)
    assert text != CERTIFICATE
    with pytest.raises(EvidenceError) as caught:
        read_certificate(text)
    message = str(caught.value).removeprefix("certificates.txt.xz: ")
    assert message.startswith(said or f"{text[:40]!a} begins no whole certificate")
    assert len(message) < 300
