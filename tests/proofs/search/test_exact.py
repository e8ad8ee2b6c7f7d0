"""The exact formula: how models are read; what is written with files and ranks exchanged."""

import chess
import pytest

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import SUFFIXES, parse_san
from sanproof.proofs.search.decide import likely_strings
from sanproof.proofs.search.exact import (
    encode_exact,
    encode_transposed,
    encode_witness,
    field_literals,
    read_string,
    read_witness,
    witness_literals,
)
from sanproof.proofs.search.preferences import Preference
from sanproof.proofs.search.solvers import CadicalSession, SolverAnswer
from sanproof.proofs.search.symmetry import transposed, transposed_cube
from sanproof.proofs.verdicts.witness import Witness, check_witness
from tests.proofs.encoding.adequacy import Formula, case_of

PAWN = Witness("exd8=N+", "3r4/4Pk2/8/8/8/8/8/4K3 w - - 0 1", "e7d8n")
PASSING = Witness("bxa6", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "b5a6")
CASTLING = Witness("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1")
LONG_CASTLING = Witness("O-O-O", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1")


@pytest.mark.parametrize(
    ("cube", "witness"),
    [
        (Cube("", "x", "d8"), PAWN),
        (Cube("", "x", "a6"), PASSING),
        (Cube("O-O", "", ""), CASTLING),
        (Cube("O-O-O", "", ""), LONG_CASTLING),
    ],
)
def test_a_model_of_a_witness_is_read_as_that_witness(cube: Cube, witness: Witness) -> None:
    board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
    formula = Formula(encode_exact(cube))
    assert formula.admits(formula.case_literals(case_of(board, move, "fixed")))
    assert read_witness(formula.encoding, formula.session.values()) == witness


def test_the_string_is_read_from_the_first_values() -> None:
    encoding = encode_exact(Cube("N", "", "c3"))
    fields = field_literals(encoding)
    assert witness_literals(encoding)[: len(fields)] == fields
    for text in ("Nc3", "Nb1c3#", "N5c3+", "Nac3=Q"):
        san = parse_san(text)
        spelt = encoding.literals(san)
        assert read_string(encoding, [x in spelt for x in fields]) == san


CUBES = [Cube("Q", "", "c4"), Cube("R", "", "a3"), Cube("B", "x", "c4"), Cube("N", "", "b3")]
PAWNLESS = Preference(pawns=False, men=3)


@pytest.mark.parametrize("cube", CUBES, ids=str)
def test_a_string_of_the_transposed_cube_is_found_as_python_chess_writes_it(cube: Cube) -> None:
    encoding = encode_witness(cube, PAWNLESS)
    strings = encode_transposed(encoding)
    assert strings.cube == transposed_cube(cube)
    session = CadicalSession(encoding.cnf, witness_literals(encoding))
    found = set()
    for bare in likely_strings(strings.cube):
        for suffix in SUFFIXES:
            san = bare._replace(suffix=suffix)
            if session.solve(strings.literals(san)) is SolverAnswer.SATISFIABLE:
                image = transposed(read_witness(encoding, session.values()))
                assert image.san == str(san)
                check_witness(image)
                found.add(bare)
    assert {(bool(san.file), bool(san.rank)) for san in found} >= {(False, False), (True, False)}


@pytest.mark.parametrize("cube", CUBES, ids=str)
@pytest.mark.usually(1)
def test_transposed_strings_exclude_no_string(cube: Cube) -> None:
    """What can be written can be written still: each string has models as before, or none."""
    encoding = encode_exact(cube, PAWNLESS)
    plain = CadicalSession(encoding.cnf, [])
    with_strings = encode_exact(cube, PAWNLESS)
    encode_transposed(with_strings)
    other = CadicalSession(with_strings.cnf, [])
    for bare in likely_strings(cube):
        for suffix in SUFFIXES:
            literals = encoding.literals(bare._replace(suffix=suffix))
            assert literals == with_strings.literals(bare._replace(suffix=suffix))
            assert plain.solve(literals) is other.solve(literals)


def test_likely_strings_name_an_origin_in_each_way() -> None:
    def texts(cube: Cube) -> list[str]:
        return list(map(str, likely_strings(cube)))

    assert texts(Cube("O-O", "", "")) == ["O-O"]
    assert texts(Cube("", "", "e4")) == ["e4"]
    assert texts(Cube("", "x", "a8")) == [f"bxa8={piece}" for piece in "NBRQ"]
    assert texts(Cube("", "x", "d5")) == ["cxd5", "exd5"]
    knights = "Na1 N2a1 N3a1 Nba1 Nb3a1 Nca1 Nc2a1"
    assert texts(Cube("N", "", "a1")) == knights.split()
