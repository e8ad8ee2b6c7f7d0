"""The language of the strings as a regular expression, and as grammars for constrained decoding.

All of them are made from the minimal automaton (:mod:`reports.exports.automaton`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Final

from sanproof.reports.exports.automaton import Automaton

_HEAD: Final = re.compile(r"\[[^]]+\](?!\?)|[A-Za-z1-8x](?!\?)")
"""A first part that is one character, or one of several, and not optional."""


def gbnf(automaton: Automaton, root: str = "root") -> str:
    """Return a grammar of llama.cpp, with a rule for each state."""

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
    """Return a grammar of Lark with one terminal, which other grammars can import.

    A lexer takes the first alternative that fits, so its expression is another one: longer, but
    each character decides between the alternatives, and the longest string is found.
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
    """Make a regular expression that matches exactly the strings, if it must match a whole text.

    It has character classes, ``|``, ``?`` and groups that do not capture, which Python,
    JavaScript, RE2 and PCRE read alike.

    States are removed until one edge is left, labelled with the expression. The next state is the
    one whose removal makes the labels grow least (Delgado and Morais, "Approximation to the
    smallest regular expression for a given regular language", 2004).
    """
    begin = len(automaton.states)
    end = begin + 1
    choices: dict[tuple[int, int], dict[str, None]] = defaultdict(dict)
    into: dict[int, set[int]] = defaultdict(set)
    out_of: dict[int, set[int]] = defaultdict(set)

    def join(one: int, other: int, text: str) -> None:
        choices[one, other][text] = None
        out_of[one].add(other)
        into[other].add(one)

    def label(one: int, other: int) -> str:
        return _either(tuple(choices[one, other]))

    def growth(number: int) -> int:
        before, after = into[number], out_of[number]
        repeated = (len(after) - 1) * sum(len(label(one, number)) for one in before)
        return repeated + (len(before) - 1) * sum(len(label(number, other)) for other in after)

    for edge in _edges(automaton, begin, end):
        join(*edge)
    growths = {number: growth(number) for number in range(begin)}
    while growths:
        number = min(growths, key=lambda one: (growths[one], one))
        del growths[number]
        before, after = sorted(into.pop(number)), sorted(out_of.pop(number))
        for one, other in product(before, after):
            join(one, other, label(one, number) + label(number, other))
        for one in before:
            out_of[one].discard(number)
        for other in after:
            into[other].discard(number)
        growths.update({one: growth(one) for one in {*before, *after} & growths.keys()})
    return label(begin, end)


def _edges(automaton: Automaton, begin: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield the steps of the automaton, between a state before the first and one after the last."""
    yield begin, 0, ""
    for number, state in enumerate(automaton.states):
        for characters, following in automaton.branches(number):
            yield number, following, _class(characters)
        if state.accepts:
            yield number, end, ""


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
