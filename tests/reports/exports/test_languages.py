"""The strings as a language: its automaton, grammars and tokenizers, read by plain readers."""

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.door import open_archive
from sanproof.reports.exports.exports import ExportError
from sanproof.reports.exports.grammars import Automaton, gbnf, lark, regex
from sanproof.reports.exports.languages import (
    LANGUAGES,
    Language,
    language,
    parts_of,
    split_parts,
    tokenizer,
)
from sanproof.verify.notation.writing import legal_sans
from tests.reports.archive.archives import TIMES, files, write_observed, write_run
from tests.verify.command import sanproof


@cache
def strings() -> list[str]:
    return open_archive().strings()


@cache
def published() -> Automaton:
    return Automaton(strings())


languages = st.lists(st.text("ab+", max_size=5), min_size=1, max_size=30, unique=True)


def drawn(count: int) -> list[str]:
    """Draw strings of the universe."""
    choose = random.Random(count).choice
    origins = (grammar.PIECES, grammar.FILE_LETTERS, grammar.RANK_DIGITS)
    ends = (grammar.CAPTURES, grammar.DESTINATIONS, grammar.PROMOTIONS, grammar.SUFFIXES)
    return [str(grammar.San(*map(choose, (*origins, *ends)))) for _ in range(count)]


def texts_from(automaton: Automaton, number: int = 0) -> frozenset[str]:
    """Return all texts that are accepted from a state."""
    state = automaton.states[number]
    following = {c + text for c, step in state.steps for text in texts_from(automaton, step)}
    return frozenset(following | ({""} if state.accepts else set()))


def texts_of(grammar: str) -> set[str]:
    """Return all texts of a grammar with rules: ``a ::= "x" b | [y-z]`` or ``a ::= ("x" b)?``."""
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
                some = re.findall(r"(.)-(.)|(.)", match["some"] or "") or [("", "", match["one"])]
                letters = [chr(n) for a, z, x in some for n in range(ord(a or x), ord(z or x) + 1)]
                found |= {c + text for c in letters for text in derive(match["rule"] or "")}
            known[name] = found
        return known[name]

    return derive("root")


def terminal(grammar: str) -> re.Pattern[str]:
    """Return the terminal of a grammar of Lark."""
    match = re.fullmatch("start: SAN\nSAN: /(.*)/\n", grammar)
    assert match
    return re.compile(match[1])


@settings(max_examples=30)
@given(languages)
def test_every_form_has_the_strings_and_no_others(texts: list[str]) -> None:
    listed = sorted(texts, key=list_order)
    automaton = Automaton(listed)
    assert texts_from(automaton) == set(texts)
    if texts != [""]:
        assert texts_of(gbnf(automaton)) == set(texts)
    numbers = range(len(automaton.states))
    assert len({texts_from(automaton, number) for number in numbers}) == len(numbers)
    patterns = re.compile(regex(automaton)), terminal(lark(automaton))
    near = {a + text[cut:] for text in texts for a in ("", *"ab+c") for cut in (0, 1)}
    for text in near | set(texts) | {text + "a" for text in texts}:
        assert [bool(pattern.fullmatch(text)) for pattern in patterns] == [text in texts] * 2


def test_every_form_has_the_published_strings() -> None:
    automaton, listed = published(), set(strings())
    assert texts_of(gbnf(automaton)) == listed
    bare = open_archive().strings(bare=True)
    assert texts_of(gbnf(Automaton(bare))) == set(bare)
    expression, longest = re.compile(regex(automaton)), terminal(lark(automaton))
    for san in strings()[::29]:
        assert expression.fullmatch(san)
        match = longest.match(san + "x")
        assert match is not None
        assert match[0] == san
    for text in (*drawn(1000), "", "e4\n", " e4", "e4e5", "0-0", "Nf3\n", "é4", "N" * 50):
        found = [bool(pattern.fullmatch(text)) for pattern in (expression, longest)]
        assert found == [text in listed] * 2
    used = re.sub(r"\(\?:|\\\+|\[[#+A-Ra-h1-8-]+\]", "", expression.pattern)
    assert set(used) <= set("|)?KQRBNOabcdefgh12345678x=-")  # what all engines read alike
    assert len(expression.pattern) < 12_000
    kinds = {(state.accepts, frozenset(state.steps)) for state in automaton.states}
    assert len(kinds) == len(automaton.states)  # minimal: no state leads where another does


