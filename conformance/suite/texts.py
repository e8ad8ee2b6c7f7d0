"""Makes texts one token away from SAN that mean no move, or several."""

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, NamedTuple

import chess

from conformance.suite.pairs import Question
from sanproof.verify.notation.reading import ReadingVerdict, judge

TOKENS: Final = re.compile(
    r"(?P<piece>[KQRBN])|(?P<capture>x)|(?P<square>[a-h][1-8](?!x|[a-h]))|(?P<file>[a-h])"
    r"|(?P<rank>[1-8])|(?P<equals>=)|(?P<sign>[+#])|(?P<letter>O)|(?P<hyphen>-)"
)
OTHERS: Final = {
    "piece": ("P", "S", "K", "X"),
    "capture": ("X", "*", "xx"),
    "square": ("", "4e"),
    "file": ("i", "1", "-"),
    "rank": ("9", "0", "a"),
    "equals": (":", "==", "x"),
    "sign": ("++", "!", "=", "+-"),
    "letter": ("o", "0", "Q"),
    "hyphen": ("--", "x", " "),
    "promoted": ("K", "P", "X", ""),
}
"""The wrong tokens that replace a token, by its kind."""
INSERTED: Final = ("x", "=", "-", "1", "a", "N", "+")
MOST: Final = 3
"""Of changes that drop no token, the third text for a kind of move and of change is taken."""


class Text(NamedTuple):
    """A text that must be refused, the question whose text was changed, and the kind of change."""

    question: Question
    text: str
    verdict: ReadingVerdict
    change: str


def refused_texts(questions: Iterable[Question], chance: Random) -> Iterator[Text]:
    """Yield texts that a reader must refuse: each dropped token, and one of each other change."""
    seen: dict[tuple[str, ...], int] = {}
    refused = {ReadingVerdict.NOT_SAN, ReadingVerdict.ILLEGAL, ReadingVerdict.AMBIGUOUS}
    for question in questions:
        board = chess.Board(question.fen)
        kind = re.sub(r"[a-h1-8KQRBN]", lambda m: "" if m[0].isdigit() else m[0], question.text)
        kind = re.sub(r"[a-h]", "f", re.sub(r"[QRBN]", "N", kind))
        for change, text in _changes(question.text):
            if seen.get((kind, change), 0) < MOST and chance.random() < 0.3:
                verdict = judge(text, board).verdict
                if verdict in refused and not _is_read(board, text):
                    key = kind, change
                    seen[key] = seen.get(key, 0) + 1
                    if seen[key] == MOST or change.startswith("drop"):
                        yield Text(question, text, verdict, change)


def _changes(san: str) -> Iterator[tuple[str, str]]:
    """Yield texts with a token dropped, doubled, swapped, replaced or inserted."""
    tokens = [(str(match.lastgroup), match[0]) for match in TOKENS.finditer(san)]
    words = [word for _, word in tokens]
    if words[0] != "O" and "=" not in words:
        yield f"promote {words[0] if words[0] in 'KQRBN' else 'pawn'}", san.rstrip("+#") + "=Q"
    for place, (kind, word) in enumerate(tokens):
        if place and words[place - 1] == "=":
            kind = "promoted"  # noqa: PLW2901
        head, tail = words[:place], words[place + 1 :]
        yield f"drop {kind}", "".join(head + tail)
        yield f"double {kind}", "".join([*head, word, word, *tail])
        if tail and tail[0] != word:
            yield f"swap {kind}", "".join([*head, tail[0], word, *tail[1:]])
        beyond = (f"{word[0]}9", f"{word[0]}0", f"i{word[1]}") if kind == "square" else ()
        for other in (*OTHERS[kind], *beyond):
            change = re.sub(r"^[a-h](?=[90])|(?<=i)[1-8]$", "", other)
            yield f"{kind} {change}", "".join([*head, other, *tail])
        for other in INSERTED:
            yield f"insert {other} before {kind}", "".join([*head, other, word, *tail])


def _is_read(board: chess.Board, text: str) -> bool:
    """Check whether python-chess reads a text: then many programs do, and it is no error."""
    try:
        board.parse_san(text)
    except ValueError:
        return False
    return True
