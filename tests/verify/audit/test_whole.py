"""The audit passes what is sound and nothing else, reads each file once, and shows its progress."""

import gzip
import lzma
import os
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    EvidenceError,
    text_of,
)
from sanproof.reports.tables.names import FULL_LIST, GAMES_PGN, MANIFEST, WITNESSES
from sanproof.verify.audit import whole
from sanproof.verify.audit.auditor import closing_lines
from sanproof.verify.audit.run_files import KEPT, read_run
from sanproof.verify.audit.whole import audit
from sanproof.verify.claims.manifest import read_manifest
from sanproof.verify.work.executors import Inline
from sanproof.verify.work.progress import Scale
from tests.proofs.kernel.evidence import lay_down, paragraphs
from tests.sentences import broken
from tests.strings import all_texts
from tests.verify.audit.runs import (
    PATTERN,
    Runs,
    audit_files,
    audit_here,
    complaint,
    fast_audits,
    read_files,
    sealed,
    selected,
    with_text,
)
from tests.verify.command import (
    PATIENCE_SECONDS,
    ROOT,
    command,
    completed,
    group,
    sanproof,
    started,
    wait_until,
    workers_of,
)
from tests.verify.command import verify as verify_arguments

# The audit passes what is sound, and nothing else; forgeries: tests.campaigns.forging

BLOCKER = """
import os, sys

for solver in ("z3", "pysat", "pysolvers"):
    sys.modules[solver] = None
open(os.path.join(os.path.dirname(__file__), f"{os.getpid()}.pid"), "w").close()
"""


@pytest.fixture(scope="module")
def runs(made: Path) -> Iterator[Runs]:
    with fast_audits():
        yield Runs(*(read_files(made / name) for name in Runs._fields))


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """Copy the run without games, to be changed."""
    return Path(shutil.copytree(made / "run", tmp_path / "run"))


# Sound runs pass.


def test_a_sound_run_passes(made: Path, runs: Runs) -> None:
    certificates = text_of(CERTIFICATES, runs.run[CERTIFICATES])
    clauses = sum(len(certificate.lines) for certificate in paragraphs(certificates))
    strings = sum(map(selected(PATTERN).selected or bool, all_texts()))
    reachable = len(text_of(FULL_LIST, runs.run[FULL_LIST]).split("\n"))
    done = sanproof("audit", str(made / "run"), "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert f"{clauses:,} clauses in all, and {reachable} positions." in done.stdout
    assert (
        f"Proved: of the {strings:,} strings that match '{PATTERN}', {reachable:,}" in done.stdout
    )
    assert f"the other {strings - reachable:,} for no legal move" in done.stdout
    assert "Z3, refutes 6 formulas" in done.stdout


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
    [("R?xa8+", ["--no-games"]), ("Kaa1*", []), ("O-O", []), ("O-O", ["--no-games"])],
)
def test_a_run_of_checks_alone_of_nothing_or_of_one_string_passes(
    tmp_path: Path, pattern: str, options: list[str]
) -> None:
    """Rbxa8 never gives check, though it is written; of Kaa1 nothing is."""
    done = sanproof(*verify_arguments(tmp_path, pattern), *options)
    assert done.returncode == 0, done.stderr
    said = "\n".join(closing_lines(audit_here(tmp_path))[2:])
    assert not broken(said), said


def test_no_solver_is_needed(made: Path, tmp_path: Path) -> None:
    """Neither here nor in the workers can z3 or pysat be imported."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKER)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": path}
    for solver in ("z3", "pysat.solvers"):
        importing = command("--version", first=f"import {solver};")
        refused = completed(importing, env=environment)
        assert "ModuleNotFoundError" in refused.stderr
    before = len(list(tmp_path.glob("*.pid")))
    arguments = ("audit", str(made / "played"), "--workers", "2")
    done = sanproof(*arguments, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Proved: " in done.stdout
    assert "No second solver was asked: Z3 is not installed" in done.stdout
    assert len(list(tmp_path.glob("*.pid"))) >= before + 2  # itself and a worker


@pytest.mark.parametrize("name", [CERTIFICATES, GAMES, GAMES_PGN])
def test_files_may_be_packed_otherwise(runs: Runs, name: str) -> None:
    """The text of a file counts, whatever version of the packer has packed it."""
    text = text_of(name, runs.played[name]).encode()
    other_form = lzma.compress(text, preset=6)
    assert other_form != runs.played[name]
    audit_files(sealed(runs.played | {name: other_form}))


# Unsound runs fail.


def test_the_string_that_is_not_decided_is_named(runs: Runs) -> None:
    """Of a witness that is missing, together with its string in the list."""
    header, first, *rest = text_of(WITNESSES, runs.run[WITNESSES]).split("\n")
    san = first.split(",")[0]
    missing = with_text(runs.run, WITNESSES, "\n".join([header, *rest]))
    message = complaint(missing)
    assert message.startswith(f"{CERTIFICATES}: ")
    assert san in message
    assert "neither witnessed nor refuted" in message


# The command


def expect_failure(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Check that the audit ended with exit code 1 and a sentence that has these words."""
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert done.stdout == ""
    *_, sentence = done.stderr.splitlines()
    assert sentence.startswith("sanproof: The audit fails: ")
    assert sentence.endswith(".")
    for word in words:
        assert word in sentence


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [(CERTIFICATES, " 0\n\n", " 0\n0\n\n"), (GAMES, "e2e4", "e2e5"), (FULL_LIST, "N", "n")],
)
def test_the_command_prints_what_is_wrong(
    runs: Runs, tmp_path: Path, name: str, old: str, new: str
) -> None:
    """Through the workers too: what they raise comes back whole."""
    text = text_of(name, runs.played[name])
    assert old in text
    forged = with_text(runs.played, name, text.replace(old, new, 1))
    lay_down(forged, tmp_path / "run")
    done = sanproof("audit", str(tmp_path / "run"), "--workers", "2")
    expect_failure(done, f"fails: {name}: ")


