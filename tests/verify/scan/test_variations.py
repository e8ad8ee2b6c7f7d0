"""Variations, compared with python-chess's own reader and writer."""

import io
import json
import random
import tracemalloc
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import pytest

from sanproof.verify.scan.movetext import games
from sanproof.verify.scan.reading import read_game
from sanproof.verify.scan.variations import DEEPEST, read_variations
from tests.games import REAL_GAMES
from tests.verify.command import sanproof
from tests.verify.scan.pgn import game, options, random_games, scanned

WANTED = options()._replace(variations=True)


def with_variations(seed: int) -> chess.pgn.Game:
    """Return a random game with variations within variations, comments and glyphs."""
    chosen = random.Random(seed)
    read = chess.pgn.read_game(io.StringIO(random_games(seed, 1, longest=30)[0]))
    assert read is not None
    for _ in range(12):
        nodes: list[chess.pgn.GameNode] = [read, *_nodes(read)]
        node = chosen.choice(nodes)
        for _ in range(chosen.randrange(1, 6)):
            moves = [m for m in node.board().legal_moves if not node.has_variation(m)]
            if not moves or not node.variations:
                break  # the first continuation would not be in parentheses
            node = node.add_variation(chosen.choice(moves), nags=chosen.sample(range(1, 7), 1))
            node.comment = chosen.choice(["", "a (comment", "e4)"])
            for move in list(node.board().legal_moves)[:2]:
                node.add_variation(move)
    return read


def _nodes(read: chess.pgn.Game) -> list[chess.pgn.ChildNode]:
    waiting: list[chess.pgn.GameNode] = [read]
    nodes = []
    while waiting:
        for child in waiting.pop().variations:
            nodes.append(child)
            waiting.append(child)
    return nodes


def strings_of(read: chess.pgn.Game) -> tuple[Counter[str], Counter[str]]:
    """Count each string in the game itself, and in its variations, by python-chess."""
    main = Counter(node.san() for node in read.mainline())
    everything = Counter(node.san() for node in _nodes(read))
    return main, everything - main


@pytest.mark.parametrize("seed", range(4))
def test_variations_are_read_as_python_chess_reads_them(seed: int) -> None:
    read = with_variations(seed)
    main, variations = strings_of(read)
    assert variations
    text = random_games(seed, 1)[0] + str(read) + "\n\n" + random_games(seed + 9, 1)[0]
    result = scanned(text.encode(), WANTED)
    assert {san: seen[0] for san, seen in result.in_variations.items()} == variations
    assert all(seen[2] == 2 for seen in result.in_variations.values())
    assert result.counts["variation_moves"] == variations.total()
    assert not result.deviations
    without = scanned(text.encode())
    assert without.seen == result.seen
    assert sum(main.values()) <= without.counts["moves"] == result.counts["moves"]
    assert not without.in_variations
    assert not [name for name in without.counts if "variation" in name]


def test_hostile_nesting_is_one_row_and_little_memory() -> None:
    deep = "1. e4 " + "(1. d4 " * 500 + ")" * 500 + " e5 *"
    result = scanned(game(deep).encode(), WANTED)
    (named,) = result.deviations
    assert (named.variation, named.written, named.kind) == (DEEPEST, "d4", "too-deep")
    assert result.counts["variation_moves"] == DEEPEST
    assert result.counts["variation_texts_not_read"] == 500 - DEEPEST
    assert result.counts["moves"] == 2
    goes_on = "1. e4 " + "(1. d4 " * (DEEPEST + 1) + ") d5" + ")" * DEEPEST + " *"
    result = scanned(game(goes_on).encode(), WANTED)
    assert result.counts["variation_moves"] == DEEPEST + 1
    assert result.in_variations["d5"][0] == 1
    data = game("1. e4 " + "(d4)" * 500 + "(" * 20_000 + ")" * 20_000 + " *").encode()
    (text,) = games(data)
    read = read_game(text, data)
    tracemalloc.start()
    count = sum(1 for _ in read_variations(text, data, read, WANTED))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 500
    assert peak < 100_000


def test_marks_have_the_names_that_they_have_in_the_game() -> None:
    marked = "1. d4 +- Nf6!?, (1... d5 ch) 2. Nf3‼ c5. 1:0"
    found = scanned(game(f"1. e4 ({marked}) *").encode(), WANTED._replace(rewrite=True))
    named = [(d.kind, d.written, d.variation) for d in found.deviations]
    assert named == [
        ("evaluation-sign", "+-", 1),
        ("stray-punctuation", ",", 1),
        ("check-apart", "ch", 2),
        ("evaluation-sign", "‼", 1),
        ("stray-punctuation", ".", 1),
        ("other-result", "1:0", 1),
    ]
    due = "1. d4 $18 Nf6!?  (1... d5  ) 2. Nf3 $3 c5  1-0"
    assert found.rewritten.decode() == game(f"1. e4 ({due}) *")


@pytest.mark.slow
def test_the_games_that_come_with_the_tests() -> None:
    text = REAL_GAMES.read_text("utf-8")
    file = io.StringIO(text)
    played: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    while read := chess.pgn.read_game(file):
        played += strings_of(read)[0]
        expected += strings_of(read)[1]
    result = scanned(text.encode(), WANTED)
    assert {san: seen[0] for san, seen in result.in_variations.items()} == expected
    assert {san: seen[0] for san, seen in result.seen.items()} == played
    assert scanned(text.encode()).seen == result.seen
    assert result.counts["games_read"] == result.counts["games"] > 10


def test_they_are_counted_apart_in_all_that_is_written(tmp_path: Path) -> None:
    path, out = tmp_path / "a.pgn", tmp_path / "out"
    path.write_text(game("1. e4 (1. d2d4 Nf6 (1... Ke3)) 1... e5 (1... e5) *"))
    done = sanproof("scan", str(path), "--variations", "--no-fast", "--out", str(out))
    assert done.returncode == 2
    assert "In 3 variations, 3 moves: 2 are not canonical SAN; 1 move text was" in done.stdout
    summary = json.loads((out / "summary.json").read_text())
    assert summary["total"]["moves"] == 2
    assert summary["total"]["deviating_moves"] == 0
    assert summary["deviations"] == {}
    assert summary["variations"]["total"]["variation_moves"] == 3
    assert summary["variations"]["deviations"] == {
        "coordinate-notation": 1,
        "illegal cannot-reach": 1,
    }
    assert (out / "counts.csv").read_text().count("\n") == 3
    rows = (out / "variations.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["Nf6", "d4", "e5"]
    assert "## In variations" in (out / "summary.md").read_text()
    path.write_text(game("1. e4 (1. d2d4) *"))
    assert sanproof("scan", "--check", str(path)).returncode == 0
    done = sanproof("scan", "--check", "--variations", str(path), "--format", "json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["found"], told["found_in_variations"]) == (1, 0, 1)
    assert told["deviations"][0]["variation"] == 1
