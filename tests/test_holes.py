"""What surviving mutants have shown to be untested: see :mod:`tests.mutants`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofs import refute
from proofs.cnf import Cnf, Literal
from proofs.cubes import Cube, cube_of, exchanged_cube
from proofs.errors import Disagreement
from proofs.grammar import parse_san
from proofs.refute import search_certificate
from proofs.verdicts import Findings, Verdict
from proofs.witness import CheckedWitness, Witness
from reports import outputs
from tests.proofs.adequacy import Adequacy, case_of
from tests.proofs.test_cnf import assert_defines, literal, value, with_inputs
from tests.verify.command import InlineExecutor, sanproof, verify
from tests.verify.corruption import Claims, Files, fast_audits, read_run, rehashed, sealed
from verify.audit import FILES, audit
from verify.errors import AuditError
from verify.manifest import MANIFEST, make_manifest
from verify.witness import WitnessError, check_witness

Operands = tuple[Literal, Literal, Literal]

# Clauses: what is defined once is the same, and nothing else is.


def assert_defines_all(cnf: Cnf, operands: Operands, gates: tuple[Literal, ...]) -> None:
    a, b, c = operands
    onward, either, both = gates
    assert_defines(cnf, onward, lambda v: value(a, v) or (value(b, v) and value(c, v)))
    assert_defines(cnf, either, lambda v: any(value(x, v) for x in operands))
    assert_defines(cnf, both, lambda v: all(value(x, v) for x in operands))


@given(st.lists(st.tuples(literal, literal, literal), min_size=2, max_size=4))
@example([(2, 3, 4), (2, 3, 5)])
@example([(2, 3, 4), (2, 5, 4)])
@example([(2, 3, 4), (5, 3, 4)])
@example([(2, 3, 4), (-2, 3, 4)])
def test_gates_of_one_formula_are_told_apart(all_operands: list[Operands]) -> None:
    cnf = with_inputs()
    gates = [(cnf.onward(*o), cnf.either(*o), cnf.both(*o)) for o in all_operands]
    for operands, defined in zip(all_operands, gates, strict=True):
        assert_defines_all(cnf, operands, defined)


# Mates that are so because what seems to answer them does not.

MATES: Final = {
    "a knight beside the pawn does not pass": ("8/8/K3p3/3pk3/2n1N3/5Qn1/2NP4/8 w - - 0 1", "d2d4"),
    "a bishop beside the pawn does not pass": (
        "8/6r1/8/2Bnk3/2b1N1Qr/8/3P4/K7 w - - 0 1",
        "d2d4",
    ),
    "passing does not answer a bishop": ("8/4pK2/4p1Bk/8/2p5/8/3P4/2B5 w - - 0 1", "d2d4"),
    "passing does not answer a rook": ("6n1/8/8/4K3/4p3/7r/R2P3k/Q6N w - - 0 1", "d2d4"),
    "no double push over a man": ("R6N/3p3K/3P4/7k/6pp/8/8/8 w - - 0 1", "a8a5"),
    "a pawn does not step between as it takes": ("2kr4/Q7/3p4/8/8/8/8/1K1R4 w - - 0 1", "d1c1"),
}


@pytest.mark.parametrize(("fen", "uci"), MATES.values(), ids=MATES)
def test_known_mates(fen: str, uci: str) -> None:
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    assert board.is_valid()
    assert board.san(move).endswith("#")
    assert Adequacy().check_case(case_of(board, move, "known mates")) is None


# Witnesses: of all strings only one is right.

MOVES: Final = {
    "Nxc3": ("2k5/8/8/8/4N3/2r5/8/2R1K3 w - - 0 1", "e4c3"),
    "Raxd4": ("6k1/8/8/8/R2r3R/8/8/K7 w - - 0 1", "a4d4"),
    "R1d3": ("7k/8/8/3R4/8/8/8/K2R4 w - - 0 1", "d1d3"),
    "Qh4xe1": ("1k1r4/2p5/8/8/4Q2Q/8/K7/4r2Q w - - 0 1", "h4e1"),
    "exd8=Q+": ("3r2k1/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q"),
}


@pytest.mark.parametrize("right", MOVES)
def test_only_one_string_is_right(right: str) -> None:
    fen, uci = MOVES[right]
    passed = []
    for san in cube_of(parse_san(right)).strings():
        try:
            passed.append(check_witness(Witness(str(san), fen, uci)).san)
        except WitnessError:
            continue
    assert passed == [right]


# Verdicts: what no proof excludes for both colours is undecided until somebody shows it.

ROOK = Cube("R", "", "a1")


def shown(san: str) -> CheckedWitness:
    return CheckedWitness(san, "8/8/8/8/8/8/8/8 w - - 0 1", "a2a1", "")


def closed(*, white: list[str], black: list[str]) -> Findings:
    """Closing proofs that leave these open, each written as White's; the plain move is shown."""
    findings = Findings(left_open={ROOK: white, exchanged_cube(ROOK): black})
    findings.add_witnesses(map(shown, ("Ra1", "Ra8")))
    return findings


