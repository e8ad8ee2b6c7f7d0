"""Makes the minimal automaton of the strings, and from it expressions and grammars.

The automaton is deterministic and without cycles: it reads a text character by character and
accepts exactly the strings of the list. No automaton with fewer states does (Myhill and Nerode),
because for any two states there is a text that one accepts and the other does not.

From it come a regular expression, grammars for constrained decoding, and the movetext of a game:
numbers, moves, and the result, on one line. The numbers count from 1, and Black's may be left out,
as in ``1. e4 e5 2.Nf3 2... Nc6 *``. That is what the PGN standard writes (8.2.2), and the
tokenizers of the strings read it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, product
from operator import itemgetter
from typing import Final, NamedTuple


class State(NamedTuple):
    """A state of an automaton: whether a text may end there, and the next states by character."""

    accepts: bool
    steps: tuple[tuple[str, int], ...]


class Automaton:
    """A minimal automaton. State 0 is the initial one; the others follow breadth first."""

    def __init__(self, strings: Sequence[str]) -> None:
        """Build the automaton of at least one string. No string may be given twice."""
        known: dict[State, int] = {}  # a state is what it accepts and where it leads
        first = _state_of(sorted(strings), 0, known)
        states = list(known)
        order = {first: 0}
        for number in (queue := [first]):  # which grows
            for _, step in states[number].steps:
                if step not in order:
                    order[step] = len(order)
                    queue.append(step)
        self.states = tuple(
            State(states[n].accepts, tuple((c, order[step]) for c, step in states[n].steps))
            for n in order
        )

    def branches(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield each state that can follow a state, after the characters that lead to it."""
        targets: dict[int, str] = {}
        for step, following in self.states[number].steps:
            targets[following] = targets.get(following, "") + step
        for following, characters in targets.items():
            yield characters, following


def _state_of(strings: list[str], depth: int, known: dict[State, int]) -> int:
    """Return the state that accepts what follows the first ``depth`` characters of some strings."""
    rest = [text for text in strings if len(text) > depth]
    steps = tuple(
        (character, _state_of(list(some), depth + 1, known))
        for character, some in groupby(rest, key=itemgetter(depth))
    )
    return known.setdefault(State(len(rest) < len(strings), steps), len(known))


RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
_HEAD: Final = re.compile(r"\[[^]]+\](?!\?)|[A-Za-z1-8x](?!\?)")
"""A first part that is one character, or one of several, and not optional."""


def gbnf(automaton: Automaton, root: str = "root") -> str:
    """Return a grammar for llama.cpp, with a rule for each state."""

    def rule(number: int) -> str:
        return f"s{number}" if number else root

    def choice(characters: str, following: int) -> str:
        text = f'"{characters}"' if len(characters) == 1 else f"[{_ranges(characters)}]"
        return f"{text} {rule(following)}" if automaton.states[following].steps else text

    lines = []
    for number, state in enumerate(automaton.states):
        choices = [choice(*branch) for branch in automaton.branches(number)]
        if choices:  # a state that only accepts has no rule: a state that leads there ends
            body = " | ".join(choices)
            if state.accepts:
                body = f"({body})?"
            lines.append(f"{rule(number)} ::= {body}\n")
    return "".join(lines)


def lark(automaton: Automaton) -> str:
    """Return a grammar for Lark with one terminal, which other grammars can import.

    Its expression is longer than that of :func:`regex`. Because a lexer takes the first alternative
    that fits, each character has to decide between the alternatives, so that the longest string is
    found.
    """

    @cache
    def text_of(number: int) -> str:
        tails: dict[str, str] = {}
        for characters, following in automaton.branches(number):
            tail = text_of(following)
            tails[tail] = tails.get(tail, "") + characters
        choices = [_class(characters) + tail for tail, characters in tails.items()]
        accepts = [""] if automaton.states[number].accepts else []
        return _either(tuple(dict.fromkeys([*choices, *accepts])))

    return f"start: SAN\nSAN: /{text_of(0)}/\n"


def regex(automaton: Automaton) -> str:
    """Return a regular expression for whole texts (``fullmatch``) that matches just the strings.

    It has only character classes, ``|``, ``?`` and groups that do not capture, which mean the same
    to Python, JavaScript, RE2 and PCRE.

    States are removed until one edge is left, labelled with the expression. The next state is the
    one whose removal makes the labels grow least (Delgado and Morais, "Approximation to the
    smallest regular expression for a given regular language", 2004).
    """
    begin, left = len(automaton.states), set(range(len(automaton.states)))
    choices = _edges(automaton, begin, begin + 1)
    while left:
        into, out_of = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
        labels = {edge: _either(tuple(texts)) for edge, texts in choices.items()}
        for (one, other), label in labels.items():
            into[other].append(label)
            out_of[one].append(label)
        number = min(left, key=lambda one: (_growth(into[one], out_of[one]), one))
        left.remove(number)
        edges = [edge for edge in labels if number in edge]
        for (one, middle), (start, other) in product(edges, edges):
            if middle == number == start:
                text = labels[one, number] + labels[number, other]
                choices.setdefault((one, other), {})[text] = None
        for edge in edges:
            del choices[edge]
    return _either(tuple(choices[begin, begin + 1]))


