"""The movetext of a game as a grammar: numbers, moves, and the result, on one line.

The numbers count from 1, and Black's may be left out, as in ``1. e4 e5 2.Nf3 2... Nc6 *``. That is
what the PGN standard writes (8.2.2), and the tokenizers of the strings read it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from sanproof.reports.exports.automaton import Automaton
from sanproof.reports.exports.grammars import gbnf, lark, regex
from sanproof.reports.exports.tokenizers import RESULTS


def _turns(moves: int, end: str, san: str) -> Iterator[tuple[str, str]]:
    """Yield a rule for each move of both players, in the words of GBNF and Lark."""
    for number in range(1, moves + 1):
        following = f" | turn{number + 1}" * (number < moves)
        black = f'("{number}..." " "?)? {san} " " ({end}{following})'
        yield f"turn{number}", f'"{number}." " "? {san} " " ({end} | {black})'


def movetext_gbnf(automaton: Automaton, moves: int) -> str:
    """Return a grammar of llama.cpp; the numbers count up to a number of moves."""
    rules = [("root", "end | turn1"), ("end", " | ".join(f'"{end}"' for end in RESULTS))]
    lines = [f"{name} ::= {body}\n" for name, body in (*rules, *_turns(moves, "end", "san"))]
    return "".join(lines) + gbnf(automaton, "san")


def movetext_lark(automaton: Automaton, moves: int) -> str:
    """Return a grammar of Lark; the numbers count up to a number of moves."""
    rules = [("start", "END | turn1"), ("END", " | ".join(f'"{end}"' for end in RESULTS))]
    lines = [f"{name}: {body}\n" for name, body in (*rules, *_turns(moves, "END", "SAN"))]
    return "".join(lines) + lark(automaton).removeprefix("start: SAN\n")


def movetext_regex(automaton: Automaton, _moves: int) -> str:
    """Return a regular expression, which cannot count: each move may have any number, or none."""
    ends = "|".join(map(re.escape, RESULTS)).replace("\\-", "-")
    return f"(?:(?:[1-9][0-9]*\\.(?:\\.\\.)? ?)?{regex(automaton)} )*(?:{ends})"


MOVETEXT: Final[dict[str, Callable[[Automaton, int], str]]] = {
    "gbnf": movetext_gbnf,
    "lark": movetext_lark,
    "txt": movetext_regex,
}
"""The forms of movetext; the first is the usual one."""
