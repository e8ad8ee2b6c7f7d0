"""The audit: that it passes what is sound, and nothing else.

What is corrupted, and how, stands in :mod:`tests.verify.audit.corruption`.
"""

import json
import lzma
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest

import verify.audit.whole
from proofs.kernel.certificates import read_certificate, split_certificates
from proofs.kernel.files import EvidenceError
from proofs.rules.san import universe
from reports.tables import outputs
from tests.verify.audit import corruption
from tests.verify.audit.corruption import (
    BOMBS,
    KINDS,
    LARGE_FILES,
    PATTERN,
    Claims,
    Corrupted,
    Files,
    NotCaught,
    Runs,
    audit_here,
    bombs_not_caught,
    certificates_of,
    check_caught,
    fast_audits,
    lay_down,
    make_runs,
    read_run,
    read_runs,
    scene_of,
    sealed,
    selected,
    table,
    try_kinds,
)
from tests.verify.audit.forged_games import is_played, read_games
from tests.verify.command import ROOT, InlineExecutor, command, sanproof
from tests.verify.command import verify as verify_arguments
from verify.audit.manifest import MANIFEST
from verify.audit.whole import audit, check_paragraph

TRIES = 2

BLOCKER = """
import os, sys

class NoSolver:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("z3", "pysat", "pysolvers"):
            raise ImportError(f"{name} is not for the audit")

sys.meta_path.insert(0, NoSolver())
open(os.path.join(os.path.dirname(__file__), f"{os.getpid()}.pid"), "w").close()
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the runs are, not to be changed, with audits that are fast."""
    directory = tmp_path_factory.mktemp("audit")
    make_runs(directory)
    with fast_audits():
        yield directory


@pytest.fixture(scope="module")
def runs(made: Path) -> Runs:
    return read_runs(made)


@pytest.fixture(scope="module")
def run(runs: Runs) -> Files:
    return runs.run


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of the run, to be changed."""
    return Path(shutil.copytree(made / "run", tmp_path / "run"))


def expect_failure(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """The audit ends with exit code 1 and a sentence that has these words."""
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert done.stdout == ""
    *_, sentence = done.stderr.splitlines()
    assert sentence.startswith("sanproof: The audit fails: ")
    assert sentence.endswith(".")
    for word in words:
        assert word in sentence


# --- What is sound passes ---


@pytest.mark.parametrize("arguments", [("--workers", "1"), ("--second-opinion",)])
def test_a_sound_run_passes(made: Path, run: Files, arguments: tuple[str, ...]) -> None:
    certificates = [read_certificate(p) for p in split_certificates(certificates_of(run))]
    steps = sum(len(certificate.lemmas) for certificate in certificates)
    wanted = selected(PATTERN).selected
    assert wanted is not None
    strings = sum(wanted(str(san)) for san in universe())
    reachable = len(run[outputs.FULL_LIST].split(b"\n"))
    done = sanproof("audit", str(made / "run"), *arguments)
    assert done.returncode == 0, done.stderr
    checked, proved, audited = done.stdout.splitlines()
    assert checked == f"Checked 6 refutations of {steps:,} clauses in all, and 96 witnesses."
    assert proved == (
        f"Proved: of the {strings:,} strings that match {PATTERN}, {reachable:,} are written for a "
        f"legal move in the position given, and the other {strings - reachable:,} for no legal "
        "move in any position."
    )
    assert audited.startswith("Audited in ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", Runs._fields)
def test_each_run_passes(made: Path, name: str) -> None:
    assert audit_here(made / name).cubes > 0


def test_a_run_of_checks_alone_passes(tmp_path: Path) -> None:
    """Strings are selected whose bare string is not: Rbxa8 never gives check."""
    done = sanproof(*verify_arguments(tmp_path, "R?xa8+"))
    assert done.returncode == 0, done.stderr
    audit_here(tmp_path)


def test_no_solver_is_needed(made: Path, tmp_path: Path) -> None:
    """Neither here nor in the workers can z3 or pysat be imported."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKER)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": path}
    for solver in ("z3", "pysat.solvers"):
        importing = command("--version", first=f"import {solver};")
        refused = subprocess.run(
            importing, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert "is not for the audit" in refused.stderr
    before = len(list(tmp_path.glob("*.pid")))
    arguments = ("audit", str(made / "run"), "--workers", "2", "--second-opinion")
    done = sanproof(*arguments, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Proved: " in done.stdout
    assert len(list(tmp_path.glob("*.pid"))) >= before + 2  # itself and a worker


def test_nothing_else_in_the_directory_is_looked_at(copied: Path) -> None:
    before = audit_here(copied)
    (copied / "run.sqlite3").write_bytes(b"garbage")
    (copied / "run.log").unlink()
    (copied / "notes.txt").write_text("mine")
    assert audit_here(copied) == before


def test_what_is_forged_without_a_lie_passes(runs: Runs, run: Files) -> None:
    """So that what gives a forged run away is the lie, and not how it was made."""
    assert all(sealed(files) == files for files in runs)
    assert Claims.of(run).files() == run
    for change in (corruption.forged_summary(lambda *_: None), corruption.forged_manifest(_same)):
        assert change(scene_of(runs, "control", 0)).files == run


def _same(*_: object) -> None:
    """Change nothing."""


# --- What is not sound fails ---


@pytest.mark.parametrize("number", range(TRIES))
@pytest.mark.parametrize("kind", KINDS)
def test_a_corruption_is_caught(runs: Runs, kind: str, number: int) -> None:
    check_caught(KINDS[kind](scene_of(runs, kind, number)))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("drawn by repetition", "fivefold repetition"),
        ("drawn by 75 moves", "75 moves without progress"),
    ],
)
def test_a_drawn_game_is_called_so(runs: Runs, kind: str, said: str) -> None:
    """Nothing else is wrong with it: python-chess plays it to its mate."""
    corrupted = KINDS[f"forged games: {kind}"](scene_of(runs, kind, 0))
    text = corruption.unpack(outputs.GAMES, corrupted.files[outputs.GAMES])
    assert all(map(is_played, read_games(text)))
    assert said in check_caught(corrupted)


