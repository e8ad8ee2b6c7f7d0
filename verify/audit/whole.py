"""The audit: re-check all that a run left behind, without search and without a solver. Trusted.

It reads the files of a run directory and nothing else, rebuilds every formula from the rules,
checks every refutation, every game and every witness, and that together they cover the universe.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from proofs.kernel.certificates import (
    CertificateError,
    closing_formula,
    formula_hash,
    read_certificate,
    split_certificates,
)
from proofs.kernel.files import AuditError, read_file, text_of
from proofs.kernel.proof_game import COLOURS
from proofs.kernel.refutation import RefutationError, check_refutation
from proofs.rules.cubes import Cube, cube_of, mirrored_rank
from proofs.rules.san import MalformedSan, parse_san
from proofs.search.models import CheckedWitness, Witness
from proofs.verdicts.rulings import Findings
from proofs.verdicts.witness import WitnessError, check_witness
from reports.tables import outputs
from reports.tables.pgn import PgnGame, first_games
from reports.tables.survey import Survey, survey
from verify.audit.crosscheck import differences
from verify.audit.games import AuditedGame, audit_games, check_players, check_suite
from verify.audit.manifest import COUNTS, MANIFEST, Manifest, ManifestError, read_manifest
from verify.errors import Failure
from verify.run.selection import Selection, select

FILES: Final = (
    outputs.BARE_LIST,
    outputs.FULL_LIST,
    outputs.WITNESSES,
    outputs.IMPOSSIBLE,
    outputs.CERTIFICATES,
    outputs.SUMMARY,
    outputs.SUMMARY_TEXT,
)
WITH_GAMES: Final = (*FILES, outputs.GAMES)
WITH_SUITE: Final = (*WITH_GAMES, outputs.SUITE, outputs.SUITE_INDEX)


class ClosedCube(NamedTuple):
    """A cube whose closing proof was checked, and the number of clauses in it."""

    cube: Cube
    left_open: tuple[str, ...]
    clauses: int


class Audited(NamedTuple):
    """What an audit has checked; ``games`` is None for a run without games."""

    only: str | None
    survey: Survey
    cubes: int
    clauses: int
    games: int | None
    suite: int | None


class _Played(NamedTuple):
    """The games of a run, and its covering suite if it has one."""

    games: list[PgnGame]
    suite: list[PgnGame] | None


def audit(
    directory: Path, executor: Executor, tell: Callable[[str], None], *, second_opinion: bool
) -> Audited:
    """Check a finished run.

    Args:
        directory: The run directory.
        executor: Where the independent checks are done.
        tell: Takes a line about what is being checked.
        second_opinion: Whether dratify checks every refutation as well.

    Raises:
        AuditError: Something does not hold.
    """
    manifest = _manifest(directory)
    files = {name: read_file(directory, name) for name in manifest.files}
    selection = _selection(manifest)
    findings = Findings()
    closed = _check_certificates(files, selection, executor, tell, second_opinion=second_opinion)
    findings.left_open = {cube: left_open for cube, left_open, _ in closed}
    played = None
    if outputs.GAMES in files:
        played = _check_games(files, findings, selection, executor, tell)
    else:
        findings.add_witnesses(_check_witnesses(files[outputs.WITNESSES], executor, tell))
    tell("checking that these and the refutations cover every string, and the lists")
    found = survey(findings.rulings(selection.cubes), selection.selected)
    _check_cover(found, findings)
    if played is not None and played.suite is not None:
        check_suite(played.suite, found.reachable)
    _check_files(files, found, findings, played)
    _check_summary(files, manifest, found, findings, played, selection)
    _check_hashes(files, manifest)
    return Audited(
        only=manifest.only,
        survey=found,
        cubes=len(closed),
        clauses=sum(cube.clauses for cube in closed),
        games=None if played is None else len(played.games),
        suite=None if played is None or played.suite is None else len(played.suite),
    )


def check_paragraph(paragraph: str, *, second_opinion: bool) -> ClosedCube:
    """Check one certificate: that its formula is what the rules say, and that it is refuted."""
    try:
        certificate = read_certificate(paragraph)
    except CertificateError as error:
        raise AuditError(f"{outputs.CERTIFICATES}: {error}") from error
    cube, scope, formula, left_open, lemmas = certificate
    where = f"{outputs.CERTIFICATES}: cube {cube}"
    cnf = closing_formula(cube, scope, left_open)
    if formula_hash(cnf) != formula:
        raise AuditError(f"{where}: its formula is not the one that the rules give")
    try:
        check_refutation(cnf.variables, cnf.clauses, lemmas)
    except RefutationError as error:
        raise AuditError(f"{where}: {error}") from error
    if second_opinion and not _dratify_agrees(cnf.dimacs(), lemmas):
        raise AuditError(f"{where}: dratify does not accept its refutation")
    return ClosedCube(cube, left_open, len(lemmas))


def check_rows(rows: list[tuple[int, str]]) -> list[CheckedWitness]:
    """Check witnesses, each with the number of its line."""
    return [_check_row(number, line) for number, line in rows]


def _check_row(number: int, line: str) -> CheckedWitness:
    where = f"{outputs.WITNESSES}: line {number}"
    fields = line.split(",")
    if len(fields) != len(CheckedWitness._fields):
        raise AuditError(
            f"{where}: {len(fields)} fields where {len(CheckedWitness._fields)} belong"
        )
    try:
        cube_of(parse_san(fields[0]))
        checked = check_witness(Witness(*fields[:3]))
    except (WitnessError, MalformedSan) as error:
        raise AuditError(f"{where}: {error}") from error
    if checked.after_fen != fields[3]:
        raise AuditError(f"{where}: after {fields[0]} the position is {checked.after_fen}")
    return checked


def _dratify_agrees(dimacs: str, lemmas: tuple[tuple[int, ...], ...]) -> bool:
    import dratify  # noqa: PLC0415 - only for a second opinion

    proof = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma in lemmas)
    return bool(dratify.check_proof(dratify.parse_dimacs(dimacs), proof).ok)


def _check_certificates(
    files: Mapping[str, bytes],
    selection: Selection,
    executor: Executor,
    tell: Callable[[str], None],
    *,
    second_opinion: bool,
) -> list[ClosedCube]:
    text = text_of(outputs.CERTIFICATES, files[outputs.CERTIFICATES])
    paragraphs = list(split_certificates(text))
    tell(f"checking {len(paragraphs)} refutations")
    checks = [
        executor.submit(check_paragraph, p, second_opinion=second_opinion) for p in paragraphs
    ]
    closed = [check.result() for check in checks]
    needed = selection.closed_cubes
    if [c.cube for c in closed] != needed:
        strange = {c.cube for c in closed} ^ set(needed)
        names = ", ".join(sorted(map(str, strange))[:3]) or "in another order"
        raise AuditError(f"{outputs.CERTIFICATES}: not one for each cube that is needed: {names}")
    return closed


def _check_games(
    files: Mapping[str, bytes],
    findings: Findings,
    selection: Selection,
    executor: Executor,
    tell: Callable[[str], None],
) -> _Played:
    """Replay the games; the witnesses of the run are their positions."""

    def replay_file(name: str) -> list[AuditedGame]:
        return audit_games(name, text_of(name, files[name]), executor, tell)

    replayed = replay_file(outputs.GAMES)
    wanted = selection.selected or (lambda _: True)
    check_players(replayed, {c: filter(wanted, findings.open_to(c)) for c in COLOURS})
    findings.add_witnesses(item.witness for item in replayed)
    suite = None
    if outputs.SUITE in files:
        suite = [item.game for item in replay_file(outputs.SUITE)]
    return _Played([item.game for item in replayed], suite)


def _check_witnesses(
    content: bytes, executor: Executor, tell: Callable[[str], None]
) -> Iterator[CheckedWitness]:
    lines = list(enumerate(text_of(outputs.WITNESSES, content).split("\n"), 1))
    rows = lines[1:-1]  # between the header and the end; that they are right is seen to later
    tell(f"checking {len(rows)} witnesses")
    batches = [rows[i : i + 500] for i in range(0, len(rows), 500)]
    for checked in executor.map(check_rows, batches):
        yield from checked


def _check_cover(found: Survey, findings: Findings) -> None:
    """Every string is witnessed or refuted, and none is both."""
    if found.undecided:
        raise AuditError(
            f"{outputs.CERTIFICATES}: {len(found.undecided)} strings are neither witnessed nor "
            f"refuted, such as {found.undecided[0]}"
        )
    foreign = findings.witnesses.keys() - set(found.reachable)
    if foreign:
        raise AuditError(f"{outputs.WITNESSES}: {min(foreign)} does not belong to this run")
    for witness in findings.witnesses.values():
        san = parse_san(witness.san)
        from_white = san if " w " in witness.fen else mirrored_rank(san)
        if str(from_white) not in findings.left_open[cube_of(from_white)]:
            raise AuditError(f"{outputs.WITNESSES}: {san} has a witness and is refuted as well")


def _check_files(
    files: Mapping[str, bytes], found: Survey, findings: Findings, played: _Played | None
) -> None:
    """The lists and tables are those of what was checked, to the byte."""
    numbers = None if played is None else first_games(played.games)
    expected = outputs.lists(found) | outputs.tables(found, findings.witnesses, numbers)
    if played is not None and played.suite is not None:
        expected[outputs.SUITE_INDEX] = outputs.suite_index(played.suite, found.reachable)
    for name, ours in expected.items():
        theirs = files[name]
        if name == outputs.IMPOSSIBLE:
            theirs = text_of(name, theirs).encode("ascii")
        if ours != theirs:
            raise AuditError(f"{name}: {_difference(ours, theirs)}")


def _check_summary(
    files: Mapping[str, bytes],
    manifest: Manifest,
    found: Survey,
    findings: Findings,
    played: _Played | None,
    selection: Selection,
) -> None:
    """The counts are those of what was checked; of the search's times nothing can be known."""
    generator = differences(found.reachable, findings, selection.selected)
    games, suite = played or (None, None)
    counts = outputs.summary(manifest.only, found, games, generator, suite=suite)
    claimed = _json(files[outputs.SUMMARY])
    try:
        search, times = claimed["search"], claimed["times"]
        numbers = [*search.values(), *times.values()]
        rest = {"search": search, "versions": manifest.versions, "times": times}
        honest = outputs.to_json(counts | rest)
    except (LookupError, TypeError, AttributeError) as error:
        raise AuditError(f"{outputs.SUMMARY}: it is not a run's summary") from error
    if not all(type(n) in {int, float} for n in numbers):
        raise AuditError(f"{outputs.SUMMARY}: its times are not numbers")
    for name, ours in (
        (outputs.SUMMARY, honest),
        (outputs.SUMMARY_TEXT, outputs.to_markdown(json.loads(honest))),
    ):
        if ours != files[name]:
            raise AuditError(f"{name}: {_difference(ours, files[name])}")
    for name in COUNTS:
        if manifest.counts[name] != counts[name]:
            raise AuditError(f"{MANIFEST}: the number of {name} is not what was counted")


