"""``sanproof verify`` from beginning to end: decide, check against the generator, write, report."""

import hashlib
import json
import logging
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from proofs.grammar import parse_san
from proofs.reasons import sentence
from proofs.refute import Disagreement
from proofs.verdicts import Findings
from reports.files import write_whole
from reports.outputs import (
    CERTIFICATES,
    FULL_LIST,
    SUMMARY,
    SUMMARY_TEXT,
    evidence,
    lists,
    packed,
    summary,
    to_json,
    to_markdown,
)
from reports.survey import survey
from verify.crosscheck import CrossCheck, cross_check
from verify.errors import Failure, Interrupted, NegativeAnswer
from verify.harness import Orbit, covered, decide, orbit_name, orbits_for
from verify.manifest import MANIFEST, make_manifest
from verify.progress import progress_display
from verify.selection import Selection
from verify.store import RunStore, provenance
from verify.witness import WitnessError
from verify.workers import worker_pool

log = logging.getLogger("sanproof")


class RunResult(NamedTuple):
    """What a finished run has to show; ``again`` if it was finished before this command."""

    summary: dict[str, Any]
    again: bool


def run(directory: Path, selection: Selection, workers: int) -> RunResult:
    """Decide the selected strings in a run directory, going on where an earlier run stopped.

    Raises:
        Failure: The directory cannot be used, a witness is wrong, or the user interrupted.
    """
    started = time.perf_counter()
    with RunStore(directory) as store:
        orbits = orbits_for(selection.cubes)
        pending = [orbit for orbit in orbits if orbit_name(orbit) not in store.names()]
        if not pending and _intact(directory, store.finished(selection.pattern)):
            finished = json.loads((directory / SUMMARY).read_bytes())
            if _generator_as_before(directory, selection, finished["generator"]):
                return RunResult(finished, again=True)
        if pending:
            _decide(directory, store, orbits, pending, workers)
        decided = time.perf_counter()
        outputs = _outputs(store, selection)
        times = {
            "deciding_seconds": round(decided - started, 1),
            "worker_seconds": round(store.worker_seconds(), 1),
            "writing_seconds": round(time.perf_counter() - decided, 1),
        }
        result = outputs.summary | {"versions": provenance(), "times": times}
        files = outputs.files | {SUMMARY_TEXT: to_markdown(result), SUMMARY: to_json(result)}
        files[MANIFEST] = make_manifest(files, result)
        _write(directory, files)
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        store.finish(selection.pattern, hashes)
    return RunResult(result, again=False)


def _decide(
    directory: Path, store: RunStore, orbits: list[Orbit], pending: list[Orbit], workers: int
) -> None:
    total, left = (sum(map(covered, group)) for group in (orbits, pending))
    try:
        with (
            worker_pool(min(workers, len(pending)), directory / "run.log") as executor,
            progress_display(total - left, total) as progress,
        ):
            decide(pending, store, executor, progress)
    except KeyboardInterrupt as error:
        done = len(store.names())
        raise Interrupted(
            f"Interrupted; {done} of {len(orbits)} groups of cubes are kept in {directory}: "
            "run the same command again to go on."
        ) from error
    except WitnessError as error:
        raise NegativeAnswer(f"A witness is wrong, so the run stops: {error}.") from error
    except Disagreement as error:
        raise NegativeAnswer(f"The solvers disagree, so the run stops: {error}.") from error
    except OSError as error:
        raise Failure(f"{directory} cannot be written: {error.strerror}.") from error


class _Outputs(NamedTuple):
    summary: dict[str, Any]
    files: dict[str, bytes]


def _outputs(store: RunStore, selection: Selection) -> _Outputs:
    findings, certificates = Findings(), {}
    for cube, witnesses, left_open, certificate in store.load():
        findings.add_witnesses(witnesses)
        findings.left_open[cube] = left_open
        certificates[cube] = certificate
    found = survey(findings.rulings(selection.cubes), selection.selected)
    check = cross_check(found.reachable, selection.selected)
    result = {"only": selection.pattern or None} | summary(found)
    result["generator"] = _differences(check, findings)
    result["undecided_strings"] = found.undecided[:100]
    closing = "".join(certificates[cube] for cube in selection.closed_cubes)
    files = lists(found) | evidence(found, findings.witnesses) | {CERTIFICATES: packed(closing)}
    return _Outputs(result, files)


def _differences(check: CrossCheck, findings: Findings) -> dict[str, Any]:
    """Each string the generator lacks with its witness, each it has too many with its reason."""
    missing = {san: findings.witnesses[san].fen for san in check.missing}
    rulings = {san: findings.ruling(parse_san(san)) for san in check.too_many}
    too_many = {
        san: sentence(parse_san(san), ruling.reason) if ruling.reason else ruling.verdict.value
        for san, ruling in rulings.items()
    }
    return {"strings": check.strings, "missing": missing, "too_many": too_many}


def _write(directory: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        try:
            write_whole(directory / name, content)
        except OSError as error:
            raise Failure(
                f"{directory / name} cannot be written ({error.strerror}); what was decided is "
                "kept: make room and run the same command again."
            ) from error


def _generator_as_before(directory: Path, selection: Selection, before: Mapping[str, Any]) -> bool:
    """Whether the generator still differs from a finished run's list in what it differed in."""
    reachable = (directory / FULL_LIST).read_text(encoding="ascii").split()
    strings, missing, too_many = cross_check(reachable, selection.selected)
    then = (before["strings"], list(before["missing"]), list(before["too_many"]))
    return (strings, missing, too_many) == then


def _intact(directory: Path, hashes: Mapping[str, str] | None) -> bool:
    """Whether the files of a finished run are all there and unchanged."""
    if hashes is None:
        return False
    paths = {directory / name: digest for name, digest in hashes.items()}
    return all(
        path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest
        for path, digest in paths.items()
    )
