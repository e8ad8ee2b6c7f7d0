"""The language's exports by option, and the command that writes them."""

import json
import re
from pathlib import Path

import pytest

from sanproof.reports.archive.door import Archive, ArchiveError, open_archive
from sanproof.reports.exports.automaton import Automaton
from sanproof.reports.exports.exports import ExportError, plan
from sanproof.reports.exports.languages import LANGUAGES, Wanted, language, lookup
from sanproof.reports.exports.tokenizers import Extras
from tests.reports.archive.archives import TIMES, files, write_observed, write_run
from tests.reports.exports.test_automaton import published
from tests.verify.command import expect_sentence, expect_usage, sanproof


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """A run of four strings, with how often they were played."""
    return open_archive(write_observed(write_run(tmp_path, files())))


def test_each_form_is_there(archive: Archive) -> None:
    for what, forms in LANGUAGES.items():
        for form in forms:
            every, bare = (language(archive, what, form, Wanted(bare))[0] for bare in (False, True))
            assert every.isascii()
            assert every != bare
        with pytest.raises(ExportError, match=f"no pgn of {what}: take {forms[0]}"):
            language(archive, what, "pgn", Wanted())


def test_a_cut_says_what_is_lost(archive: Archive, tmp_path: Path) -> None:
    most = max(TIMES.values())
    cut, note = language(archive, "tokenizer", None, Wanted(at_least=most))
    kept = [san for san in archive.strings() if TIMES.get(san) == most]
    assert list(json.loads(cut)["model"]["vocab"]) == kept
    lost = sum(TIMES.values()) - most * len(kept)
    assert f"({lost:,} of {sum(TIMES.values()):,})" in note
    assert language(archive, "tokenizer", None, Wanted())[1] == ""
    with pytest.raises(ExportError, match="No string was played"):
        language(archive, "regex", None, Wanted(at_least=10**14))
    without = open_archive(write_run(tmp_path / "without", files()))
    with pytest.raises(ArchiveError, match="how often"):
        language(without, "regex", None, Wanted(at_least=1))


def test_the_vocabulary_says_what_each_cut_loses() -> None:
    columns = ["san", "times", "lost"]
    rows = list(plan("vocabulary", "csv", columns, bare=False).rows(open_archive()))
    every = sum(int(str(times)) for _, times, _ in rows)
    for _, times, lost in rows[::9001]:
        rarer = sum(int(str(other)) for _, other, _ in rows if int(str(other)) <= int(str(times)))
        assert lost == rarer / every


@pytest.mark.parametrize(
    ("extras", "message"),
    [
        (Extras(special=("[A]", "[A]")), "named twice"),
        (Extras(special=("f3",)), "'f3' cannot be"),
        (Extras(special=("a b",)), "cannot be"),
        (Extras(special=("N",)), "'N' cannot be"),
        (Extras(special=("1.",), numbers=3), "'1.' cannot be"),
        (Extras(special=("",)), "cannot be"),
        (Extras(numbers=10**6), "more than"),
    ],
)
def test_tokens_that_cannot_be(archive: Archive, extras: Extras, message: str) -> None:
    with pytest.raises(ExportError, match=message):
        language(archive, "tokenizer", None, Wanted(extras=extras))
    with pytest.raises(ExportError, match="for a tokenizer"):
        language(archive, "regex", None, Wanted(extras=extras))


def test_the_command(tmp_path: Path) -> None:
    run = str(write_observed(write_run(tmp_path / "run", files())))
    out = tmp_path / "tokenizer.json"
    special = ("--special", "[PAD],[BOS]", "--results", "--numbers", "2")
    arguments = ("export", "--run", run)
    done = sanproof(*arguments, "--what", "tokenizer", *special, "--out", str(out))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(json.loads(out.read_text())["model"]["vocab"])[-3:] == ["[BOS]", "1.", "2."]
    cut = sanproof(*arguments, "--what", "gbnf", "--at-least", "1")
    assert cut.stdout.startswith("root ::= ")
    assert "strings were played" in cut.stderr
    expect_sentence(sanproof(*arguments, "--what", "regex", "--parts"), 2, "for a tokenizer")
    expect_sentence(sanproof(*arguments, "--what", "regex", "--columns", "san"), 2, "no columns")
    expect_sentence(sanproof(*arguments, "--what", "games", "--parts"), 2, "is a table")
    expect_sentence(sanproof(*arguments, "--what", "lookup", "--format", "txt"), 2, "take h, mjs")
    expect_usage(sanproof(*arguments, "--what", "tokenizer", "--numbers", "0"), "--numbers")


# The programs that number the strings; `nox -s harden -- languages` compiles and runs them

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/"


@pytest.mark.parametrize("form", LANGUAGES["lookup"])
def test_the_tables_are_the_automaton(form: str) -> None:
    text = lookup(published(), form)
    first, second = (
        "".join(re.findall(r'^  "(.*)",$', table, re.MULTILINE))
        for table in re.split(r"Where each", text)
    )
    characters = first.removesuffix(" ").split(" ")
    numbers = [
        64 * DIGITS.index(a) + DIGITS.index(b)
        for a, b in zip(second[::2], second[1::2], strict=True)
    ]
    steps = iter(numbers)
    for state, known in zip(characters, published().states, strict=True):
        assert ("." in state) == known.accepts
        assert tuple((c, next(steps)) for c in state.replace(".", "")) == known.steps
    assert list(steps) == []


@pytest.mark.parametrize("form", LANGUAGES["lookup"])
def test_the_programs_are_short_and_say_which_strings_they_have(form: str) -> None:
    text = lookup(published(), form)
    lines = text.splitlines()
    assert len(lines) <= 200
    assert max(map(len, lines)) <= 120
    assert "$" not in text.replace("${", "")
    assert f"{sum(published().counts[0])}" in text
    assert text.isascii()
    small = Automaton(["e4", "e5", "Nf3"])
    for bare in (False, True):
        every, cut = (
            " ".join(lookup(small, form, bare=bare, at_least=n)[:800].split()) for n in (0, 1000)
        )
        assert "3 SAN strings" in every
        assert f"a legal chess game{' without suffix' * bare}, and" in every
        assert f"is the `id` of `sanproof export --what vocabulary{' --bare' * bare}`" in every
        assert "and were played 1,000 times or more, and" in cut
        assert "is not the `id` of" in cut
