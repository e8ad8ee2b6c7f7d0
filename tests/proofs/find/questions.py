"""Questions to ``sanproof find``, with times and answers: docs/tables/questions.csv.

``python -m tests.proofs.find.questions`` asks them and writes the table. The times are the
processor's, without the start.
"""

import csv
import io
import resource
from pathlib import Path
from typing import Final

import chess

from sanproof.proofs.find.asking import find

TABLE: Final = Path(__file__).parents[3] / "docs" / "tables" / "questions.csv"
HEAD: Final = ("question", "what is asked for", "verdict", "seconds", "first answer (EPD)")
LIMIT_SECONDS: Final = 20
QUESTIONS: Final = (
    ("Qd4#", "a mate by one string"),
    ("'Q*d4#' pinned-twin men=7", "a pinned twin among seven pieces"),
    ("'Nbd7*' black-castles twins=1", "a knight's move named by its file, Black may castle"),
    ("'N*f3?' twins=3..", "three twins and more"),
    ("disambiguation=square mate white-men=..5", "a mate named by its square"),
    ("smothered", "a smothered mate"),
    ("castling mate", "a mate by castling"),
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


def _seconds() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def row(question: str, about: str) -> tuple[str, ...]:
    """Ask a question: its verdict, the seconds of processor time, and the first answer."""
    before = _seconds()
    found = find(*question.replace("'", "").split(), timeout_seconds=LIMIT_SECONDS)
    seconds, first = f"{_seconds() - before:.1f}", ""
    if found.answers:
        first = found.answers[0].board.epd(
            en_passant="fen", sm=chess.Move.from_uci(found.answers[0].uci)
        )
    return question, about, found.verdict.value, seconds, first


def main() -> None:
    """Ask all questions, and write the table."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([HEAD, *(row(*question) for question in QUESTIONS)])
    TABLE.write_text(file.getvalue(), encoding="utf-8")


if __name__ == "__main__":
    main()
