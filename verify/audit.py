"""The audit: re-check all that a run left behind, without search and without a solver. Trusted.

It reads the files of a run directory and nothing else, rebuilds every formula from the rules,
checks every refutation and every witness, and that together they cover the universe.
"""

import hashlib
import json
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from proofs.certificates import (
    CertificateError,
    closing_formula,
    formula_hash,
    read_certificate,
    split_certificates,
)
from proofs.cubes import Cube, cube_of, mirrored_rank
from proofs.grammar import MalformedSan, parse_san
from proofs.verdicts import Findings
from proofs.witness import CheckedWitness, Witness
from reports import outputs
from reports.survey import Survey, survey
from verify.drup import RefutationError, check_refutation
from verify.errors import Failure
from verify.manifest import COUNTS, MANIFEST, ManifestError, read_manifest
from verify.selection import Selection, select
from verify.witness import WitnessError, check_witness

MOST_BYTES: Final = 1 << 28
"""More than any file of a run has, packed or unpacked: what is larger is refused."""

FILES: Final = (
    outputs.BARE_LIST,
    outputs.FULL_LIST,
    outputs.WITNESSES,
    outputs.IMPOSSIBLE,
    outputs.CERTIFICATES,
    outputs.SUMMARY,
    outputs.SUMMARY_TEXT,
)


class AuditError(Exception):
    """Something does not hold; the message names the file and the item."""


class ClosedCube(NamedTuple):
    """A cube whose closing proof was checked, and the number of clauses in it."""

    cube: Cube
    left_open: tuple[str, ...]
    clauses: int


class Audited(NamedTuple):
    """What an audit has checked."""

    only: str | None
    survey: Survey
    cubes: int
    clauses: int


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
    files = {name: _content(directory / name) for name in FILES}
    selection = _selection(manifest)
    findings = Findings()
    closed = _check_certificates(files, selection, executor, tell, second_opinion=second_opinion)
    findings.left_open = {cube: left_open for cube, left_open, _ in closed}
    findings.add_witnesses(_check_witnesses(files[outputs.WITNESSES], executor, tell))
    tell("checking that witnesses and refutations cover every string, and the lists")
    found = survey(findings.rulings(selection.cubes), selection.selected)
    _check_cover(found, findings)
    _check_files(files, found, findings)
    _check_manifest(manifest, files, found)
    return Audited(selection.pattern or None, found, len(closed), sum(c.clauses for c in closed))


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
    text = _unpacked(outputs.CERTIFICATES, _xz_unpacker(), files[outputs.CERTIFICATES])
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


def _check_witnesses(
    content: bytes, executor: Executor, tell: Callable[[str], None]
) -> Iterator[CheckedWitness]:
    lines = list(enumerate(_ascii(outputs.WITNESSES, content).split("\n"), 1))
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


def _check_files(files: Mapping[str, bytes], found: Survey, findings: Findings) -> None:
    """The lists, tables and counts are those of what was checked, to the byte."""
    expected = outputs.lists(found) | outputs.evidence(found, findings.witnesses)
    for name, content in expected.items():
        ours, theirs = content, files[name]
        if name == outputs.IMPOSSIBLE:
            ours, theirs = (_gunzipped(name, packed) for packed in (content, theirs))
        if ours != theirs:
            raise AuditError(f"{name}: {_difference(ours, theirs)}")
    counts = outputs.summary(found)
    try:
        claimed = json.loads(files[outputs.SUMMARY])
        wrong = [key for key in counts if claimed[key] != counts[key]]
        markdown = outputs.to_markdown(claimed)
        canonical = outputs.to_json(claimed)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise AuditError(f"{outputs.SUMMARY}: it is not a run's summary") from error
    if wrong or canonical != files[outputs.SUMMARY]:
        what = wrong[0] if wrong else "its form"
        raise AuditError(f"{outputs.SUMMARY}: {what} is not what was counted")
    if markdown != files[outputs.SUMMARY_TEXT]:
        where = _difference(markdown, files[outputs.SUMMARY_TEXT])
        raise AuditError(f"{outputs.SUMMARY_TEXT}: {where}")


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


def _manifest(directory: Path) -> dict[str, Any]:
    try:
        manifest = read_manifest(_content(directory / MANIFEST))
        made_by = manifest["versions"]["sanproof"]
        names = sorted(manifest["files"])
    except (ManifestError, LookupError, TypeError) as error:
        raise AuditError(f"{MANIFEST}: {error}") from error
    if made_by != version("sanproof"):
        raise AuditError(
            f"{MANIFEST}: the run is of sanproof {made_by}: audit it with that version"
        )
    if names != sorted(FILES):
        raise AuditError(f"{MANIFEST}: it does not list the files of a run")
    return manifest


def _check_manifest(manifest: dict[str, Any], files: Mapping[str, bytes], found: Survey) -> None:
    """Last, for what the checks above leave free, such as the times in the summary."""
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest["files"][name]:
            raise AuditError(f"{name}: its hash is not the one in {MANIFEST}")
    counts = outputs.summary(found)
    for name in COUNTS[1:]:
        if manifest["counts"].get(name) != counts[name]:
            raise AuditError(f"{MANIFEST}: the number of {name} is not what was counted")


def _selection(manifest: dict[str, Any]) -> Selection:
    try:
        return select(manifest["counts"]["only"])
    except (Failure, LookupError, TypeError) as error:
        raise AuditError(f"{MANIFEST}: it does not say which strings the run is about") from error


def _content(path: Path) -> bytes:
    """The content of a file, or of the file that holds it packed, as in published data."""
    packed = path.with_name(path.name + ".xz")
    if packed.exists() and not path.exists():
        return _unpacked(packed.name, _xz_unpacker(), _read(packed)).encode("ascii")
    return _read(path)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise AuditError(f"{path.name}: cannot be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise AuditError(f"{path.name}: larger than any file of a run")
    return content


def _xz_unpacker() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MOST_BYTES)


def _gunzipped(name: str, content: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)  # the gzip form
    return _unpacked(name, unpacker, content).encode("ascii")


def _unpacked(name: str, unpacker: Any, content: bytes) -> str:  # noqa: ANN401 - lzma's or zlib's
    """The text of a packed file; never more than is refused anyway is unpacked."""
    try:
        text = unpacker.decompress(content, MOST_BYTES + 1)
    except (lzma.LZMAError, zlib.error) as error:
        raise AuditError(f"{name}: cannot be unpacked: {error}") from error
    if len(text) > MOST_BYTES:
        raise AuditError(f"{name}: unpacks to more than any file of a run")
    if not unpacker.eof or unpacker.unused_data:
        raise AuditError(f"{name}: is cut short, or something follows its end")
    return _ascii(name, text)


def _ascii(name: str, content: bytes) -> str:
    try:
        return content.decode("ascii")
    except UnicodeDecodeError as error:
        raise AuditError(f"{name}: byte {error.start + 1} is not ASCII") from error