def verdict(findings: Findings, san: str) -> Verdict:
    return findings.ruling(parse_san(san)).verdict


@pytest.mark.parametrize("san", ["Ra1+", "Ra1#", "Raa1", "Rba1+", "Ra1=K"])
@pytest.mark.parametrize("left_open", [[], ["Rca1", "Rca8"]])
@pytest.mark.parametrize("closed_cubes", [[], [ROOK], [exchanged_cube(ROOK)]])
def test_without_both_closing_proofs_nothing_is_impossible(
    san: str, closed_cubes: list[Cube], left_open: list[str]
) -> None:
    findings = Findings(left_open=dict.fromkeys(closed_cubes, left_open))
    findings.add_witnesses([shown("Ra1")])
    assert verdict(findings, san) is Verdict.UNDECIDED
    assert verdict(findings, "Ra1") is Verdict.REACHABLE


def test_a_string_that_both_proofs_exclude_is_impossible() -> None:
    findings = closed(white=["Ra1"], black=["Ra8"])
    for san in ("Rba1", "Ra1+", "Ra1=K#"):
        assert verdict(findings, san) is Verdict.IMPOSSIBLE
    assert verdict(findings, "Rab1") is Verdict.UNDECIDED  # of another cube


def test_a_string_that_white_may_play_is_undecided_until_it_is_shown() -> None:
    findings = closed(white=["Rba1"], black=[])
    assert verdict(findings, "Rba1") is Verdict.UNDECIDED
    findings.add_witnesses([shown("Rba1")])
    assert verdict(findings, "Rba1") is Verdict.REACHABLE
    assert verdict(findings, "Rba1+") is Verdict.IMPOSSIBLE


def test_a_string_that_black_may_play_is_undecided() -> None:
    """Black's proof is White's with the ranks counted from the other side."""
    findings = closed(white=["R3a1"], black=["R7a8"])
    expected = {"R2a1": True, "R3a1": True, "R6a8": True, "R7a8": True}
    expected |= {"R7a1": False, "R6a1": False, "R3a8": False, "R2a8": False}
    for san, possible in expected.items():
        assert verdict(findings, san) is (Verdict.UNDECIDED if possible else Verdict.IMPOSSIBLE)


# The search for certificates: the two solvers have to agree.


def open_strings(cube: Cube) -> list[str]:
    return [str(cube), f"{cube}#", f"{cube}+"]


def test_a_certificate_is_of_the_smallest_scope_that_is_enough() -> None:
    assert search_certificate(Cube("B", "", "a1"), ["Ba1", "Ba1#", "Ba1+"]).scope.name == "GEOMETRY"


@pytest.mark.parametrize("gone", ["Ba1", "Ba1#", "Ba1+"])
def test_a_string_that_cadical_can_play_and_z3_could_not_is_a_disagreement(gone: str) -> None:
    cube = Cube("B", "", "a1")
    left_open = [san for san in open_strings(cube) if san != gone]
    with pytest.raises(Disagreement, match="closes Ba1 with 2 strings"):
        search_certificate(cube, left_open)


def test_a_solver_that_finds_models_everywhere_disagrees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refute, "search_refutation", lambda _: None)
    with pytest.raises(Disagreement):
        search_certificate(Cube("B", "", "a1"), open_strings(Cube("B", "", "a1")))


# The audit: what its other checks do not happen to notice as well.