def test_a_file_larger_than_it_may_be_is_refused_with_little_memory(
    made: Path,
) -> None:
    assert bombs_not_caught(made / "run", "bombs") == dict.fromkeys(BOMBS, "")


@pytest.mark.slow
def test_a_file_as_large_as_it_may_be_is_refused_with_little_memory(
    made: Path,
) -> None:
    assert bombs_not_caught(made / "run", "large") == dict.fromkeys(LARGE_FILES, "")


@pytest.mark.parametrize("name", [outputs.WITNESSES, MANIFEST])
def test_a_pipe_is_not_waited_for(run: Files, name: str) -> None:
    with giving_up_after(seconds=3):
        check_caught(Corrupted(run, (name,), instead={name: os.mkfifo}))


@contextmanager
def giving_up_after(seconds: int) -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise RuntimeError("it waits")  # no TimeoutError, which an audit may take for the file's

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def every_refutation_accepted() -> Iterator[None]:
    with (
        mock.patch.object(
            verify.audit.whole, "check_paragraph", check_paragraph
        ),  # without a memory
        mock.patch.object(verify.audit.whole, "check_refutation", return_value=None),
    ):
        yield


def test_a_second_opinion_is_asked(runs: Runs, tmp_path: Path) -> None:
    """What this project's checker lets pass, dratify does not; unless it is not asked."""
    corrupted = KINDS["forged refutation: steps missing"](scene_of(runs, "second", 0))
    lay_down(corrupted, tmp_path / "run")
    with every_refutation_accepted():
        audit_here(tmp_path / "run")
        with pytest.raises(EvidenceError, match="dratify does not accept its refutation"):
            audit(tmp_path / "run", InlineExecutor(), lambda _: None, second_opinion=True)


def test_the_string_that_is_not_decided_is_named(run: Files) -> None:
    """Of a certificate that leaves one string more open, and of a witness that is missing."""
    header, first, *rest = run[outputs.WITNESSES].split(b"\n")
    san = first.split(b",")[0].decode()
    missing = sealed(run | {outputs.WITNESSES: b"\n".join([header, *rest])})
    message = check_caught(Corrupted(missing, corruption.UNDECIDED, (san,)))
    assert "neither witnessed nor refuted" in message