def _json(content: bytes) -> Any:  # noqa: ANN401 - a forger's summary may hold anything
    try:
        return json.loads(text_of(outputs.SUMMARY, content))
    except (ValueError, RecursionError) as error:
        raise AuditError(f"{outputs.SUMMARY}: it is not a run's summary") from error


def _difference(ours: bytes, theirs: bytes) -> str:
    """Where a file first differs from what it should be."""
    right, wrong = (content.split(b"\n") for content in (ours, theirs))
    number = next(
        (i for i, (a, b) in enumerate(zip(right, wrong, strict=False)) if a != b),
        min(len(right), len(wrong)),
    )
    should, does = (
        ascii(lines[number][:60].decode("latin-1")) if number < len(lines) else "the end"
        for lines in (right, wrong)
    )
    return f"line {number + 1} is {does} where {should} belongs"


def _manifest(directory: Path) -> Manifest:
    try:
        manifest = read_manifest(read_file(directory, MANIFEST))
    except ManifestError as error:
        raise AuditError(f"{MANIFEST}: {error}") from error
    made_by = manifest.versions.get("sanproof")
    if made_by != version("sanproof"):
        raise AuditError(
            f"{MANIFEST}: the run is of sanproof {made_by}: audit it with that version"
        )
    forms = (FILES, WITH_GAMES, WITH_SUITE)
    if sorted(manifest.files) not in map(sorted, forms):
        raise AuditError(f"{MANIFEST}: it does not list the files of a run")
    return manifest


def _check_hashes(files: Mapping[str, bytes], manifest: Manifest) -> None:
    """Last, for what the checks above leave free, such as the times in the summary."""
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest.files[name]:
            raise AuditError(f"{name}: its hash is not the one in {MANIFEST}")


def _selection(manifest: Manifest) -> Selection:
    try:
        return select(manifest.only)
    except Failure as error:
        raise AuditError(f"{MANIFEST}: it does not say which strings the run is about") from error
