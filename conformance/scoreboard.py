"""Shows how chess libraries do: ``python -m conformance.scoreboard [RESULTS]... --out FOLDER``.

RESULTS are files that ``sanproof conformance run --format json`` has written, packed with xz or
not; without them, the kept ones. The folder has one page, the same as JSON, and for each library
what shields.io's endpoint badge reads.
"""

import argparse
import hashlib
import json
import lzma
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from sanproof.reports.escaping import visible, web_address
from sanproof.reports.tables.files import write_folder
from sanproof.verify.commands.start import run_to_end
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.errors import Failure, failure

DATA: Final = Path(__file__).parents[1] / "data" / "conformance"
KEPT: Final = "results.json.xz"
CORE: Final = "core.json"
FORMAT: Final = 1
TEXTS: Final = (
    *("name", "version", "language", "settings"),
    *("ended", "registry", "home", "licence", "release"),
)
"""The entries about a library in a result file."""
WORDS: Final = dict(
    zip(runner.ASKED, ("reading", "writing", "lists", "playing", "PGN"), strict=True)
)
"""The operations by the names that tables use."""
GOOD: Final = 0.95
"""The share of passed cases from which a library's badge is yellow, and not red."""


class Run:
    """A library in one of its settings, with the outcome of each case.

    ``about`` has the texts of the result file, ``date`` and ``key``. Unknown texts are empty.
    """

    def __init__(self, entry: Mapping[str, Any], cases: Mapping[str, Any], date: str) -> None:
        """Read the entry of a result file. Raises a Failure or another error if it is not one."""
        about = {name: visible(str(entry.get(name) or "")) for name in (*TEXTS, "key")}
        about |= {"date": visible(str(entry.get("date", date))), "home": web_address(about["home"])}
        about["key"] = slug(about["key"] or f"{about['name']} {about['version']}")
        self.about = about
        self.operations, self.en_passant = (
            [visible(str(text)) for text in entry[name]] for name in ("operations", "en_passant")
        )
        self.records = [
            runner.Record(
                cases[one["id"]], one["outcome"], one.get("answer"), one.get("message", "")
            )
            for one in entry["cases"]
        ]
        if len(self.records) < len(cases) and not about["ended"]:
            number = len(cases) - len(self.records)
            raise Failure(f"The results of {about['name']} lack {number} cases: make a whole run.")
        self.failures = [record for record in self.records if record.is_failure]
        settings = f" ({about['settings']})" if about["settings"] else ""
        self.title = f"{about['name']} {about['version']}{settings}"
        self.slug = slug(f"{about['key']} {about['settings']}")
        """A name that is fit for files, of library and settings."""
        kinds = {(r.case["operation"], r.case["mechanism"]) for r in self.failures}
        self.bugs = Counter(operation for operation, _ in kinds)
        """By operation the mechanisms of which it fails a case: mostly a bug each."""
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for record in self.records:
            counted = "failed" if record.is_failure else record.outcome
            if record.case["class"] == "may" and counted not in {"failed", "skipped"}:
                counted = f"free: {counted}"
            for feature in ("", *runner.features_of(record.case)):
                self._counts[feature][counted] += 1

    def count(self, feature: str = "") -> Counter[str]:
        """Count its cases, or those with a feature: passed, failed, skipped, or free and how.

        An operation is a feature, and so is an area, such as ``castling.*``.
        """
        return self._counts[feature]

    def asked(self, feature: str = "") -> int:
        """Return the number of these cases that could fail."""
        return self.count(feature)["passed"] + self.count(feature)["failed"]

    @property
    def by_operation(self) -> list[str]:
        """The numbers of bugs in the order of ``WORDS``, empty for operations without cases."""
        return [str(self.bugs[name]) if self.asked(name) else "" for name in WORDS]


class Scoreboard:
    """A suite and the libraries, the best first."""

    def __init__(self, suite: Mapping[str, Any], runs: Iterable[Run]) -> None:
        self.suite, self.runs = suite, sorted(runs, key=_rank)
        judged = [case for case in suite["cases"] if case["class"] != "may"]
        self.areas = sorted({case["mechanism"].partition(".")[0] for case in judged})


