"""The audit passes what is sound and nothing else; of what it refuses it names file and place.

Forged certificates and games: :mod:`tests.campaigns.forging`.
"""

import fnmatch
import gzip
import json
import lzma
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from sanproof.proofs.board.witness import checked_witness
from sanproof.proofs.games.game import read_line
from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError, text_of
from sanproof.proofs.rules.cubes import all_cubes
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
from sanproof.verify.audit.run_files import EXCERPT, KEPT, difference
from sanproof.verify.audit.whole import AuditResult, audit, closing_lines
from sanproof.verify.claims import replay
from sanproof.verify.claims.manifest import make_manifest, read_manifest
from sanproof.verify.claims.publish import check_cover
from sanproof.verify.claims.selection import select
from sanproof.verify.work.executors import Inline
from tests.proofs.kernel.evidence import lay_down, paragraphs
from tests.reports.archive.archives import write_observed, write_shortest
from tests.reports.samples import COVER as GAMES_OF_COVER
from tests.reports.samples import FOOLS, SCHOLARS
from tests.strings import strings_of
from tests.verify.command import ROOT, command, completed, sanproof, verify
from tests.verify.conftest import RUNS


@pytest.fixture(scope="module", autouse=True)
def _fast() -> Iterator[None]:
    """Have audits here remember what passed; what fails is checked again each time."""
    with (
        mock.patch.object(whole, "select", cache(select)),
        mock.patch.object(theorem, "check_certificate", cache(check_certificate)),
        mock.patch.object(replay, "checked_witness", cache(checked_witness)),
    ):
        yield


def audited(run: Path) -> AuditResult:
    """Audit in this process."""
    return audit(run, Inline())


def read(run: Path, name: str) -> str:
    return text_of(name, (run / name).read_bytes())


def change(run: Path, name: str, text: str, **more: bytes) -> None:
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
    cubes = [cube for cube in all_cubes() if cube.destination in {"b1", "b8"}]
    texts = (str(san) for cube in cubes for san in strings_of(cube))
    strings = len(fnmatch.filter(texts, pattern))
    reachable = len(read(made / "run", FULL_LIST).split("\n"))
    done = sanproof("audit", str(made / "run"), "--workers", "1")
    assert done.returncode == 0, done.stderr
    for words in (
        f"{clauses:,} clauses in all, and {reachable} positions.",
        f"Proved: of the {strings:,} strings that match '{pattern}', {reachable:,}",
        f"the other {strings - reachable:,} for no legal move",
        "Z3, refutes 4 formulas",
    ):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("pattern", "options"),
    [("R?xa8+", ["--no-games"]), ("Kaa1*", []), ("O-O", ["--no-games"])],
)
def test_a_run_of_checks_alone_of_nothing_or_of_one_string_passes(
    tmp_path: Path, pattern: str, options: list[str]
) -> None:
    """Rbxa8 never gives check, though it is written; of Kaa1 nothing is."""
    done = sanproof(*verify(tmp_path, pattern), *options)
    assert done.returncode == 0, done.stderr
    assert "agree with this" in "\n".join(closing_lines(audited(tmp_path)))


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


def test_files_may_be_packed_otherwise(finished: Path) -> None:
    """What was packed counts, by whatever packer; and published data packs more files."""
    for name in (CERTIFICATES, GAMES, GAMES_PGN):
        other_form = lzma.compress(read(finished, name).encode(), preset=6)
        assert other_form != (finished / name).read_bytes()
        change(finished, SUMMARY, read(finished, SUMMARY), **{name: other_form})
    before = audited(finished)
    (finished / f"{WITNESSES}.gz").write_bytes(gzip.compress((finished / WITNESSES).read_bytes()))
    (finished / WITNESSES).unlink()
    assert audited(finished) == before


def test_what_is_no_file_of_the_run_is_not_read_but_named(finished: Path) -> None:
    before = audited(finished)
    assert before.theorem is not None
    assert before.theorem.white | before.theorem.black == {*before.survey.reachable}
    for name in KEPT:
        (finished / name).unlink(missing_ok=True)
        (finished / name).symlink_to("/dev/zero")
    assert audited(finished) == before
    (finished / "PROOF.md").write_text("Proved.")
    (finished / "sub").mkdir()
    (finished / ".hidden").symlink_to("nowhere")
    assert audited(finished) == before._replace(unchecked=[".hidden", "PROOF.md", "sub"])


