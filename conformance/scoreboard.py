"""Shows how chess libraries do: ``python -m conformance.scoreboard [RESULTS]... --out FOLDER``.

RESULTS are files that ``sanproof conformance run --format json`` has written, packed with xz or
not; without them, the kept ones. The folder has one page, the same as JSON, and for each library
what shields.io's endpoint badge reads.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from sanproof.reports.escaping import visible, web_address
from sanproof.reports.page.folder import FolderError, put_folder
from sanproof.verify.commands.start import run_to_end
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.files import read_result
from sanproof.verify.errors import Failure, failure

DATA: Final = Path(__file__).parents[1] / "data" / "conformance"
KEPT: Final = "results.json.xz"
FORMAT: Final = 1
TEXTS: Final = (
    *("name", "version", "language", "settings"),
    *("ended", "registry", "home", "licence", "release"),
)
"""The entries of a result file about a library."""
WORDS: Final = dict(
    zip(runner.ASKED, ("reading", "writing", "lists", "playing", "PGN"), strict=True)
)
"""The operations as tables name them."""
OUTCOMES: Final = ("passed", "accepted", "rejected", "skipped", *runner.FAILURES)
COLOURS: Final = {"green": "#3d7a12", "yellow": "#8a6100", "red": "#b3261e", "grey": "#5f5f5f"}
"""On each of them white text has a contrast of at least 4.5 to 1."""
GOOD: Final = 0.95
"""A library that passes this share of what it was asked has a yellow badge, not a red one."""
SHARE: Final = 0.2
"""A case that this share of the libraries fails which were asked is listed."""
MOST: Final = 40


@dataclass(frozen=True)
class Run:
    """A library in one of its settings, and what came of each case.

    ``about`` has the texts of the result file, ``date`` and ``key``; unknown ones are empty.
    """

    about: Mapping[str, str]
    operations: Sequence[str]
    en_passant: Sequence[str]
    records: Sequence[runner.Record]

    @property
    def title(self) -> str:
        """The library as people name it."""
        settings = f" ({self.about['settings']})" if self.about["settings"] else ""
        return f"{self.about['name']} {self.about['version']}{settings}"

    @property
    def slug(self) -> str:
        """A name that is fit for files, of library and settings."""
        return slug(f"{self.about['key']} {self.about['settings']}")

    @property
    def library(self) -> tuple[str, str]:
        """The library in all its settings."""
        return self.about["key"], self.about["version"]

    @cached_property
    def failures(self) -> list[runner.Record]:
        """The cases that it fails."""
        return [record for record in self.records if record.is_failure]

    @cached_property
    def _counts(self) -> Mapping[tuple[str, str], Counter[str]]:
        found: dict[tuple[str, str], Counter[str]] = {}
        for record in self.records:
            counted = "failed" if record.is_failure else record.outcome
            if record.case["class"] == "may" and counted not in {"failed", "skipped"}:
                counted = f"free: {counted}"
            for part in (("", ""), ("area", area_of(record.case)), ("", record.case["operation"])):
                found.setdefault(part, Counter())[counted] += 1
        return found

    def count(self, *, area: str = "", operation: str = "") -> Counter[str]:
        """Count its cases, of an area only or of an operation only, as passed, failed, skipped."""
        part = ("area", area) if area else ("", operation)
        return self._counts.get(part, Counter())

    def asked(self, **part: str) -> int:
        """Return how many of these cases could fail."""
        count = self.count(**part)
        return count["passed"] + count["failed"]

    def free(self, outcome: str) -> int:
        """Return how many cases that are up to it came out so."""
        return self.count()[f"free: {outcome}"]

    @cached_property
    def bugs(self) -> Counter[str]:
        """Count by operation the mechanisms of which it fails a case: mostly a bug each."""
        kinds = {(r.case["operation"], r.case["mechanism"]) for r in self.failures}
        return Counter(operation for operation, _ in kinds)

    @property
    def by_operation(self) -> list[str]:
        """Those counts, in the order of ``WORDS``; empty where nothing was asked."""
        return [str(self.bugs[name]) if self.asked(operation=name) else "" for name in WORDS]

    @property
    def badge(self) -> tuple[str, str]:
        """Return what its badge says, and the colour."""
        count, asked = self.count(), self.asked()
        if not asked:
            return "not tested", "grey"
        text = f"{count['passed']} of {asked}"
        if not count["failed"]:
            return text, "green"
        return text, "yellow" if count["passed"] >= GOOD * asked else "red"


@dataclass(frozen=True)
class Scoreboard:
    """A suite, and the libraries, best first."""

    suite: Mapping[str, Any]
    runs: Sequence[Run]

    @cached_property
    def areas(self) -> list[str]:
        """The areas with cases that can fail, in alphabetical order."""
        return sorted({area_of(case) for case in self.suite["cases"] if case["class"] != "may"})

    @cached_property
    def hardest(self) -> list[tuple[Mapping[str, Any], int, int]]:
        """Cases that many libraries fail in one of their settings, and of how many: worst first."""
        asked: dict[str, set[tuple[str, str]]] = {}
        failing: dict[str, set[tuple[str, str]]] = {}
        for run in self.runs:
            for record in run.records:
                if record.outcome != "skipped":
                    asked.setdefault(record.case["id"], set()).add(run.library)
                if record.is_failure:
                    failing.setdefault(record.case["id"], set()).add(run.library)
        found = [
            (case, len(failing[name]), len(asked[name]))
            for case in self.suite["cases"]
            if (name := case["id"]) in failing and len(asked[name]) > 1
        ]
        many = (entry for entry in found if entry[1] >= SHARE * entry[2])
        return sorted(many, key=lambda entry: (-entry[1] / entry[2], entry[0]["id"]))[:MOST]


def area_of(case: Mapping[str, Any]) -> str:
    """Return the area of a case: the first word of its mechanism."""
    return str(case["mechanism"]).partition(".")[0]


def slug(text: str) -> str:
    """Return a text as a file's name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.").lower() or "library"


