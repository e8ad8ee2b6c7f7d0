"""The lines that the runner and an adapter exchange; docs/test-your-library.md defines them.

An adapter is a program of somebody else, and so is the library behind it: a line can hold
anything. What is not a greeting or an answer raises :class:`Garbled`, whose message says what is
wrong and quotes a part of the line, escaped.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from sanproof.reports.escaping import cut
from sanproof.verify.conformance.judge import Answer, Rejected, Result, Skipped
from sanproof.verify.conformance.suite import Case, Operation, question

VERSION: Final = 1
"""The number of the protocol, which a greeting names."""
LONGEST_LINE: Final = 1 << 20
"""No adapter writes a line of more bytes; all moves of a position take 2,000."""
LONGEST_MESSAGE: Final = 300
"""So many characters of a library's message are kept, and of its name."""

_SHOWN: Final = 60
_ANSWERS: Final = ("result", "rejected", "skip")
_OPERATIONS: Final = {operation.value: operation for operation in Operation}


class Garbled(Exception):
    """A line that is not what the protocol wants; the message is a part of a sentence."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who answers.

    Attributes:
        name: The library.
        version: Its version.
        language: The language that it is used from.
        operations: What it can be asked.
        settings: How it was set up, such as ``strict``; empty if there is nothing to say.
        from_game: Whether it takes no FEN, but the moves from the initial position.
    """

    name: str
    version: str
    language: str
    operations: tuple[Operation, ...]
    settings: str = ""
    from_game: bool = False

    @property
    def title(self) -> str:
        """The library as people name it."""
        return f"{self.name} {self.version}" + (f" ({self.settings})" if self.settings else "")


def case_line(number: int, case: Case, moves: Sequence[str] | None = None) -> bytes:
    """The line that asks a case; the number gives nothing away.

    With moves, which lead from the initial position to that of the case, it has no FEN.
    """
    asked: dict[str, object] = {"id": number, **question(case)}
    if moves is not None and asked.pop("fen", None) is not None:
        asked["moves"] = list(moves)
    return json.dumps(asked).encode() + b"\n"


def parse_greeting(line: bytes) -> Greeting:
    """What an adapter says first; Garbled if it is no greeting of this protocol."""
    entry = _object(line, "a greeting")
    if "sanproof" not in entry:
        raise Garbled(f'greeted without "sanproof": {quoted(line)}')
    if type(entry["sanproof"]) is not int or entry["sanproof"] != VERSION:
        found = cut(json.dumps(entry["sanproof"]), _SHOWN)
        raise Garbled(f"greets for protocol {found}; this program speaks {VERSION}")
    texts = [_text(entry, name, line) for name in ("name", "version", "language")]
    operations = entry.get("operations")
    if not isinstance(operations, list) or not all(isinstance(name, str) for name in operations):
        raise Garbled('greeted with "operations" that are not a list of names')
    known = tuple(operation for name, operation in _OPERATIONS.items() if name in operations)
    if not known:
        names = ", ".join(_OPERATIONS)
        raise Garbled(f"greeted without naming one of the operations {names}")
    settings = _text(entry, "settings", line) if "settings" in entry else ""
    if entry.get("from", "fen") not in ("fen", "game"):
        raise Garbled('wrote a greeting whose "from" is neither "fen" nor "game"')
    from_game = entry.get("from") == "game"
    return Greeting(texts[0], texts[1], texts[2], known, settings, from_game)


def parse_answer(line: bytes) -> tuple[int, Answer]:
    """The number of a case and what the library answered; Garbled if it is no answer."""
    entry = _object(line, "an answer")
    number = entry.get("id")
    if type(number) is not int:
        raise Garbled(f'wrote an answer without "id": {quoted(line)}')
    given = [name for name in _ANSWERS if name in entry]
    if len(given) != 1:
        raise Garbled(f"wrote an answer with not exactly one of {', '.join(_ANSWERS)}")
    if given == ["result"]:
        return number, Result(entry["result"])
    said = entry[given[0]]
    if not isinstance(said, str):
        raise Garbled(f'wrote an answer whose "{given[0]}" is no text')
    said = cut(said, LONGEST_MESSAGE)
    return number, Rejected(said) if given == ["rejected"] else Skipped(said)


def quoted(line: bytes) -> str:
    """The beginning of a line as it can be printed anywhere."""
    return ascii(cut(line[: 4 * _SHOWN].decode("utf-8", "replace"), _SHOWN))


def _text(entry: dict[str, Any], name: str, line: bytes) -> str:
    text = entry.get(name)
    if not isinstance(text, str) or not (text or name == "settings"):
        raise Garbled(f'greeted without a text "{name}": {quoted(line)}')
    return cut(text, LONGEST_MESSAGE)


def _object(line: bytes, what: str) -> dict[str, Any]:
    """The JSON object that a line is."""
    try:
        entry = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Garbled(f"wrote a line that is not JSON: {quoted(line)}") from error
    if not isinstance(entry, dict):
        raise Garbled(f"wrote a line that is not {what}: {quoted(line)}")
    return entry


def _refuse(_: str) -> NoReturn:
    """NaN and Infinity are not JSON."""
    raise ValueError
