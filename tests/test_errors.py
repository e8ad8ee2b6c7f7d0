"""Every error is a sentence: it begins with a capital or a value, and ends with one period."""

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.verify.command import ROOT

FAILURES: Final = {"Failure", "NegativeAnswer", "Undecided", "Unfinished"}
SENTENCE: Final = r"(?:[A-Z`'{]|--)(?!.*\.;).*(?<!\.)[.?}]"


def error_texts(content: str) -> Iterator[str]:
    """Yield the texts of the failures that a module raises, with braces for values."""
    for node in ast.walk(ast.parse(content)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in FAILURES and node.args:
            text = node.args[0]
            if isinstance(text, ast.JoinedStr):
                values = [v.value if isinstance(v, ast.Constant) else "{}" for v in text.values]
                yield "".join(map(str, values))
            elif isinstance(text, ast.Constant):
                yield str(text.value)


def test_error_texts_are_sentences() -> None:
    texts = [
        text
        for room in ("proofs", "reports", "sanproof", "verify")
        for path in (ROOT / room).rglob("*.py")
        for text in error_texts(path.read_text(encoding="utf-8"))
    ]
    assert len(texts) > 50
    assert [text for text in texts if not re.fullmatch(SENTENCE, text, re.DOTALL)] == []


@pytest.mark.parametrize("text", ["no file", "No file", "{x} is bad.;", "No file..", "no file."])
def test_another_error_text_is_found(text: str) -> None:
    (found,) = error_texts(f'raise Failure(f"{text}")')
    assert not re.fullmatch(SENTENCE, found, re.DOTALL)