# Ctrl-C


HELD = """
import sys, time
from sanproof.verify.work.progress import Scale
honest = Scale.begin
def begin(scale, phase, done):
    honest(scale, phase, done)
    if phase == "Replaying games":
        sys.stderr.write("held\\n")
        sys.stderr.flush()
        time.sleep(600)
Scale.begin = begin
"""


def test_ctrl_c_ends_it_with_a_sentence(made: Path) -> None:
    """It goes no further than to the games, however fast it is; its workers do."""
    arguments = ("audit", str(made / "played"), "--workers", "2")
    with started(*arguments, first=HELD) as process:
        assert process.stderr is not None
        assert any(line == "held\n" for line in process.stderr)
        assert len(workers_of(process.pid)) == 2
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 130, stderr
        wait_until(lambda: not group(process.pid))
    assert "Traceback" not in stderr
    assert stderr.splitlines()[-1].startswith("sanproof: Interrupted: ")


# Nothing that is not a file of the run is read at all


@pytest.fixture(scope="module", autouse=True)
def _fast() -> Iterator[None]:
    with fast_audits():
        yield


@pytest.fixture
def played(made: Path, tmp_path: Path) -> Path:
    """Copy the run with games, to be changed."""
    return Path(shutil.copytree(made / "played", tmp_path / "played"))


def test_what_the_run_keeps_is_not_read(played: Path) -> None:
    before = audit_here(played)
    for name in KEPT:
        (played / name).unlink(missing_ok=True)
        (played / name).symlink_to("/dev/zero")
    assert audit_here(played) == before
    assert before.unchecked == []


def test_other_files_are_named(played: Path) -> None:
    (played / "PROOF.md").write_text("Proved.")
    (played / "sub").mkdir()
    (played / ".hidden").symlink_to("nowhere")
    assert audit_here(played).unchecked == [".hidden", "PROOF.md", "sub"]


@pytest.mark.parametrize("name", ["cover.pgn", f"{WITNESSES}.gz"])
def test_a_file_with_the_name_of_a_runs_is_refused(played: Path, name: str) -> None:
    (played / name).write_text("")
    with pytest.raises(EvidenceError, match=f"^{name}: {MANIFEST} does not name it"):
        audit_here(played)


def test_a_file_may_be_published_packed(played: Path) -> None:
    before = audit_here(played)
    path = played / WITNESSES
    (played / f"{WITNESSES}.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    assert audit_here(played) == before


@pytest.mark.parametrize("name", [MANIFEST, WITNESSES])
def test_a_link_is_not_followed(played: Path, name: str) -> None:
    (played / name).rename(played.parent / "elsewhere")
    (played / name).symlink_to(played.parent / "elsewhere")
    with pytest.raises(EvidenceError, match=f"^{name}: cannot be read: is a symbolic link"):
        read_run(played)


def test_the_published_data_is_of_this_version() -> None:
    """Of the one that pyproject.toml names: what is installed may be older.

    After raising the version, regenerate the data: ``nox -s data -- --make``.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = read_manifest((ROOT / "data" / MANIFEST).read_bytes())
    assert manifest.versions["sanproof"] == project["version"]


# How an audit gets on is shown: from nothing to all, phase by phase


@pytest.mark.parametrize("asks_z3", [False, True])
@pytest.mark.parametrize("name", ["run", "played"])
def test_each_phase_begins_once_and_all_come_to_the_end(
    made: Path, name: str, asks_z3: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    shares: list[float] = []

    def draw(scale: Scale, is_new: bool) -> None:
        begun.extend([scale.phase] * is_new)
        shares.append(scale.done / (scale.total or 1))

    seen = Scale(None, draw)
    monkeypatch.setattr(whole, "is_installed", lambda *_: asks_z3)
    audit(made / name, Inline(), seen)
    games = "Replaying games" if name == "played" else "Checking positions"
    assert begun == ["Checking refutations", games, *["Asking Z3"] * asks_z3, "Comparing files"]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == pytest.approx(1)