TOKENS = Language(results=True, numbers=200, special=("[PAD]", "[BOS]"))


@cache
def tokenizers() -> list[dict[str, Any]]:
    """Make one with a token for each string, and one for each part."""
    both = (TOKENS, TOKENS._replace(parts=True))
    return [json.loads(tokenizer(strings(), tokens)) for tokens in both]


def encoded(made: dict[str, Any], text: str) -> list[int]:
    """Return the ids of a text's tokens; a KeyError for what has none."""
    split = made["pre_tokenizer"]
    by_words = split["type"] == "Sequence"
    pattern = (split["pretokenizers"][0] if by_words else split)["pattern"]["Regex"]
    pieces = [piece for piece in re.split(f"({pattern})", text) if piece]
    if by_words:
        pieces = " ".join(pieces).split()
    return [made["model"]["vocab"][piece] for piece in pieces]


def decoded(made: dict[str, Any], ids: list[int]) -> str:
    words = {number: word for word, number in made["model"]["vocab"].items()}
    bytes_first, last = made["decoder"]["decoders"]
    assert bytes_first == {"type": "ByteFallback"}  # without it llguidance refuses the file
    return {"Fuse": "", "WordPiece": " "}[last["type"]].join(words[number] for number in ids)


def test_games_come_back_and_what_is_not_in_the_language_has_no_token() -> None:
    texts = [text.split("\n\n")[1] for _, text in open_archive().pgn(cover=True)]
    games = [" ".join(text.split()) for text in texts[::1800]]
    assert len(games) > 4
    for made in tokenizers():
        for game in games:
            assert decoded(made, encoded(made, game)) == game
        for text in ("Zf3", "e4!", "[UNK]", "\u00e94"):
            with pytest.raises(KeyError):
                encoded(made, text)


def test_ids_are_those_of_the_vocabulary_and_all_others_follow() -> None:
    whole, _ = tokenizers()
    ids = whole["model"]["vocab"]
    assert [ids[san] for san in strings()] == list(range(len(strings())))
    assert sorted(ids.values()) == list(range(len(ids)))
    after = ["1-0", "0-1", "1/2-1/2", "*", "[PAD]", "[BOS]", "1.", "1...", "2."]
    assert [ids[word] - len(strings()) for word in after] == list(range(len(after)))
    added = [(token["content"], token["id"], token["special"]) for token in whole["added_tokens"]]
    assert added == [(word, ids[word], True) for word in ("[PAD]", "[BOS]")]
    texts = ("1. e4 1... e5 2. f4 *", "1.e4 1...e5 2.f4 *")
    assert len({tuple(encoded(whole, text)) for text in texts}) == 1


def test_every_string_is_split_into_parts_that_make_it() -> None:
    """The fewest tokens with one for each part of each string; and the same in any order."""
    _, made = tokenizers()
    ids = made["model"]["vocab"]
    for san in strings()[::29]:
        parts = split_parts(san)
        assert "".join(parts) == san
        assert encoded(made, san) == [ids[part] for part in parts]
    listed = parts_of(strings())
    assert parts_of(reversed(strings())) == listed
    assert sorted(listed) == sorted({part for san in strings() for part in split_parts(san)})
    # squares, pieces, files, ranks, x = + #, castlings
    assert len(listed) == 64 + 5 + 8 + 8 + 4 + 2


def expression_of(grammar: str) -> re.Pattern[str]:
    """Return a grammar of GBNF or Lark as an expression; no rule leads back to itself."""
    rules = dict(re.split(" ::= |: ", line, maxsplit=1) for line in grammar.splitlines())

    def expand(name: str) -> str:
        def part(found: re.Match[str]) -> str:
            text, rule = found.groups()
            return re.escape(text) if text is not None else expand(rule) if rule else ""

        body = rules[name]
        if body[0] != "/":
            body = re.sub(r'"([^"]*)"|(\w+)| ', part, body)
        return f"(?:{body.strip('/')})"

    return re.compile(expand(next(iter(rules))))


