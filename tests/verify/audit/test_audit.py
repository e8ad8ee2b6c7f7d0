"""The audit passes what is sound and nothing else; of what it refuses it names file and place.

Forged certificates and games: :mod:`tests.campaigns.forging`.
"""

import gzip
import json
import lzma
import os
import shutil
import signal
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.board.witness import checked_witness
from sanproof.proofs.games.game import read_line
from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError, text_of
from sanproof.proofs.search import solvers
from sanproof.proofs.search.solvers import ask_z3
from sanproof.proofs.shortest.table import PUBLISHED, TABLE, ShortestRow, packed_game
from sanproof.reports.tables import names
from sanproof.reports.tables.names import (
    COVER,
    FULL_LIST,
    GAMES_PGN,
    MANIFEST,
    OBSERVED,
    OBSERVED_FILES,
    SUMMARY,
    SUMMARY_TEXT,
    WITNESSES,
)
from sanproof.reports.tables.outputs import packed_as
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.summary import to_json, to_markdown
from sanproof.verify.audit import whole
from sanproof.verify.audit.auditor import closing_lines
from sanproof.verify.audit.run_files import KEPT, difference
from sanproof.verify.audit.whole import AuditResult, audit
from sanproof.verify.claims import replay
from sanproof.verify.claims.manifest import make_manifest, read_manifest
from sanproof.verify.claims.publish import check_cover
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.work.executors import Inline
from tests.proofs.kernel.evidence import lay_down, paragraphs
from tests.reports.archive.archives import write_observed, write_shortest
from tests.reports.samples import COVER as GAMES_OF_COVER
from tests.reports.samples import FOOLS, SCHOLARS
from tests.sentences import broken
from tests.strings import all_texts
from tests.verify.command import (
    PATIENCE_SECONDS,
    ROOT,
    command,
    completed,
    group,
    sanproof,
    started,
    verify,
    wait_until,
    workers_of,
)
from tests.verify.conftest import RUNS

Files = dict[str, bytes]


@cache
def selected(pattern: str | None) -> Selection:
    return select(pattern)


@pytest.fixture(scope="module", autouse=True)
def _fast() -> Iterator[None]:
    """Have audits here remember what passed; what fails is checked again each time."""
    with (
        mock.patch.object(whole, "select", selected),
        mock.patch.object(theorem, "check_certificate", cache(check_certificate)),
        mock.patch.object(replay, "checked_witness", cache(checked_witness)),
    ):
        yield


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """Copy the run without games, to be changed."""
    return Path(shutil.copytree(made / "run", tmp_path / "run"))


@pytest.fixture
def played(made: Path, tmp_path: Path) -> Path:
    """Copy the run with games, to be changed."""
    return Path(shutil.copytree(made / "played", tmp_path / "played"))


def audited(run: Path) -> AuditResult:
    """Audit in this process, quietly."""
    return audit(run, Inline())


def complaint(run: Path) -> str:
    """Audit what does not hold, and return what is said: one line of text."""
    with pytest.raises(EvidenceError) as caught:
        audited(run)
    assert str(caught.value).isprintable()
    return str(caught.value)


def read(run: Path, name: str) -> str:
    return text_of(name, (run / name).read_bytes())


def change(
    run: Path, name: str, text: str, more: Mapping[str, bytes] = MappingProxyType({})
) -> None:
    """Change a file of a run, and make the manifest right about it.

    Its counts are those of the summary before the change.
    """
    manifest = read_manifest((run / MANIFEST).read_bytes())
    summary = json.loads((run / SUMMARY).read_bytes())
    lay_down({name: packed_as(name, text.encode("ascii")), **more}, run)
    files = {name: (run / name).read_bytes() for name in manifest.files}
    lay_down({MANIFEST: make_manifest(files, summary)}, run)


# What is sound passes


def test_the_command_says_what_is_proved(made: Path) -> None:
    pattern = RUNS["run"][0]
    certificates = paragraphs(read(made / "run", CERTIFICATES))
    clauses = sum(len(certificate.lines) for certificate in certificates)
    strings = sum(map(selected(pattern).selected, all_texts()))
    reachable = len(read(made / "run", FULL_LIST).split("\n"))
    done = sanproof("audit", str(made / "run"), "--workers", "1")
    assert done.returncode == 0, done.stderr
    for words in (
        f"{clauses:,} clauses in all, and {reachable} positions.",
        f"Proved: of the {strings:,} strings that match '{pattern}', {reachable:,}",
        f"the other {strings - reachable:,} for no legal move",
        "Z3, refutes 6 formulas",
    ):
        assert words in done.stdout


