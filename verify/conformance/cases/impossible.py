"""Which combinations chess does not allow.

``python -m sanproof.verify.conformance.cases.impossible data/conformance`` writes them again.

Each is a question of ``sanproof find`` that was refuted: the refutation was checked by the kernel's
checker. What was neither found nor refuted in time is listed as undecided, and says nothing.
"""

import csv
import gzip
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sanproof.proofs.find.asking import Verdict, find
from sanproof.proofs.search.errors import Disagreement
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance.cases.build import VERSION
from sanproof.verify.conformance.cases.case import LICENCE

FILE: Final = "impossible.json"
_TIMEOUT_SECONDS: Final = 120.0
NAMED: Final = {
    "a check discovered by castling": ("castling", "discovered"),
    "castling in check": ("castling", "in-check"),
    "castling that captures": ("castling", "capture"),
    "castling with a double check": ("castling", "double-check"),
    "castling kingside over an attacked b-file": ("O-O?", "castling-b-attacked"),
    "two pawns ready to capture in passing, and both pawns would leave the king's rank": (
        "en-passant-two",
        "en-passant-rank",
    ),
    "a capture in passing that promotes": ("en-passant", "promotion"),
    "a double check with a step between as the only reply (knights to d5)": (
        "N*d5?",
        "only-reply=block",
        "double-check",
    ),
    "a double check with a capture, not by the king, as the only reply (knights to d5)": (
        "N*d5?",
        "only-reply=capture",
        "double-check",
    ),
    "a capture in passing as the only reply to a piece (knights to d5)": (
        "N*d5?",
        "only-reply=en-passant",
    ),
    "stalemate with check (queens to d5)": ("Q*d5?", "stalemate"),
    "a smothered mate with double check (knights to d5)": ("N*d5#", "smothered", "double-check"),
    "a check given by the king itself (to d5)": ("Kd5?", "direct"),
    "a double check by a king (to d5)": ("K*d5?", "double-check"),
    "a pinned knight that may move (to d5)": ("N*d5*", "pinned-twin-may-move"),
    "a rook named by its square (to d5)": ("R*d5*", "disambiguation=square"),
    "a check discovered by a queen (to d5)": ("Q*d5?", "discovered"),
    "a twin whose move would not answer a check (knights to d5, with check)": (
        "N*d5?",
        "twin-leaves-check",
    ),
    "a twin whose move would not answer a check (bishops to d5, with check)": (
        "B*d5?",
        "twin-leaves-check",
    ),
    "a twin whose move would not answer a check (rooks to d5, with check)": (
        "R*d5?",
        "twin-leaves-check",
    ),
    "a twin whose move would not answer a check (queens to d5, with check)": (
        "Q*d5?",
        "twin-leaves-check",
    ),
}
"""Combinations by name, and the words of ``sanproof find`` that ask for each."""


def impossible(data: Path) -> dict[str, Any]:
    """The content of the file.

    Args:
        data: The published data.

    Raises:
        Disagreement: Two programs contradict one another.
        EvidenceError: A refutation does not hold.
    """
    refuted, undecided = [], []
    for name, words in NAMED.items():
        outcome = find(*words, timeout_seconds=_TIMEOUT_SECONDS)
        entry = {"combination": name, "question": " ".join(words)}
        if outcome.verdict is Verdict.REFUTED:
            said = "; ".join(outcome.contradictions)
            how = {"formulas": len(outcome.certificates)} if not said else {"why": said}
            refuted.append(entry | how)
        elif outcome.verdict is Verdict.UNDECIDED:
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
    """The strings that can be played, but never with this sign: the theorem refutes them."""
    text = gzip.decompress((data / "impossible.csv.gz").read_bytes()).decode("ascii")
    for san, reason in csv.reader(io.StringIO(text)):
        if reason == "no-check":
            yield san


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    content = json.dumps(impossible(folder.parent), indent=1) + "\n"
    write_whole(folder / FILE, content.encode("ascii"))