COUNTED = ("*", "1. f4 *", "1.f4 e5 1-0", "1. f4 1... e5 2. e5 1/2-1/2", "1. f4 1...e5 2.f4 e5 0-1")
NOT_COUNTED = ("f4 *", "f4 e5 1-0", "2. f4 *", "1. f4 2. e5 *", "1. f4 e5 2. e5 f4 3. f4 *")
NOT_GAMES = (
    *("", "1. f4", "1. f4  *", "1.  f4 *", "1. *", "1. 1. f4 *", "1. f4\n*", "1. a4 *", "* *"),
)


def test_movetext() -> None:
    for form, write in LANGUAGES["movetext"].items():
        takes = expression_of if form != "txt" else re.compile
        for moves in (2, 3):
            found = takes(write(["e5", "f4"], Language(numbers=moves)))
            for texts, expected in ((COUNTED, True), (NOT_GAMES, False)):
                assert [bool(found.fullmatch(text)) for text in texts] == [expected] * len(texts)
            others = [bool(found.fullmatch(text)) for text in NOT_COUNTED]
            assert others == [form == "txt"] * 4 + [form == "txt" or moves == 3]
    assert "\\-" not in LANGUAGES["movetext"]["txt"](["f4"], Language())  # an error in JavaScript
    for text in COUNTED:
        for made in tokenizers():
            assert encoded(made, text)


def test_the_language_of_a_position() -> None:
    legal = legal_sans("4k3/8/8/8/1b6/2N5/8/4K1NR w K - 0 1")
    texts = {
        what: language(open_archive(), what, None, Language(legal=legal))
        for what in LANGUAGES
        if what not in {"tokenizer", "movetext"}
    }
    assert texts_of(texts["gbnf"]) == set(legal)
    for text in [*legal, *strings()[::29], "", "Nf3\n"]:
        for expression in (re.compile(texts["regex"]), terminal(texts["lark"])):
            assert bool(expression.fullmatch(text)) == (text in legal)
    for what, wanted, message in (
        ("tokenizer", Language(legal=legal), "no tokenizer"),
        ("movetext", Language(legal=legal), "no movetext"),
        ("regex", Language(legal=legal, at_least=1), "no --at-least"),
        ("regex", Language(legal=[]), "no legal move"),
        ("regex", Language(numbers=3), "a tokenizer or movetext"),
        ("movetext", Language(results=True), "for a tokenizer"),
    ):
        with pytest.raises(ExportError, match=message):
            language(open_archive(), what, None, wanted)


def test_the_command(tmp_path: Path) -> None:
    run = str(write_observed(write_run(tmp_path / "run", files())))
    out = tmp_path / "tokenizer.json"
    special = ("--special", "[PAD],[BOS]", "--results", "--numbers", "2")
    arguments = ("export", "--run", run, "--what")
    done = sanproof(*arguments, "tokenizer", *special, "--out", str(out))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(json.loads(out.read_text())["model"]["vocab"])[-3:] == ["1...", "2.", "2..."]
    most = max(TIMES.values())
    cut = sanproof(*arguments, "tokenizer", "--at-least", str(most))
    kept = [san for san in strings() if TIMES.get(san) == most]
    assert list(json.loads(cut.stdout)["model"]["vocab"]) == kept
    for what in ("gbnf", "lark"):
        done = sanproof(*arguments, what, "--bare", "--out", str(tmp_path / f"a.{what}"))
        assert (done.returncode, done.stderr) == (0, "")
    assert terminal((tmp_path / "a.lark").read_text()).fullmatch("g4")


@pytest.mark.parametrize(
    "wanted",
    [
        *(Language(special=(token,)) for token in ("f3", "a b", "N", "", "a\u00a0b")),
        Language(special=("[A]", "[A]")),
        Language(special=("1.",), numbers=3),
        Language(numbers=10**6),
        Language(at_least=10**15),
    ],
)
def test_languages_that_cannot_be(wanted: Language) -> None:
    with pytest.raises(ExportError):
        language(open_archive(), "tokenizer", None, wanted)