def slug(text: str) -> str:
    """Return a text as the name of a file."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.").lower() or "library"


def read_scoreboard(suite: Path, results: Sequence[Path]) -> Scoreboard:
    """Read a suite and its result files, which may be packed with xz.

    Raises:
        Failure: A file has no results, or those of another suite, or lacks cases.
    """
    content, sha256 = runner.load(str(suite)), hashlib.sha256(suite.read_bytes()).hexdigest()
    cases = {case["id"]: case for case in content["cases"]}
    runs: list[Run] = []
    for path in results:
        try:
            packed = path.read_bytes()
            result = json.loads(lzma.decompress(packed) if path.suffix == ".xz" else packed)
            if result["format"] != FORMAT or result["suite"]["sha256"] != sha256:
                raise Failure(f"{path} was made with another suite or version: run it again.")
            runs += (Run(entry, cases, result["date"]) for entry in result["libraries"])
        except (lzma.LZMAError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise Failure(f"{path} is not a result file of this program: {error}.") from error
    return Scoreboard(content, runs)


def _rank(run: Run) -> tuple[bool, int, float, str]:
    """Return the number of bugs and the share of failures; who was asked nothing comes last."""
    asked = run.asked()
    share = run.count()["failed"] / max(1, asked)
    return not asked, run.bugs.total(), share, run.title.casefold()


def page(scoreboard: Scoreboard) -> bytes:
    """Return the HTML page."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made = templates.get_template("scoreboard.html").render(
        board=scoreboard, words=WORDS, groups=runner.groups
    )
    return made.encode("utf-8", "xmlcharrefreplace")


def as_json(scoreboard: Scoreboard) -> bytes:
    """Return the counts of each library, by area, and each failure, as JSON."""
    suite = {name: scoreboard.suite[name] for name in ("version", "level")}
    libraries = []
    for run in scoreboard.runs:
        counts = {area: run.count(f"{area}.*") for area in scoreboard.areas}
        areas = {area: [count["passed"], count["failed"]] for area, count in counts.items()}
        libraries.append(
            {
                **run.about,
                "operations": run.operations,
                "en_passant": run.en_passant,
                **{name: run.count()[name] for name in ("passed", "failed", "skipped")},
                "areas": {area: both for area, both in areas.items() if any(both)},
                "failures": [{"id": r.case["id"], "said": r.sentence()} for r in run.failures],
            }
        )
    return (json.dumps({"format": FORMAT, "suite": suite, "libraries": libraries}) + "\n").encode()


def badge(run: Run) -> bytes:
    """Return the JSON that shields.io's endpoint badge reads."""
    passed, asked = run.count()["passed"], run.asked()
    colour = "green" if passed == asked else "yellow" if passed >= GOOD * asked else "red"
    said = {"message": f"{passed} of {asked}", "color": colour}
    if not asked:
        said = {"message": "not tested", "color": "lightgrey"}
    return (json.dumps({"schemaVersion": 1, "label": "SAN conformance"} | said) + "\n").encode()


def write_scoreboard(scoreboard: Scoreboard, folder: Path) -> None:
    """Write the scoreboard to a new or empty folder. Raises a Failure if that is impossible."""
    made = {"index.html": page(scoreboard), "scoreboard.json": as_json(scoreboard)}
    made |= {f"badges/{run.slug}.json": badge(run) for run in scoreboard.runs}
    try:
        write_folder(folder, made.items())
    except OSError as error:
        raise failure(f"{folder} cannot be written: {error.strerror}.", error) from error


def main() -> int:
    """Run the command that ``sys.argv`` names, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.scoreboard", description=str(__doc__).partition("\n\n")[2]
    )
    parser.add_argument("results", nargs="*", type=Path)
    parser.add_argument("--suite", type=Path, default=DATA / CORE)
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