def question(case: Mapping[str, Any]) -> str:
    """Return what a library is asked, as a heading."""
    name = runner.ASKED[case["operation"]]
    asked = visible(case[name]) or "an empty text" if name else ""
    return {
        "read": f"Read {asked}",
        "write": f"Write {asked}",
        "moves": "List all legal moves",
        "play": f"Play {asked}, and show the FEN",
        "game": "Read a PGN",
    }[case["operation"]]


def read_scoreboard(suite: Path, results: Sequence[Path]) -> Scoreboard:
    """Put the file of a suite and files of its results together.

    Raises:
        Failure: A file holds no results, those of another suite, or lacks cases.
    """
    content, sha256 = runner.load(str(suite)), hashlib.sha256(suite.read_bytes()).hexdigest()
    cases = {case["id"]: case for case in content["cases"]}
    runs: list[Run] = []
    for path in results:
        result = read_result(path)
        try:
            if result["format"] != FORMAT or result["suite"]["sha256"] != sha256:
                raise Failure(f"{path} was made with another suite or version: run it again.")
            runs += (_run(entry, cases, result["date"]) for entry in result["libraries"])
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Failure(f"{path} is not a result file of this program: {error}.") from error
    if twice := [slug for slug, number in Counter(run.slug for run in runs).items() if number > 1]:
        raise Failure(f"The results hold {twice[0]} twice.")
    return Scoreboard(content, sorted(runs, key=_rank))