def _edges(automaton: Automaton, begin: int, end: int) -> dict[tuple[int, int], dict[str, None]]:
    """Return the steps of the automaton, between a state before the first and one after the last.

    Each pair of states has texts of which one is read, in an order, once each.
    """
    edges: dict[tuple[int, int], dict[str, None]] = {(begin, 0): {"": None}}
    for number, state in enumerate(automaton.states):
        for characters, following in automaton.branches(number):
            edges[number, following] = {_class(characters): None}
        if state.accepts:
            edges[number, end] = {"": None}
    return edges


def _growth(before: list[str], after: list[str]) -> int:
    """Return how many characters the labels get if a state between these is removed."""
    repeated = (len(after) - 1) * sum(map(len, before))
    return repeated + (len(before) - 1) * sum(map(len, after))


@cache
def _either(texts: tuple[str, ...]) -> str:
    """Return an expression for one of several; the empty one makes it optional."""
    choices = _merged(text for text in texts if text)
    optional = "?" if "" in texts else ""
    if len(choices) == 1 and not (optional and _is_long(choices[0])):
        return choices[0] + optional
    return f"(?:{'|'.join(choices)}){optional}" if choices else ""


def _merged(choices: Iterable[str]) -> list[str]:
    """Return the same choices, where those that differ in their first character only are one."""
    heads: dict[tuple[str, bool], str] = {}
    for choice in choices:
        match = _HEAD.match(choice)
        tail = choice[match.end() :] if match else choice
        key = (tail, match is not None)
        heads[key] = heads.get(key, "") + (_members(match[0]) if match else "")
    return [(_class(head) if is_headed else "") + tail for (tail, is_headed), head in heads.items()]


def _is_long(text: str) -> bool:
    """Check whether a question mark after the text would be for its last part only."""
    is_class = text.startswith("[") and text.find("]") == len(text) - 1
    return not (len(text.removeprefix("\\")) == 1 or is_class)


def _class(characters: str) -> str:
    """Return an expression for one of these characters."""
    if len(characters) == 1:
        return f"\\{characters}" if characters == "+" else characters
    return f"[{_ranges(characters)}]"


def _members(text: str) -> str:
    """Return the characters of an expression for one of them."""
    text = text.strip("[]")
    spans = re.sub("(.)-(.)", lambda m: "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))), text)
    return "".join(dict.fromkeys(spans))


def _ranges(characters: str) -> str:
    """Write the inside of brackets: a hyphen first, four or more characters in a row as a range."""
    text, rest = "", "".join(sorted(characters, key=lambda one: (one != "-", one)))
    while rest:
        run = 1
        while run < len(rest) and ord(rest[run]) == ord(rest[0]) + run:
            run += 1
        text += f"{rest[0]}-{rest[run - 1]}" if run > 3 else rest[:run]
        rest = rest[run:]
    return text


def _turns(moves: int, end: str, san: str) -> Iterator[tuple[str, str]]:
    """Yield a rule for each move of both players, in the words of GBNF and Lark."""
    for number in range(1, moves + 1):
        following = f" | turn{number + 1}" * (number < moves)
        black = f'("{number}..." " "?)? {san} " " ({end}{following})'
        yield f"turn{number}", f'"{number}." " "? {san} " " ({end} | {black})'


def movetext_gbnf(automaton: Automaton, moves: int) -> str:
    """Return a grammar of whole games for llama.cpp, of at most ``moves`` numbered moves."""
    rules = [("root", "end | turn1"), ("end", " | ".join(f'"{end}"' for end in RESULTS))]
    lines = [f"{name} ::= {body}\n" for name, body in (*rules, *_turns(moves, "end", "san"))]
    return "".join(lines) + gbnf(automaton, "san")


def movetext_lark(automaton: Automaton, moves: int) -> str:
    """Return a grammar of whole games for Lark, of at most ``moves`` numbered moves."""
    rules = [("start", "END | turn1"), ("END", " | ".join(f'"{end}"' for end in RESULTS))]
    lines = [f"{name}: {body}\n" for name, body in (*rules, *_turns(moves, "END", "SAN"))]
    return "".join(lines) + lark(automaton).removeprefix("start: SAN\n")


def movetext_regex(automaton: Automaton) -> str:
    """Return a regular expression of whole games, in which a move may have any number or none."""
    ends = "|".join(map(re.escape, RESULTS)).replace("\\-", "-")
    return f"(?:(?:[1-9][0-9]*\\.(?:\\.\\.)? ?)?{regex(automaton)} )*(?:{ends})"
