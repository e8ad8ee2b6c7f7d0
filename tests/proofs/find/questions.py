"""Twenty questions to ``sanproof find``, with times and answers: docs/tables/questions.csv.

``python -m tests.proofs.find.questions`` asks them and writes the table. The times are the
processor's, of the whole command with its start.
"""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
TABLE: Final = ROOT / "docs" / "tables" / "questions.csv"
HEAD: Final = ("question", "what is asked for", "verdict", "seconds", "first answer (EPD)")
LIMIT_SECONDS: Final = 20
QUESTIONS: Final = (
    ("Qd4#", "a mate by one string"),
    ("'Q*d4#' pinned-twin men=7", "a pinned twin among seven pieces"),
    ("'Nbd7*' black-castles twins=1", "a knight's move named by its file, Black may castle"),
    ("'N*f3?' twins=3..", "three twins and more"),
    ("disambiguation=square mate white-men=..5", "a mate named by its square"),
    ("smothered", "a smothered mate"),
    ("castling mate --count 3", "three mates by castling"),
    ("'exd8=N*' double-check", "a double check by promotion to a knight"),
    ("'exd6*' en-passant-check=both", "check over both squares that a capture in passing leaves"),
    ("en-passant-rank not check", "a capture in passing that would open the rank"),
    ("only-reply=en-passant", "not mate, because of a capture in passing alone"),
    ("only-reply=double-push", "not mate, because of a double push alone"),
    ("discovered-by=king mate", "a mate that the king uncovers"),
    ("mate pinned-blocker", "a mate because the blocker is pinned"),
    ("stalemate men=4", "a stalemate with four pieces"),
    ("'O-O-O?' black-to-move castling-b-attacked", "Black castles over an attacked b8"),
    ("'Nbxd5#' white-to-move black-castles", "a knight on d5 and the king still on e8"),
    ("'O-O-O*' discovered", "castling discovers no check but the rook's own"),
    ("'N*d5?' twin-leaves-check", "a twin whose move would leave the check"),
    ("'Kd4?' direct", "a king that gives check itself"),
    ("white=KK", "two white kings"),
    ("mate white=KN black=K", "mate by a lone knight, in any of 1,540 cases"),
)
"""Each with what it is about."""
_SAID: Final = {0: "found", 1: "refuted", 3: "undecided"}


def row(question: str, about: str) -> tuple[str, ...]:
    """Ask a question: its verdict, the seconds of processor time, and the first answer."""
    import resource  # noqa: PLC0415 - the machine's, and only for the table

    program = "from sanproof.verify.commands.start import main; main()"
    words = [word.strip("'") for word in question.split()]
    words += ["--format", "epd", "--timeout", str(LIMIT_SECONDS)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [sys.executable, "-c", program, "find", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    first, _, _ = run.stdout.partition("\n")
    return question, about, _SAID[run.returncode], f"{seconds:.1f}", first


def main() -> None:
    """Ask all questions, and write the table."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([HEAD, *(row(*question) for question in QUESTIONS)])
    TABLE.write_text(file.getvalue(), encoding="utf-8")


if __name__ == "__main__":
    main()
