"""Cubes are decided as a person can work out, and as it is published."""

import lzma
import re
from collections.abc import Callable

import pytest

from sanproof.proofs.board.witness import checked_witness
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.games.search import solve_games
from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.proofs.rules.cubes import Cube, cube_of, exchanged_cube
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.search import Disagreement, decide, solvers
from sanproof.proofs.search.decide import decide_cube, decide_unit, is_refuted, search_witness
from sanproof.proofs.search.derived import CubeFindings, mirrored_cube, work_units
from sanproof.proofs.theory.arrangements import strings_of
from sanproof.proofs.theory.reasons import Findings, Verdict
from tests.games import published_games
from tests.verify.command import ROOT

EVERY = {"", "+", "#"}
NEVER = {""}
DECIDED: dict[Cube, dict[str, set[str]]] = {
    Cube("K", "", "a1"): {"Ka1": EVERY},
    Cube("N", "", "a1"): {"Na1": EVERY, "Nba1": EVERY, "Nca1": EVERY},
    Cube("N", "x", "a8"): {"Nxa8": EVERY, "Nbxa8": EVERY, "Ncxa8": EVERY},
    Cube("B", "", "a1"): {"Ba1": EVERY},
    # A rook that names its file or rank leaves both lines to its twins, which look there already.
    Cube("R", "", "a1"): {"Ra1": EVERY, "Raa1": NEVER}
    | {f"R{file}a1": NEVER for file in "bcdefgh"},
    Cube("", "", "a3"): {"a3": EVERY},
    Cube("", "", "d1"): {},
    Cube("", "x", "b6"): {"axb6": EVERY, "cxb6": EVERY},
    Cube("", "", "d8"): {f"d8={piece}": EVERY for piece in "BNQR"},
    Cube("O-O", "", ""): {"O-O": EVERY},
    Cube("O-O-O", "", ""): {"O-O-O": EVERY},
}
"""The suffixes that a person can work out, of each bare string that White can play."""


def by_bare_string(strings: list[str]) -> dict[str, set[str]]:
    suffixes: dict[str, set[str]] = {}
    for san in map(parse_san, strings):
        suffixes.setdefault(str(san.bare), set()).add(san.suffix)
    return suffixes


def unexplained(found: CubeFindings) -> set[str]:
    """Return the strings with neither a witness nor a refutation."""
    left_open = check_certificate(found.certificate).left_open
    return set(left_open) - {witness.san for witness in found.witnesses}


@pytest.mark.parametrize("cube", DECIDED, ids=str)
def test_small_cubes_are_closed_with_the_strings_that_can_be_played(cube: Cube) -> None:
    result = decide_cube(cube)
    assert result.cube == cube
    assert by_bare_string([witness.san for witness in result.witnesses]) == DECIDED[cube]
    assert not unexplained(result)
    for witness in result.witnesses:
        assert checked_witness(*witness[:3]) == witness


def planted(monkeypatch: pytest.MonkeyPatch, change: Callable[[list[San]], list[San]]) -> None:
    """Have the theory be wrong."""
    monkeypatch.setattr(decide, "strings_of", lambda cube: change(strings_of(cube)))


@pytest.mark.parametrize(
    ("text", "left_out"),
    [("Nba1", "Nba1"), ("O-O+", "O-O+"), ("d8=N", "d8=N#"), ("Ra1", "Raa1"), ("Nxa8#", "Nxa8#")],
)
def test_a_string_that_the_theory_lacks_is_named_by_the_solver(
    text: str, left_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = {left_out, f"{left_out}+", f"{left_out}#"}
    planted(monkeypatch, lambda strings: [san for san in strings if str(san) not in lost])
    with pytest.raises(Disagreement, match=re.escape(f"admit {left_out}")):
        decide_cube(cube_of(parse_san(text)))


@pytest.mark.parametrize("text", ["Rba1+", "Nda1", "d8", "axb6=Q#", "Kba1"])
def test_a_string_that_the_theory_has_too_many_is_undecided(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No witness is found for it, and the certificate leaves it open."""
    planted(monkeypatch, lambda strings: [*strings, parse_san(text)])
    result = decide_cube(cube_of(parse_san(text)))
    assert unexplained(result) == {text}
    closed = check_certificate(result.certificate)
    assert text in closed.left_open
    findings = Findings(
        left_open=dict.fromkeys((closed.cube, exchanged_cube(closed.cube)), closed.left_open)
    )
    assert findings.verdict(parse_san(text)) == (Verdict.UNDECIDED, None)


def test_a_run_stops_where_z3_finds_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "z3_refutes", lambda _: False)
    with pytest.raises(Disagreement, match=r"^CaDiCaL closes cube a3, and Z3 finds a model$"):
        decide_cube(Cube("", "", "a3"))


@pytest.mark.parametrize("first", ["a3", "Ka2", "O-O", "d8=Q"])
def test_a_unit_has_the_published_certificates_and_games(
    first: str, certificates: set[str], games: dict[tuple[str, str], ProofGame]
) -> None:
    """So results do not depend on what the process has done before, nor on the day."""
    unit = next(unit for unit in work_units() if unit[0] == cube_of(parse_san(first)))
    results = decide_unit(unit)
    cubes = [{cube, mirrored_cube(cube)} for cube in unit]
    assert {result.cube for result in results} == set.union(*cubes)
    assert {result.certificate for result in results} <= certificates
    assert not any(map(unexplained, results))
    for witness in (w for result in results for w in result.witnesses):
        assert checked_witness(*witness[:3]) == witness
        if " w " in witness.fen:
            found, _ = solve_games(witness)
            assert found
            assert {game: games[game.san, game.colour] for game in found} == {g: g for g in found}


@pytest.fixture(scope="module")
def certificates() -> set[str]:
    text = lzma.decompress((ROOT / "data" / "certificates.txt.xz").read_bytes()).decode()
    return {f"{paragraph}\n\n" for paragraph in text.split("\n\n")}


@pytest.fixture(scope="module")
def games() -> dict[tuple[str, str], ProofGame]:
    return {(game.san, game.colour): game for game in published_games()}


@pytest.mark.parametrize("text", ["Nba1#", "O-O#", "axb6+", "Ra1", "d8=N#"])
def test_a_playable_string_has_a_witness_and_is_not_refuted(text: str) -> None:
    witness = search_witness(parse_san(text))
    assert witness is not None
    assert witness.san == text
    assert checked_witness(*witness[:3]) == witness
    assert not is_refuted(parse_san(text))


@pytest.mark.parametrize("text", ["Rba1+", "d8", "a1b6", "Kba1", "Nda1", "Nba1=Q", "d8=K"])
def test_an_unplayable_string_is_refuted_and_has_no_witness(text: str) -> None:
    assert is_refuted(parse_san(text))
    assert search_witness(parse_san(text)) is None