def _run(entry: Mapping[str, Any], cases: Mapping[str, Any], date: str) -> Run:
    about = {name: visible(str(entry.get(name) or "")) for name in (*TEXTS, "key")}
    about |= {"date": visible(str(entry.get("date", date))), "home": web_address(about["home"])}
    about["key"] = slug(about["key"] or f"{about['name']} {about['version']}")
    records = {found["id"]: _record(found, cases[found["id"]]) for found in entry["cases"]}
    lacking = len(cases) - len(records)
    if lacking and not about["ended"]:
        raise Failure(f"The results of {about['name']} lack {lacking} cases: send a whole run.")
    operations, customs = (
        [visible(str(text)) for text in entry[name]] for name in ("operations", "en_passant")
    )
    return Run(about, operations, customs, list(records.values()))


def _record(found: Mapping[str, Any], case: Mapping[str, Any]) -> runner.Record:
    outcome, answer = found["outcome"], found.get("answer")
    if outcome not in OUTCOMES:
        raise ValueError(f"{outcome!a} is no outcome")
    if answer is not None and not runner.is_well_formed(case["operation"], answer):
        raise ValueError(f"{case['id']} has an answer of another form")
    return runner.Record(case, outcome, answer, str(found.get("message", "")))


def _rank(run: Run) -> tuple[bool, int, float, str]:
    """Return the number of bugs and the share of failures; who was asked nothing comes last."""
    asked = run.asked()
    share = run.count()["failed"] / max(1, asked)
    return not asked, run.bugs.total(), share, run.title.casefold()


def page(scoreboard: Scoreboard) -> bytes:
    """Return the page."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made = templates.get_template("scoreboard.html").render(
        board=scoreboard, words=WORDS, groups=runner.groups, question=question
    )
    return made.encode("utf-8", "xmlcharrefreplace")


def as_json(scoreboard: Scoreboard) -> bytes:
    """Return the counts of each library, by area, and each failure, as JSON."""
    suite = {name: scoreboard.suite[name] for name in ("version", "level")}
    runs = [_as_json(run, scoreboard.areas) for run in scoreboard.runs]
    return (json.dumps({"format": FORMAT, "suite": suite, "libraries": runs}) + "\n").encode()


def _as_json(run: Run, areas: Sequence[str]) -> dict[str, Any]:
    counts = {area: run.count(area=area) for area in areas if run.asked(area=area)}
    return {
        **run.about,
        "operations": list(run.operations),
        "en_passant": list(run.en_passant),
        **{name: run.count()[name] for name in ("passed", "failed", "skipped")},
        "areas": {area: [count["passed"], count["failed"]] for area, count in counts.items()},
        "failures": [{"id": r.case["id"], "said": r.sentence()} for r in run.failures],
    }


def badge(run: Run) -> bytes:
    """Return the JSON that shields.io's endpoint badge reads."""
    text, colour = run.badge
    said = {"label": "SAN conformance", "message": text, "color": COLOURS[colour]}
    return (json.dumps({"schemaVersion": 1} | said) + "\n").encode("ascii")


def write_scoreboard(scoreboard: Scoreboard, folder: Path) -> None:
    """Make the scoreboard in a folder that is new, empty, or an earlier one; or a Failure."""
    made = {"index.html": page(scoreboard), "scoreboard.json": as_json(scoreboard)}
    made |= {f"badges/{run.slug}.json": badge(run) for run in scoreboard.runs}
    try:
        put_folder(folder, "python -m conformance.scoreboard", made.items())
    except FolderError as error:
        raise failure(f"{error}.", error) from error


def main() -> int:
    """Run the command that ``sys.argv`` names."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.scoreboard", description=str(__doc__).partition("\n\n")[2]
    )
    parser.add_argument("results", nargs="*", type=Path)
    parser.add_argument("--suite", type=Path, default=DATA / "core.json")
    parser.add_argument("--out", type=Path, default=Path("sanproof-scoreboard"))
    given = parser.parse_args()
    try:
        board = read_scoreboard(given.suite, given.results or [DATA / KEPT])
    except runner.Misuse as error:
        raise Failure(str(error)) from error
    write_scoreboard(board, given.out)
    sys.stdout.write(f"{given.out / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    run_to_end(main)