PART: Final = "N[bc]a1*"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a small run."""
    directory = tmp_path_factory.mktemp("sound")
    done = sanproof(*verify(directory, PART))
    assert done.returncode == 0, done.stderr
    return read_run(directory)


@pytest.fixture(autouse=True)
def remembered_selections() -> Iterator[None]:
    with fast_audits():
        yield


def audit_files(directory: Path, files: Files, *, second_opinion: bool = False) -> None:
    for name, content in files.items():
        (directory / name).write_bytes(content)
    executor = InlineExecutor()
    audit(directory, executor, lambda _: None, second_opinion=second_opinion)


def assert_refused(directory: Path, files: Files, said: str, **options: bool) -> None:
    with pytest.raises(AuditError, match=said):
        audit_files(directory, files, **options)


@pytest.mark.parametrize("second_opinion", [False, True])
def test_a_sound_run_passes(tmp_path: Path, sound: Files, *, second_opinion: bool) -> None:
    audit_files(tmp_path, sound, second_opinion=second_opinion)


def without_string(claims: Claims, san: str) -> Claims:
    """The same claims, with a closing proof that is said to exclude a string."""
    for cube, certificate in claims.certificates.items():
        left_open = tuple(s for s in certificate.left_open if s != san)
        if left_open != certificate.left_open:
            claims.certificates[cube] = rehashed(certificate._replace(left_open=left_open))
    return claims


def test_an_undecided_string_is_refused_even_if_the_run_admits_it(
    tmp_path: Path, sound: Files
) -> None:
    claims = Claims.of(sound)
    del claims.witnesses["Nba1#"]
    said = "1 strings are neither witnessed nor refuted, such as Nba1#"
    assert_refused(tmp_path, claims.files(), said)


def test_a_string_both_witnessed_and_refuted_is_refused(
    tmp_path: Path, sound: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should rules and checkers be so wrong that both are accepted."""
    files = without_string(Claims.of(sound), "Nba1#").files()
    assert_refused(tmp_path, files, "Na1: clause")
    monkeypatch.setattr("verify.audit.check_refutation", lambda *_: None)
    assert_refused(tmp_path, files, r"Nba1# has a witness and is refuted as well")


def test_a_second_opinion_refuses_what_the_first_accepts(
    tmp_path: Path, sound: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = Claims.of(sound)
    knight = Cube("N", "", "a1")
    claims.certificates[knight] = claims.certificates[knight]._replace(lemmas=((),))
    monkeypatch.setattr("verify.audit.check_refutation", lambda *_: None)
    audit_files(tmp_path, claims.files())
    assert_refused(tmp_path, claims.files(), "Na1: dratify does not accept", second_opinion=True)


PACKED_CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "the last byte cut off": lambda content: content[:-1],
    "all cut off but the text": lambda content: content[:-8],
    "a byte appended": lambda content: content + b"\n",
    "itself appended": lambda content: content + content,
}


@pytest.mark.parametrize("name", [outputs.CERTIFICATES, outputs.IMPOSSIBLE])
@pytest.mark.parametrize("change", PACKED_CHANGES.values(), ids=PACKED_CHANGES)
def test_a_packed_file_is_whole_and_nothing_follows(
    tmp_path: Path, sound: Files, name: str, change: Callable[[bytes], bytes]
) -> None:
    files = sealed(sound | {name: change(sound[name])})
    assert_refused(tmp_path, files, f"^{name}: is cut short, or something follows its end")


@pytest.mark.parametrize("name", [outputs.SUMMARY, MANIFEST])
def test_json_is_refused_in_any_form_but_its_own(tmp_path: Path, sound: Files, name: str) -> None:
    respelled = json.dumps(json.loads(sound[name]), indent=1).encode() + b"\n"
    files = sound | {name: respelled}
    assert_refused(tmp_path, files if name == MANIFEST else sealed(files), f"^{name}: ")


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"{}", b"7", b"[" * 100_000, b'{"files": {}}'])
def test_what_is_no_manifest_is_refused(tmp_path: Path, sound: Files, text: bytes) -> None:
    assert_refused(tmp_path, sound | {MANIFEST: text}, f"^{MANIFEST}: it is not a manifest")


@pytest.mark.parametrize("name", ["strings", "reachable", "impossible", "undecided"])
def test_each_count_of_the_manifest_is_compared(tmp_path: Path, sound: Files, name: str) -> None:
    summary = json.loads(sound[outputs.SUMMARY])
    summary[name] += 1
    content = {file: sound[file] for file in FILES}
    files = sound | {MANIFEST: make_manifest(content, summary)}
    assert_refused(tmp_path, files, f"^{MANIFEST}: the number of {name}")


def test_a_file_of_a_tebibyte_is_refused(tmp_path: Path, sound: Files) -> None:
    """Which takes no room on the disk, and would be more than any memory."""
    with (tmp_path / outputs.WITNESSES).open("wb") as file:
        file.truncate(1 << 40)
    others = {name: content for name, content in sound.items() if name != outputs.WITNESSES}
    assert_refused(tmp_path, others, f"^{outputs.WITNESSES}: larger than any file of a run")


def test_a_failed_audit_ends_with_exit_code_1(tmp_path: Path, sound: Files) -> None:
    for name, content in sound.items():
        (tmp_path / name).write_bytes(content)
    assert sanproof("audit", str(tmp_path), "--workers", "1").returncode == 0
    (tmp_path / outputs.BARE_LIST).write_bytes(b"Nba1\nNca2")
    failed = sanproof("audit", str(tmp_path), "--workers", "1")
    assert failed.returncode == 1
    assert f"The audit fails: {outputs.BARE_LIST}: " in failed.stderr