def test_the_theorem_is_about_what_is_reachable(made: Path) -> None:
    assert audited(made / "run").theorem is None
    found = audited(made / "played")
    assert found.theorem is not None
    assert found.theorem.white | found.theorem.black == {*found.survey.reachable}
    assert (found.theorem.cubes, found.theorem.clauses) == (found.cubes, found.clauses)


@pytest.mark.parametrize(
    ("pattern", "options"),
    [("R?xa8+", ["--no-games"]), ("Kaa1*", []), ("O-O", []), ("O-O", ["--no-games"])],
)
def test_a_run_of_checks_alone_of_nothing_or_of_one_string_passes(
    tmp_path: Path, pattern: str, options: list[str]
) -> None:
    """Rbxa8 never gives check, though it is written; of Kaa1 nothing is."""
    done = sanproof(*verify(tmp_path, pattern), *options)
    assert done.returncode == 0, done.stderr
    said = "\n".join(closing_lines(audited(tmp_path))[2:])
    assert not broken(said), said


BLOCKER = """
import os, sys

for solver in ("z3", "pysat", "pysolvers"):
    sys.modules[solver] = None
open(os.path.join(os.path.dirname(__file__), f"{os.getpid()}.pid"), "w").close()
"""


def test_no_solver_is_needed(made: Path, tmp_path: Path) -> None:
    """Neither here nor in the workers can z3 or pysat be imported."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKER)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": path}
    refused = completed(command("--version", first="import z3;"), env=environment)
    assert "ModuleNotFoundError" in refused.stderr
    before = len(list(tmp_path.glob("*.pid")))
    done = sanproof("audit", str(made / "played"), "--workers", "2", env=environment)
    assert done.returncode == 0, done.stderr
    assert "No second solver was asked: Z3 is not installed" in done.stdout
    assert len(list(tmp_path.glob("*.pid"))) >= before + 2  # itself and a worker


def test_files_may_be_packed_otherwise(played: Path) -> None:
    """What was packed counts, by whatever packer; and published data packs more files."""
    for name in (CERTIFICATES, GAMES, GAMES_PGN):
        other_form = lzma.compress(read(played, name).encode(), preset=6)
        assert other_form != (played / name).read_bytes()
        change(played, SUMMARY, read(played, SUMMARY), {name: other_form})
    before = audited(played)
    (played / f"{WITNESSES}.gz").write_bytes(gzip.compress((played / WITNESSES).read_bytes()))
    (played / WITNESSES).unlink()
    assert audited(played) == before


def test_what_is_no_file_of_the_run_is_not_read_but_named(played: Path) -> None:
    before = audited(played)
    for name in KEPT:
        (played / name).unlink(missing_ok=True)
        (played / name).symlink_to("/dev/zero")
    assert audited(played) == before
    (played / "PROOF.md").write_text("Proved.")
    (played / "sub").mkdir()
    (played / ".hidden").symlink_to("nowhere")
    assert audited(played) == before._replace(unchecked=[".hidden", "PROOF.md", "sub"])


def test_the_published_data_is_of_this_version() -> None:
    """Of the one that pyproject.toml names: what is installed may be older.

    After raising the version, regenerate the data: ``nox -s data -- --make``.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = read_manifest((ROOT / "data" / MANIFEST).read_bytes())
    assert manifest.versions["sanproof"] == project["version"]


# What is not sound fails


LIES = [
    (CERTIFICATES, " 0\n\n", " 0\n0\n\n", "cube "),
    (GAMES, "e2e4", "e2e5", "e2e5 is not legal"),
    (FULL_LIST, "N", "n", "differs from the strings"),
    (WITNESSES, "san,", "SAN,", r"line 1 is 'SAN,.*', and should be 'san,"),
    (SUMMARY_TEXT, "strings", "string", "line .* and should be"),
    (GAMES_PGN, "e4 ", "e3 ", "line .* and should be"),
]


