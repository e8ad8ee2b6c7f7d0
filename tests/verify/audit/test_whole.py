"""The audit passes what is sound, and nothing else; forgeries: tests.campaigns.forging."""

import gzip
import lzma
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.kernel.theorem import Theorem
from sanproof.reports.tables.names import FULL_LIST, GAMES_PGN, MANIFEST, WITNESSES
from sanproof.reports.tables.survey import Survey
from sanproof.verify.audit import whole
from sanproof.verify.audit.auditor import closing_lines
from sanproof.verify.audit.progress import Phase
from tests.campaigns.forging.__main__ import KINDS
from tests.campaigns.forging.claims import Claims
from tests.campaigns.forging.model import (
    PATTERN,
    Forgery,
    Runs,
    audit_files,
    audit_here,
    check_caught,
    fast_audits,
    lay_down,
    read_files,
    scene_of,
    sealed,
    selected,
    text_of,
    with_text,
)
from tests.campaigns.forging.parts import certificates_of, without_open_string
from tests.sentences import broken
from tests.strings import all_texts
from tests.verify.command import (
    PATIENCE_SECONDS,
    ROOT,
    command,
    expect_sentence,
    group,
    sanproof,
    started,
    workers_of,
)
from tests.verify.command import verify as verify_arguments

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
def runs(made: Path) -> Iterator[Runs]:
    with fast_audits():
        yield Runs(*(read_files(made / name) for name in Runs._fields))


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of the run without games, to be changed."""
    return Path(shutil.copytree(made / "run", tmp_path / "run"))


# What is sound passes.


def test_a_sound_run_passes(made: Path, runs: Runs) -> None:
    clauses = sum(len(certificate.steps) for certificate in certificates_of(runs.run))
    wanted = selected(PATTERN).selected or (lambda _: True)
    strings = sum(map(wanted, all_texts()))
    reachable = len(text_of(runs.run, FULL_LIST).split("\n"))
    done = sanproof("audit", str(made / "run"), "--workers", "1", "--second-opinion")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert (
        f"Checked 6 refutations of {clauses:,} clauses in all, and {reachable} positions." in lines
    )
    (proved,) = [line for line in lines if line.startswith("Proved: ")]
    assert proved.startswith(
        f"Proved: of the {strings:,} strings that match '{PATTERN}', {reachable:,} are written for "
        f"a legal move in the position given, and the other {strings - reachable:,} for no legal "
        "move in any position. A position has one king a side"
    )
    assert "dratify accepts all 6 refutations as well." in lines
    assert lines[-1].startswith("Audited in ")


@pytest.mark.parametrize("name", Runs._fields)
def test_each_run_passes(made: Path, name: str) -> None:
    audited = audit_here(made / name)
    assert audited.cubes > 0
    assert (audited.theorem is not None) == (name == "played")
    if theorem := audited.theorem:
        assert sorted(theorem.white | theorem.black) == sorted(audited.survey.reachable)
        assert (theorem.cubes, theorem.clauses) == (audited.cubes, audited.clauses)


@pytest.mark.parametrize(
    ("pattern", "options"),
    [("R?xa8+", ["--no-games"]), ("R?xa8+", []), ("Kaa1*", []), ("Kaa1*", ["--no-games"])],
)
@pytest.mark.usually(2)
def test_a_run_of_checks_alone_or_of_nothing_passes(
    tmp_path: Path, pattern: str, options: list[str]
) -> None:
    """Rbxa8 never gives check, though it is written; of Kaa1 nothing is."""
    done = sanproof(*verify_arguments(tmp_path, pattern), *options)
    assert done.returncode == 0, done.stderr
    assert not broken("\n".join(closing_lines(audit_here(tmp_path))[2:]))


@pytest.mark.parametrize("only", ["Kaa1", None])
def test_no_sentence_breaks_where_everything_is_one(made: Path, only: str | None) -> None:
    for name in ("run", "played"):
        audited = audit_here(made / name)
        kind = next(kind for kind in audited.survey.counts if kind.reason is None)
        small = audited._replace(
            only=only,
            survey=Survey(Counter({kind: 1}), audited.survey.reachable[:1], [], []),
            cubes=1,
            clauses=1,
            theorem=audited.theorem
            and Theorem(1, frozenset({"O-O"}), frozenset(), games=1, cubes=1, clauses=1),
        )
        text = "\n".join(closing_lines(small))
        assert "Checked 1 refutation of 1 clause in all, and 1 " in text
        assert "Proved: of the 1 string " in text
        assert ", 1 is written for a " in text
        assert not broken(text), text


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
    arguments = ("audit", str(made / "played"), "--workers", "2", "--second-opinion")
    done = sanproof(*arguments, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Proved: " in done.stdout
    assert len(list(tmp_path.glob("*.pid"))) >= before + 2  # itself and a worker


@pytest.mark.parametrize("name", [CERTIFICATES, GAMES, GAMES_PGN])
def test_files_may_be_packed_otherwise(runs: Runs, name: str) -> None:
    """What counts is their text, whatever version of the packer has packed it."""
    text = text_of(runs.played, name).encode()
    other_form = gzip.compress(text, 1) if name == GAMES_PGN else lzma.compress(text, preset=6)
    assert other_form != runs.played[name]
    audit_files(sealed(runs.played | {name: other_form}))


# What is not sound fails.


def test_the_string_that_is_not_decided_is_named(runs: Runs) -> None:
    """Of a witness that is missing, together with its string in the list."""
    header, first, *rest = text_of(runs.run, WITNESSES).split("\n")
    san = first.split(",")[0]
    missing = with_text(runs.run, WITNESSES, "\n".join([header, *rest]))
    message = check_caught(Forgery(missing, (CERTIFICATES,), (san,)))
    assert "neither witnessed nor refuted" in message


def test_a_refuted_string_with_a_witness_is_named(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only an unsound checker could let it come to that; it is said all the same."""
    claims = Claims.of(runs.run)
    san = next(san for san in claims.witnesses if san.startswith("N") and san.endswith("8"))
    for cube, certificate in claims.certificates.items():
        if san in certificate.left_open:
            claims.certificates[cube] = without_open_string(certificate, san)
    monkeypatch.setattr("sanproof.proofs.kernel.certificates.check_refutation", lambda *_: 1)
    with pytest.raises(EvidenceError, match=f"^{WITNESSES}: {san} has a witness and a refutation"):
        audit_files(claims.files())


