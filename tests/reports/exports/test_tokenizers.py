"""Tokenizers, read by a plain reader of their JSON; campaign `languages` has the libraries."""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from sanproof.reports.archive.door import open_archive
from sanproof.reports.exports.tokenizers import (
    Extras,
    part_tokenizer,
    parts_of,
    split_parts,
    whole_tokenizer,
)

EXTRAS = Extras(results=True, numbers=200, special=("[PAD]", "[BOS]"))


@cache
def strings() -> list[str]:
    return open_archive().strings()


@cache
def whole() -> dict[str, Any]:
    tokenizer: dict[str, Any] = json.loads(whole_tokenizer(strings(), EXTRAS))
    return tokenizer


@cache
def parts_only() -> dict[str, Any]:
    tokenizer: dict[str, Any] = json.loads(part_tokenizer(strings(), EXTRAS))
    return tokenizer


def encoded(tokenizer: dict[str, Any], text: str) -> list[int]:
    """The ids of a text's tokens; a KeyError for what has none."""
    split = tokenizer["pre_tokenizer"]
    if split["type"] == "WhitespaceSplit":
        pieces = text.split()
    else:
        pattern = re.compile(split["pattern"]["Regex"])
        pieces = [piece for piece in re.split(f"({pattern.pattern})", text) if piece]
    return [tokenizer["model"]["vocab"][piece] for piece in pieces]


def decoded(tokenizer: dict[str, Any], ids: list[int]) -> str:
    words = {number: word for word, number in tokenizer["model"]["vocab"].items()}
    return ("" if tokenizer["decoder"] else " ").join(words[number] for number in ids)


def some_games() -> list[str]:
    texts = [text.split("\n\n")[1] for _, text in open_archive().pgn(cover=True)]
    return [" ".join(text.split()) for text in texts[::900]]


@pytest.mark.parametrize("tokenizer", [whole, parts_only], ids=["whole", "parts"])
@pytest.mark.usually(1)
def test_games_come_back(tokenizer: Callable[[], dict[str, Any]]) -> None:
    games = some_games()
    assert len(games) > 9
    for game in games:
        assert decoded(tokenizer(), encoded(tokenizer(), game)) == game


@pytest.mark.parametrize("tokenizer", [whole, parts_only], ids=["whole", "parts"])
def test_what_is_not_in_the_language_has_no_token(tokenizer: Callable[[], dict[str, Any]]) -> None:
    for text in ("Zf3", "e4!", "[UNK]", "\u00e94"):
        with pytest.raises(KeyError):
            encoded(tokenizer(), text)


def test_ids_are_those_of_the_vocabulary_and_all_others_follow() -> None:
    ids = whole()["model"]["vocab"]
    assert [ids[san] for san in strings()] == list(range(len(strings())))
    assert sorted(ids.values()) == list(range(len(ids)))
    after = ["1-0", "0-1", "1/2-1/2", "*", "[PAD]", "[BOS]", "1.", "2."]
    assert [ids[word] - len(strings()) for word in after] == list(range(len(after)))
    assert [(token["id"], token["content"]) for token in whole()["added_tokens"]] == [
        (ids["[PAD]"], "[PAD]"),
        (ids["[BOS]"], "[BOS]"),
    ]
    assert all(token["special"] for token in whole()["added_tokens"])


def test_every_string_is_split_into_parts_that_make_it() -> None:
    ids = parts_only()["model"]["vocab"]
    for san in strings()[::5]:
        parts = split_parts(san)
        assert "".join(parts) == san
        assert encoded(parts_only(), san) == [ids[part] for part in parts]


def test_no_part_is_too_many() -> None:
    """The fewest tokens with one for each part of each string; and the same in any order."""
    parts = {part for san in strings() for part in split_parts(san)}
    assert len(parts_of(strings())) == len(parts)
    assert parts_of(reversed(strings())) == parts_of(strings())
    assert set(parts_of(strings())) == parts
    assert len(parts) == 64 + 5 + 8 + 8 + 4 + 2  # squares, pieces, files, ranks, x = + #, castlings
