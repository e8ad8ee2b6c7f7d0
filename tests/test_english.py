"""Plain English: habits that ruff does not know, in docstrings, comments and pages."""

import ast
import re
import subprocess
from collections.abc import Iterator
from typing import Final

import pytest

from tests.test_house import ROOT

HABITS: Final = {
    "What, who or which as a noun at the beginning": r"\A(What|Who|Whose|Which)\b[^?]*\Z",
    "none for a thing that is missing": r"\b(is|are)\s+none\b",
    "a reference to the text above": r"\AThe same( as (above|before))?\.",
    "a person where there is none": r"\b([Ss]ome|[Nn]o)body\b|\b[Ww]hoever\b",
}
"""Regular expressions of what makes a reader stop."""
WORDS: Final = r"\b(What|Who|Whose|Which|The same|none|[Ww]hoever)\b|body\b"
"""Words without which no text has a habit."""
FAILURES: Final = {"Failure", "NegativeAnswer", "Undecided", "Unfinished"}
SENTENCE: Final = r"(?:[A-Z`'{]|--)(?!.*\.;).*(?<!\.)[.?}]"
"""An error's text: a capital or a value at the start, one period at the end."""
EXCEPTIONS: Final = {
    "conformance/adapters/": "results name the bytes of an adapter",
    "reports/page/vendor/": "others' texts",
    "reports/tables/templates/": "published to the byte",
    "tests/test_english.py": "the habits themselves",
}
"""Files that keep their words, and why."""


def texts(name: str, content: str) -> Iterator[str]:
    """Yield the docstrings and comments of a module, or a page's lines, cells and no headings."""
    if name.endswith(".md"):
        prose = re.sub(r"^ *```.*?^ *```$", "", content, flags=re.MULTILINE | re.DOTALL)
        yield from (part.strip(" -*") for part in re.split(r"\n(?:#.*)?|\|", prose))
        return
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
    yield from re.findall(r"(?:^ *|  )#:? (.*)", content, re.MULTILINE)


def habits(name: str, content: str) -> list[str]:
    """Return the texts of a file that have a habit."""
    if not re.search(WORDS, content):
        return []  # which is quicker
    return [
        f"{name}: {habit}: {text[:90]}"
        for text in texts(name, content)
        for habit, pattern in HABITS.items()
        if re.search(pattern, text)
    ]


def files(*patterns: str) -> dict[str, str]:
    """Return the contents of the tracked files whose names match, without exceptions."""
    command = ("git", "ls-files", *patterns)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in done.stdout.split() if not name.startswith(tuple(EXCEPTIONS))]
    return {name: (ROOT / name).read_text("utf-8") for name in names}


def test_no_text_has_a_habit() -> None:
    contents = files("*.py", "*.md")
    assert len(contents) > 400
    assert [found for name in contents for found in habits(name, contents[name])] == []


def error_texts(content: str) -> Iterator[str]:
    """Yield the texts of failures, with braces for values."""
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in FAILURES and node.args:
            text = node.args[0]
            if isinstance(text, ast.JoinedStr):
                values = [v.value if isinstance(v, ast.Constant) else "{}" for v in text.values]
                yield "".join(map(str, values))
            elif isinstance(text, ast.Constant):
                yield str(text.value)


def test_error_texts_are_sentences() -> None:
    contents = files("verify/*.py", "reports/*.py", "proofs/*.py", "sanproof/*.py")
    texts = [text for content in contents.values() for text in error_texts(content)]
    assert len(texts) > 100
    assert [text for text in texts if not re.fullmatch(SENTENCE, text, re.DOTALL)] == []


@pytest.mark.parametrize("text", ["no file", "No file", "{x} is bad.;", "No file..", "no file."])
def test_another_error_text_is_found(text: str) -> None:
    (found,) = error_texts(f'raise Failure(f"{text}")')
    assert not re.fullmatch(SENTENCE, found, re.DOTALL)


@pytest.mark.parametrize("text", ["What is left.", "There is none.", "The same.", "Nobody sees it"])
def test_a_habit_is_found(text: str) -> None:
    assert habits("a.py", f'"""{text}"""\n') and habits("a.py", f"# {text}\n")  # noqa: PT018
    assert habits("a.md", f"- {text}\n")
    assert habits("a.md", f"```\n{text}\n```\n") == []
