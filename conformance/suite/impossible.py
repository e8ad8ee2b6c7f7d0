"""Lists the combinations that chess does not allow.

``python -m conformance.suite.impossible data/conformance`` writes them again.

Each is a question of ``sanproof find`` that was refuted: the refutation was checked by the kernel's
checker. What was neither found nor refuted in time is listed as undecided, and says nothing.
"""

import csv
import io
import json
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from conformance.suite.build import VERSION
from sanproof.proofs.find.asking import QuestionVerdict, find
from sanproof.proofs.search import Disagreement
from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.rows import table
from sanproof.verify.conformance.suite import LICENCE

FILE: Final = "impossible.json"
_TIMEOUT_SECONDS: Final = 120.0
NAMED: Final = {
    name: tuple(words.split()) for name, words in table(__package__, "impossible.txt", 2)
}
"""Combinations by name, and the words of ``sanproof find`` that ask for each."""


def impossible(data: Path) -> dict[str, Any]:
    """Return the content of the file; a Disagreement if one of the combinations is found."""
    refuted, undecided = [], []
    for name, words in NAMED.items():
        outcome = find(*words, timeout_seconds=_TIMEOUT_SECONDS)
        entry = {"combination": name, "question": " ".join(words)}
        if outcome.verdict is QuestionVerdict.REFUTED:
            refuted.append(entry | {"formulas": len(outcome.certificates)})
        elif outcome.verdict is QuestionVerdict.UNDECIDED:
            undecided.append(entry)
        else:
            raise Disagreement(f"{name} is possible: {outcome.answers[0].fen}")
        sys.stderr.write(f"{outcome.verdict.value}: {name}\n")
    return {
        "format": 1,
        "suite": "sanproof conformance: impossible combinations",
        "version": VERSION,
        "licence": LICENCE,
        "combinations": refuted,
        "undecided": undecided,
        "strings": list(_never_check(data)),
    }


def _never_check(data: Path) -> Iterator[str]:
    """Yield the strings that can be played, but never with this sign: the theorem refutes them."""
    text = lzma.decompress((data / "impossible.csv.xz").read_bytes()).decode("ascii")
    for san, reason in csv.reader(io.StringIO(text)):
        if reason == "no-check":
            yield san


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    content = json.dumps(impossible(folder.parent), indent=1) + "\n"
    write_whole(folder / FILE, content.encode("ascii"))