@pytest.mark.parametrize(("name", "old", "new", "said"), LIES)
def test_a_lie_is_named_with_its_file_and_place(
    played: Path, name: str, old: str, new: str, said: str
) -> None:
    """Through the workers too: what they raise comes back whole."""
    text = read(played, name)
    assert old in text
    change(played, name, text.replace(old, new, 1))
    with pytest.raises(EvidenceError, match=f"^{name}: .*{said}"):
        audited(played)
    if name == GAMES:
        done = sanproof("audit", str(played), "--workers", "2")
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert done.stderr.splitlines()[-1].startswith(f"sanproof: The audit fails: {name}: ")


def test_without_games_each_string_is_decided_once(run: Path) -> None:
    """A witness that is missing leaves its string undecided, and one too many contradicts."""
    lines = read(run, WITNESSES).splitlines()
    san = lines[1].split(",")[0]
    change(run, WITNESSES, "\n".join([lines[0], *lines[2:], ""]))
    assert f"neither witnessed nor refuted, such as {san}" in complaint(run)
    closed = paragraphs(read(run, CERTIFICATES))
    change(run, WITNESSES, "\n".join([*lines, ""]))
    assert audited(run).cubes == len(closed)
    change(run, CERTIFICATES, "".join(map(str, closed[1:])))
    assert complaint(run).startswith(f"{CERTIFICATES}: not one certificate for each cube")


@pytest.mark.parametrize("name", ["times", "search"])
def test_what_only_the_run_knows_has_the_names_and_the_size_of_it(played: Path, name: str) -> None:
    summary = json.loads(read(played, SUMMARY))
    part = summary[name]
    first, *others = part.items()
    for wrong in (part | {"proved": 1}, dict(others), part | {first[0]: -1}, part | {first[0]: ""}):
        forged = summary | {name: wrong}
        change(played, SUMMARY, to_json(forged).decode(), {SUMMARY_TEXT: to_markdown(forged)})
        assert complaint(played).startswith(f"{SUMMARY}: ")


@pytest.mark.parametrize("name", [names.COVER_PGN, f"{WITNESSES}.gz"])
def test_a_file_with_the_name_of_a_runs_is_refused(played: Path, name: str) -> None:
    (played / name).write_text("")
    assert complaint(played) == f"{name}: {MANIFEST} does not name it"


@pytest.mark.parametrize("name", [MANIFEST, WITNESSES])
def test_a_link_is_not_followed_and_a_changed_file_not_taken(played: Path, name: str) -> None:
    (played / name).rename(played.parent / "elsewhere")
    (played / name).symlink_to(played.parent / "elsewhere")
    assert complaint(played) == f"{name}: cannot be read: is a symbolic link"
    (played / name).unlink()
    (played / name).write_text("{}")
    assert complaint(played).startswith(f"{name}: ")


TEXTS = st.text("ab\n", max_size=30).map(str.encode)


@given(TEXTS, TEXTS)
@example(b"a", b"a\n")
@example(b"", b"a")
def test_the_first_line_that_differs_is_named(ours: bytes, theirs: bytes) -> None:
    if ours == theirs:
        return
    right, wrong = (text.decode().splitlines(keepends=True) for text in (ours, theirs))
    number = 0
    while right[number : number + 1] == wrong[number : number + 1]:
        number += 1
    should, does = (
        repr(lines[number]) if number < len(lines) else "the end" for lines in (right, wrong)
    )
    expected = f"line {number + 1} is {does}, and should be {should}"
    assert difference(ours, theirs) == expected


STRINGS = sorted({san for game in GAMES_OF_COVER for san in game.sans})
ONE_EACH = "not one game for each mate.*"
COVERS: list[tuple[Sequence[PgnGame], Sequence[str], str]] = [
    (GAMES_OF_COVER, [*STRINGS, "Nf3"], "Nf3 is played in none of its games"),
    (GAMES_OF_COVER, [*STRINGS, "Qg7#"], f"{ONE_EACH}Qg7#"),
    (GAMES_OF_COVER, ["e4"], ONE_EACH),
    ([*GAMES_OF_COVER, FOOLS], STRINGS, f"{ONE_EACH}Qh4#"),
    ([], ["Qh4#"], f"{ONE_EACH}Qh4#"),
    ([FOOLS._replace(ply=1), SCHOLARS], STRINGS, f"{ONE_EACH}Qh4#"),
    ([FOOLS._replace(san="e5", ply=1), SCHOLARS], STRINGS, f"{ONE_EACH}Qh4#"),
    (
        [*GAMES_OF_COVER, FOOLS._replace(number=3, san="f3", ply=0)],
        STRINGS,
        "f3 has a game and is in another",
    ),
]