def test_a_refuted_string_with_a_witness_is_named(run: Files, tmp_path: Path) -> None:
    """Only an unsound checker could let it come to that; it is said all the same."""
    claims = Claims.of(run)
    san = next(san for san in claims.witnesses if san.startswith("N") and san.endswith("8"))
    for cube, certificate in claims.certificates.items():
        if san in certificate.left_open:
            less = tuple(s for s in certificate.left_open if s != san)
            claims.certificates[cube] = corruption.rehashed(certificate._replace(left_open=less))
    lay_down(Corrupted(claims.files(), ()), tmp_path / "run")
    with (
        every_refutation_accepted(),
        pytest.raises(EvidenceError, match=f"{san} has a witness and is refuted as well"),
    ):
        audit_here(tmp_path / "run")


def test_certificates_may_be_packed_otherwise(run: Files, tmp_path: Path) -> None:
    """What counts is their text, whatever version of the packer has packed it."""
    text = certificates_of(run).encode()
    other_form = lzma.compress(text, preset=6)
    assert other_form != run[outputs.CERTIFICATES]
    files = sealed(run | {outputs.CERTIFICATES: other_form})
    lay_down(Corrupted(files, ()), tmp_path / "run")
    audit_here(tmp_path / "run")


# --- The command ---


def test_an_empty_directory_fails(tmp_path: Path) -> None:
    expect_failure(sanproof("audit", str(tmp_path)), "manifest.json: cannot be read")


def test_a_missing_directory_is_misuse(tmp_path: Path) -> None:
    done = sanproof("audit", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "nowhere" in done.stderr


def test_a_file_for_a_directory_is_no_pass(made: Path) -> None:
    done = sanproof("audit", str(made / "run" / MANIFEST))
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", [outputs.CERTIFICATES, MANIFEST])
def test_a_missing_file_fails(copied: Path, name: str) -> None:
    (copied / name).unlink()
    expect_failure(sanproof("audit", str(copied)), f"{name}: cannot be read")


def test_a_run_of_another_version_fails(copied: Path) -> None:
    manifest = json.loads((copied / MANIFEST).read_bytes())
    old = f'"{manifest["versions"]["sanproof"]}"'
    forged = corruption.resealed(
        read_run(copied), lambda content: content["versions"].update(sanproof="0.0.1")
    )
    assert old.encode() in (copied / MANIFEST).read_bytes()
    (copied / MANIFEST).write_bytes(forged[MANIFEST])
    expect_failure(sanproof("audit", str(copied)), f"{MANIFEST}: ", "0.0.1")


@pytest.mark.parametrize(
    "kind",
    [
        "raw: a bit flipped",
        "forged witness: another string's",
        "forged refutation: steps missing",
    ],
)
def test_the_command_tells_a_corruption(runs: Runs, tmp_path: Path, kind: str) -> None:
    """Through the workers too: what they raise comes back whole."""
    corrupted = KINDS[kind](scene_of(runs, kind, 0))
    lay_down(corrupted, tmp_path / "run")
    done = sanproof("audit", str(tmp_path / "run"), "--workers", "2")
    expect_failure(done)
    assert any(f"fails: {name}: " in done.stderr for name in corrupted.named)


# --- The table of corruptions ---


def test_an_audit_that_passes_all_catches_nothing(runs: Runs) -> None:
    """The table would say so."""
    with mock.patch.object(corruption, "audit_here", return_value=None):
        rows = list(try_kinds(runs, 1))
    assert [(row.kind, row.tried, len(row.told)) for row in rows] == [(k, 1, 1) for k in KINDS]
    assert table(rows).splitlines()[-1].split() == ["all", str(len(KINDS)), "0"]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (EvidenceError("manifest.json: it is the wrong file"), "does not name witnesses.csv"),
        (EvidenceError("witnesses.csv: something"), "does not name Nxb1"),
        (EvidenceError("witnesses.csv: Nxb1\n"), "not one line"),
        (KeyError("Nxb1"), "crashes: KeyError"),
        (MemoryError(), "crashes: MemoryError"),
    ],
)
def test_a_wrong_answer_does_not_count_as_caught(run: Files, error: Exception, told: str) -> None:
    corrupted = Corrupted(run, (outputs.WITNESSES,), ("Nxb1",))
    with (
        mock.patch.object(corruption, "audit_here", side_effect=error),
        pytest.raises(NotCaught, match=told),
    ):
        check_caught(corrupted)
