"""Regular expressions and grammars, read by plain readers; campaign `languages` has others."""

import json
import re
from functools import cache

from hypothesis import given, settings

from sanproof.reports.archive.door import open_archive
from sanproof.reports.exports.automaton import Automaton
from sanproof.reports.exports.grammars import automaton_json, gbnf, lark, regex
from tests.reports.exports.test_automaton import drawn, languages, published, strings


@cache
def published_pattern() -> re.Pattern[str]:
    return re.compile(regex(published()))


def texts_of(grammar: str) -> set[str]:
    """All texts of a grammar with rules such as ``a ::= "x" b | [y-z]`` or ``a ::= ("x" b)?``."""
    rules = dict(line.split(" ::= ") for line in grammar.splitlines())
    known: dict[str, set[str]] = {"": {""}}

    def derive(name: str) -> set[str]:
        if name not in known:
            body = rules[name]
            whole = re.fullmatch(r"\((.*)\)\?", body)
            choices = (whole[1] if whole else body).split(" | ")
            found = {""} if whole else set()
            for choice in choices:
                match = re.fullmatch(r'("(?P<one>.)"|\[(?P<some>[^]]+)\])( (?P<rule>\w+))?', choice)
                assert match, choice
                some = match["one"] or "".join(expanded(match["some"]))
                found |= {c + text for c in some for text in derive(match["rule"] or "")}
            known[name] = found
        return known[name]

    return derive("root")


def expanded(inside: str) -> list[str]:
    """The characters of a bracket."""
    pieces = re.findall(r"(.)-(.)|(.)", inside)
    return [chr(n) for a, z, one in pieces for n in range(ord(a or one), ord(z or one) + 1)]


@settings(max_examples=30)
@given(languages)
def test_an_expression_matches_its_strings_and_no_others(texts: list[str]) -> None:
    pattern = re.compile(regex(Automaton(texts)))
    letters = "ab+"
    near = {a + text[cut:] for text in texts for a in ("", *letters) for cut in (0, 1)}
    for text in near | set(texts) | {text + "a" for text in texts}:
        assert bool(pattern.fullmatch(text)) == (text in texts)


def test_the_published_expression() -> None:
    assert all(map(published_pattern().fullmatch, strings()[::7]))
    listed = set(strings())
    for san in drawn(5000):
        assert bool(published_pattern().fullmatch(san)) == (san in listed)
    assert not any(map(published_pattern().fullmatch, ("", "e4\n", " e4", "e4e5", "0-0")))


def test_it_has_only_what_all_engines_read_alike() -> None:
    used = re.sub(r"\(\?:|\\\+|\[[#+A-Ra-h1-8-]+\]", "", published_pattern().pattern)
    assert set(used) <= set("|)?KQRBNOabcdefgh12345678x=-")
    assert len(published_pattern().pattern) < 12_000


def test_the_grammar_of_llama_cpp_derives_the_list() -> None:
    bare = open_archive().strings(bare=True)
    for listed in (strings(), bare):
        assert texts_of(gbnf(Automaton(listed))) == set(listed)


def test_the_terminal_of_lark_finds_the_longest_string() -> None:
    start, terminal, *rest = lark(published()).split("\n")
    assert (start, rest) == ("start: SAN", [""])
    pattern = re.compile(terminal.removeprefix("SAN: /").removesuffix("/"))
    for san in strings()[::11]:
        match = pattern.match(san + "x")
        assert match is not None
        assert match[0] == san
    for san in drawn(2000):
        assert bool(pattern.fullmatch(san)) == (published().number_of(san) is not None)


def test_the_automaton_as_json() -> None:
    given = json.loads(automaton_json(published()))
    assert given["states"] == len(given["transitions"])
    accepting = set(given["accepting"])
    found = []
    pending = [("", given["start"])]
    while pending:
        text, state = pending.pop()
        found += [text] if state in accepting else []
        pending += [(text + c, step) for c, step in given["transitions"][state].items()]
    assert given["strings"] == len(found)
    assert set(found) == set(strings())