def test_a_cover_has_a_game_for_each_mate_and_every_string() -> None:
    own = PgnGame(3, "e6", 1, ("f3", "e6", "g4", "Qh4#"))
    check_cover(GAMES_OF_COVER, STRINGS)
    check_cover([*GAMES_OF_COVER, own], [*STRINGS, "e6"])
    check_cover([], [])
    for cover, strings, said in COVERS:
        with pytest.raises(EvidenceError, match=f"^{COVER}: {said}"):
            check_cover(cover, strings)


def test_z3_refuses_what_the_kernel_would_let_pass(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = max(paragraphs(read(made / "run", CERTIFICATES)), key=lambda each: len(each.open))
    ask_z3(str(certificate))
    wrong = str(certificate.without_open(certificate.open[-1]))
    with pytest.raises(EvidenceError, match=f"cube {certificate.cube}: Z3 finds a model"):
        ask_z3(wrong)
    monkeypatch.setattr(solvers, "z3_refutes", lambda _: False)
    with pytest.raises(EvidenceError, match=f"^{CERTIFICATES}: cube .*: Z3 finds a model"):
        audited(made / "run")


# What published data has besides: counts of played strings, and the shortest games


def test_a_string_that_was_seen_and_not_proved_fails_the_audit(played: Path) -> None:
    reachable = read(played, FULL_LIST).split("\n")
    times = dict.fromkeys(reachable[1:], 3)
    found = audited(write_observed(played, times))
    assert found.observed is not None
    assert (found.observed.times, found.unchecked) == (times, [])
    assert set(found.digests) >= set(OBSERVED_FILES)
    assert f"Seen in games: {len(times):,} strings" in "\n".join(closing_lines(found))
    write_observed(played, {reachable[0]: 1, "Ba1b2+": 2})
    assert complaint(played).startswith(f"{OBSERVED}: Ba1b2+ was seen in a game, 2 times")


Change = Callable[[list[ShortestRow]], object]


def forge(rows: list[ShortestRow], at: int, **change: Any) -> None:  # noqa: ANN401
    """Change a row."""
    rows[at] = rows[at]._replace(**change)


CHANGES: list[tuple[Change, str]] = [
    (lambda rows: rows.pop(), "has no row of "),
    (lambda rows: rows.append(ShortestRow("d4", 1, 1, rows[0].text)), "its move"),
    (lambda rows: forge(rows, 0, text=rows[0].text[:-4]), "does not end in checkmate"),
    (lambda rows: forge(rows, -1, text="e2e5" + rows[-1].text[4:]), "e2e5 is not legal"),
    (lambda rows: forge(rows, -1, ply=rows[-1].ply - 2), "its move"),
    (lambda rows: forge(rows, -1, bound=rows[-1].ply + 1), "no game has"),
    (
        lambda rows: rows.__setitem__(slice(None), [r._replace(bound=r.ply) for r in rows]),
        "is what is proved",
    ),
]


@pytest.fixture
def rows(played: Path) -> list[ShortestRow]:
    """Return a row for each game of the run."""
    games = map(read_line, read(played, GAMES).splitlines())
    return [ShortestRow(game.san, game.ply + 1, 1, packed_game(game.moves)) for game in games]


def test_a_sound_table_of_shortest_games_is_counted(played: Path, rows: list[ShortestRow]) -> None:
    found = audited(write_shortest(played, rows))
    assert (found.shortest, found.unchecked) == (len(rows), [])
    assert TABLE in found.digests
    assert f"Checked {len(rows)} shortest games too" in "\n".join(closing_lines(found))
    (played / PUBLISHED).write_bytes(b"")
    assert complaint(played).startswith(f"{TABLE}: has 0 parts")


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_a_forged_row_fails_the_audit(
    change: Change, words: str, played: Path, rows: list[ShortestRow]
) -> None:
    change(rows)
    write_shortest(played, rows)
    with pytest.raises(EvidenceError, match=rf"^(part .. of )?{TABLE}: .*({words})"):
        audited(played)


# How an audit gets on is shown, and Ctrl-C ends it


HELD = """
import sys, time
from sanproof.verify.audit import whole
honest = whole.progress
def held(phase, total):
    if phase == "Replaying games":
        sys.stderr.write("held\\n")
        sys.stderr.flush()
        time.sleep(600)
    return honest(phase, total)
whole.progress = held
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
    assert stderr.splitlines()[-1] == "sanproof: Interrupted."