def test_the_published_data_is_of_this_version() -> None:
    """Of the one that pyproject.toml names: what is installed may be older.

    After raising the version, regenerate the data: ``nox -s data -- --make``.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    manifest = read_manifest((ROOT / "data" / MANIFEST).read_bytes())
    assert manifest.versions["sanproof"] == project["version"]


# What published data has besides: counts of played strings, and the shortest games


def rows_of(finished: Path) -> list[ShortestRow]:
    """Return a row for each game of a run."""
    games = map(read_line, read(finished, GAMES).splitlines())
    return [ShortestRow(game.san, game.ply + 1, 1, packed_game(game.moves)) for game in games]


def test_counts_and_shortest_games_are_checked_too(finished: Path) -> None:
    times = dict.fromkeys(read(finished, FULL_LIST).split("\n")[1:], 3)
    rows = rows_of(finished)
    found = audited(write_shortest(write_observed(finished, times), rows))
    assert found.observed is not None
    assert (found.observed.times, found.shortest, found.unchecked) == (times, len(rows), [])
    assert set(found.digests) >= {TABLE, *OBSERVED_FILES}
    said = "\n".join(closing_lines(found))
    assert f"Seen in games: {len(times):,} strings" in said
    assert f"Checked {len(rows)} shortest games too" in said


# What is not sound fails, and is named with its file and place

Lie = Callable[[Path], object]


def swap(name: str, old: str, new: str) -> Lie:
    """Return what puts another text in the place of the first such text of a file."""

    def lie(run: Path) -> None:
        text = read(run, name)
        assert old in text
        change(run, name, text.replace(old, new, 1))

    return lie


def known(name: str, of: Callable[[dict[str, Any]], dict[str, Any]]) -> Lie:
    """Return what changes an entry of the summary, in both forms."""

    def lie(run: Path) -> None:
        summary = json.loads(read(run, SUMMARY))
        forged = summary | {name: of(summary[name])}
        change(run, SUMMARY, to_json(forged).decode(), **{SUMMARY_TEXT: to_markdown(forged)})

    return lie


def shortest(of: Callable[[list[ShortestRow]], list[ShortestRow]]) -> Lie:
    """Return what publishes a table of shortest games."""
    return lambda run: write_shortest(run, of(rows_of(run)))


def seen(run: Path) -> None:
    write_observed(run, {read(run, FULL_LIST).split("\n")[0]: 1, "Ba1b2+": 2})


def linked(name: str) -> Lie:
    return lambda run: (run / name).symlink_to((run / name).rename(run.parent / "elsewhere"))


NOT_LISTED = f"{MANIFEST} does not name it"
LIES: list[tuple[str, Lie, str]] = [
    (CERTIFICATES, swap(CERTIFICATES, " 0\n\n", " 0\n0\n\n"), "cube "),
    (GAMES, swap(GAMES, "e2e4", "e2e5"), "e2e5 is not legal"),
    (FULL_LIST, swap(FULL_LIST, "N", "n"), "differs from the strings"),
    (WITNESSES, swap(WITNESSES, "san,", "SAN,"), "line 1 is 'SAN,.*', and should be 'san,"),
    (SUMMARY_TEXT, swap(SUMMARY_TEXT, "strings", "string"), "line .* and should be"),
    (SUMMARY, swap(SUMMARY, '"search"', '"found"'), "not the summary of a run"),
    (GAMES_PGN, swap(GAMES_PGN, "e4 ", "e3 "), "line .* and should be"),
    *(
        (SUMMARY, known(name, of), "")
        for name in ("times", "search")
        for of in (
            lambda part: part | {"proved": 1},
            lambda part: dict([*part.items()][1:]),
            lambda part: part | {next(iter(part)): -1},
            lambda part: part | {next(iter(part)): ""},
        )
    ),
    *(
        (name, partial(lay_down, {name: b""}), NOT_LISTED)
        for name in (names.COVER_PGN, f"{WITNESSES}.gz")
    ),
    *((name, linked(name), "cannot be read: is a symbolic link") for name in (MANIFEST, WITNESSES)),
    *((name, partial(lay_down, {name: b"{}"}), "") for name in (MANIFEST, WITNESSES)),
    (OBSERVED, seen, "Ba1b2. was seen 2 times in games"),
    (TABLE, lambda run: lay_down({PUBLISHED: b""}, write_shortest(run, rows_of(run))), "has 0 pa"),
    (TABLE, shortest(lambda rows: rows[1:]), "has no row of "),
    (TABLE, shortest(lambda rows: [*rows, ShortestRow("d4", 1, 1, rows[0].text)]), "its move"),
    (
        TABLE,
        shortest(lambda rows: [rows[0]._replace(text=rows[0].text[:-4]), *rows[1:]]),
        "does not end in checkmate",
    ),
    (
        TABLE,
        shortest(lambda rows: [*rows[:-1], rows[-1]._replace(text="e2e5" + rows[-1].text[4:])]),
        "e2e5 is not legal",
    ),
    (
        TABLE,
        shortest(lambda rows: [*rows[:-1], rows[-1]._replace(ply=rows[-1].ply - 2)]),
        "its move",
    ),
    (
        TABLE,
        shortest(lambda rows: [*rows[:-1], rows[-1]._replace(bound=rows[-1].ply + 1)]),
        "no game has",
    ),
    (TABLE, shortest(lambda rows: [r._replace(bound=r.ply) for r in rows]), "is what is proved"),
]


@pytest.mark.parametrize(("name", "lie", "said"), LIES)
def test_a_lie_is_named_with_its_file_and_place(
    finished: Path, name: str, lie: Lie, said: str
) -> None:
    lie(finished)
    with pytest.raises(EvidenceError, match=rf"^(part .. of )?{name}: .*{said}") as caught:
        audited(finished)
    assert str(caught.value).isprintable()


def test_what_a_worker_refuses_comes_back_whole(finished: Path) -> None:
    swap(GAMES, "e2e4", "e2e5")(finished)
    done = sanproof("audit", str(finished), "--workers", "2")
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"sanproof: The audit fails: {GAMES}: ")


def test_without_games_each_string_is_decided_once(made: Path, tmp_path: Path) -> None:
    """A witness that is missing leaves its string undecided."""
    run = Path(shutil.copytree(made / "run", tmp_path / "run"))
    lines = read(run, WITNESSES).splitlines()
    san = lines[1].split(",")[0]
    change(run, WITNESSES, "\n".join([lines[0], *lines[2:], ""]))
    with pytest.raises(EvidenceError, match=f"neither witnessed nor refuted, such as {san}"):
        audited(run)
    closed = paragraphs(read(run, CERTIFICATES))
    change(run, WITNESSES, "\n".join([*lines, ""]))
    assert audited(run).cubes == len(closed)
    change(run, CERTIFICATES, "".join(map(str, closed[1:])))
    with pytest.raises(EvidenceError, match=f"^{CERTIFICATES}: not one certificate for each cube"):
        audited(run)


def test_the_first_line_that_differs_is_named() -> None:
    for ours, theirs, said in (
        (b"a\nb\n", b"a\nc\n", r"line 2 is 'c\\n', and should be 'b\\n'"),
        (b"a", b"a\n", r"line 1 is 'a\\n', and should be 'a'"),
        (b"", b"\x1b\xff", r"line 1 is '\\x1b\\xff', and should be the end"),
        (b"a\n" + b"x" * 9999, b"a\n", f"line 2 is the end, and should be 'x{{{EXCERPT}}}'"),
    ):
        assert re.fullmatch(said, difference(ours, theirs))


STRINGS = sorted({san for game in GAMES_OF_COVER for san in game.sans})
OWN = PgnGame(3, "e6", 1, ("f3", "e6", "g4", "Qh4#"))
F3 = FOOLS._replace(number=3, san="f3", ply=0)
COVERS: list[tuple[Sequence[PgnGame], Sequence[str], str]] = [
    (GAMES_OF_COVER, [*STRINGS, "Nf3"], "Nf3 is played in none of its games"),
    ([*GAMES_OF_COVER, F3], STRINGS, "f3 has a game and is in another"),
    (GAMES_OF_COVER, [*STRINGS, "Qg7#"], "not one game for each mate.*Qg7#"),
    (GAMES_OF_COVER, ["e4"], "not one game"),
    *(
        (cover, STRINGS, "not one game for each mate.*Qh4#")
        for cover in (
            *([], [*GAMES_OF_COVER, FOOLS], [FOOLS._replace(ply=1), SCHOLARS]),
            [FOOLS._replace(san="e5", ply=1), SCHOLARS],
        )
    ),
]


def test_a_cover_has_a_game_for_each_mate_and_every_string() -> None:
    check_cover(GAMES_OF_COVER, STRINGS)
    check_cover([*GAMES_OF_COVER, OWN], [*STRINGS, "e6"])
    check_cover([], [])
    for cover, strings, said in COVERS:
        with pytest.raises(EvidenceError, match=f"^{COVER}: {said}"):
            check_cover(cover, strings)


def test_z3_refuses_what_the_kernel_would_let_pass(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = max(paragraphs(read(made / "run", CERTIFICATES)), key=lambda each: len(each.open))
    ask_z3(str(certificate))
    wrong = str(certificate._replace(open=certificate.open[:-1]))
    with pytest.raises(EvidenceError, match=f"cube {certificate.cube}: Z3 finds a model"):
        ask_z3(wrong)
    monkeypatch.setattr(solvers, "z3_refutes", lambda _: False)
    with pytest.raises(EvidenceError, match=f"^{CERTIFICATES}: cube .*: Z3 finds a model"):
        audited(made / "run")