def test_a_witness_of_a_string_of_another_run_is_named(runs: Runs) -> None:
    claims = Claims.of(runs.other)
    foreign = next(w for san, w in Claims.of(runs.run).witnesses.items() if san.startswith("B"))
    lines = text_of(runs.other, WITNESSES).split("\n")
    lines.insert(1, ",".join(foreign))
    files = with_text(runs.other, WITNESSES, "\n".join(lines))
    assert foreign.san not in claims.witnesses
    with pytest.raises(EvidenceError, match=f"^{WITNESSES}: {foreign.san} does not belong"):
        audit_files(files)


def test_the_cheap_is_checked_first(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that selects nothing is noticed before a certificate is looked at."""
    for kind in ("manifest: pattern of nothing", "manifest: free text"):
        forgery = KINDS[kind](scene_of(runs, kind, 0))
        monkeypatch.setattr(whole, "start_certificates", None)
        monkeypatch.setattr(whole, "check_theorem", None)
        assert check_caught(forgery).startswith(f"{MANIFEST}: ")


# The command


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


def test_what_is_no_run_is_misuse(made: Path, tmp_path: Path) -> None:
    expect_sentence(sanproof("audit", str(tmp_path)), 2, "holds no finished run")
    for path, said in ((tmp_path / "nowhere", "nowhere"), (made / "run" / MANIFEST, "is a file")):
        done = sanproof("audit", str(path))
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert said in done.stderr


@pytest.mark.parametrize("name", [CERTIFICATES, MANIFEST])
def test_a_missing_file_fails(copied: Path, name: str) -> None:
    (copied / name).unlink()
    expect_failure(sanproof("audit", str(copied)), f"{name}: cannot be read")


@pytest.mark.parametrize(
    "kind",
    [
        "raw: a bit flipped",
        "manifest: version",
        "witness: another string's",
        "refutation: step missing",
        "games: an illegal move",
        "PGN: a move of 80 characters",
    ],
)
@pytest.mark.usually(3)
def test_the_command_prints_what_is_wrong(runs: Runs, tmp_path: Path, kind: str) -> None:
    """Through the workers too: what they raise comes back whole."""
    forgery = KINDS[kind](scene_of(runs, kind, 0))
    lay_down(forgery, tmp_path / "run")
    done = sanproof("audit", str(tmp_path / "run"), "--workers", "2")
    expect_failure(done)
    assert any(f"fails: {name}: " in done.stderr for name in forgery.named)


def test_a_long_message_is_cut_short(runs: Runs, tmp_path: Path) -> None:
    lines = text_of(runs.run, WITNESSES).split("\n")
    lines[1] = lines[1].replace(",", "," + "x" * 60_000, 1)
    lay_down(Forgery(with_text(runs.run, WITNESSES, "\n".join(lines)), ()), tmp_path / "run")
    done = sanproof("audit", str(tmp_path / "run"))
    expect_failure(done, WITNESSES)
    assert len(done.stderr.splitlines()[-1]) < 600


# Ctrl-C


HELD = """
import sys, time
from sanproof.verify.audit.progress import Phase, Phases
honest = Phases.begin
def begin(phases, phase):
    honest(phases, phase)
    if phase is Phase.{phase}:
        sys.stderr.write("held\\n")
        sys.stderr.flush()
        time.sleep(600)
Phases.begin = begin
"""


@contextmanager
def held_in(phase: Phase, run: Path) -> Iterator[subprocess.Popen[str]]:
    """An audit that goes no further than this, however fast it is; its workers do."""
    arguments = ("audit", str(run), "--workers", "2")
    with started(*arguments, first=HELD.format(phase=phase.name)) as process:
        assert process.stderr is not None
        assert any(line == "held\n" for line in process.stderr)
        yield process


@pytest.mark.parametrize("phase", [Phase.REFUTATIONS, Phase.GAMES, Phase.COMPARISON])
@pytest.mark.usually(1)
def test_ctrl_c_ends_it_with_a_sentence(made: Path, phase: Phase) -> None:
    with held_in(phase, made / "played") as process:
        assert len(workers_of(process.pid)) == 2
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 130, stderr
        wait_until_gone(lambda: group(process.pid))
    assert "Traceback" not in stderr
    said = "sanproof: Interrupted: the audit did not end, and nothing is proved."
    assert stderr.splitlines()[-1] == said
    assert stderr.count("sanproof: ") == 1


def test_workers_end_when_the_audit_is_killed(made: Path) -> None:
    with held_in(Phase.GAMES, made / "played") as process:
        assert len(workers_of(process.pid)) == 2
        process.kill()
        process.wait()
        wait_until_gone(lambda: workers_of(process.pid))


def wait_until_gone(processes: Callable[[], object]) -> None:
    """Wait until there are no such processes; one that has ended takes a moment to be gone."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while left := processes():
        assert time.monotonic() < deadline, left
        time.sleep(0.05)
