"""The files of a run, read back by other readers: verdicts counted and listed, and its games."""

import csv
import gzip
import io
import json
import lzma
import time
from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import chess
import chess.pgn
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_cube
from sanproof.proofs.rules.san import SUFFIXES, list_order, parse_san
from sanproof.proofs.theory.reasons import RULES, Findings, NoReason, Verdict, bare_strings
from sanproof.reports.tables.outputs import (
    Place,
    cover_index,
    find_places,
    lists,
    packed,
    packed_as,
    positions_of,
    tables,
)
from sanproof.reports.tables.pgn import (
    PgnGame,
    movetext,
    number_games,
    read_pgn,
    wrapped,
    write_pgn,
)
from sanproof.reports.tables.summary import (
    DIMENSIONS,
    Survey,
    count_cover,
    count_games,
    summary,
    survey,
    to_json,
    to_markdown,
)
from sanproof.reports.tables.words import number_of
from tests.examples import examples
from tests.reports.samples import CLAIMED, COVER, FOOLS, SCHOLARS, findings, witness
from tests.strings import strings_of
from tests.verify.command import ROOT

EVERY_CUBE = all_cubes()
SOME_CUBES = [Cube("N", "", "a1"), Cube("", "x", "a8"), Cube("O-O-O", "", ""), Cube("K", "x", "h1")]


@cache
def everything() -> Findings:
    return findings(EVERY_CUBE)


# Verdicts, counted and listed


@given(st.sampled_from(EVERY_CUBE), st.data())
@settings(max_examples=examples(30))
def test_each_string_is_ruled_once_whatever_is_shown(cube: Cube, data: st.DataObject) -> None:
    """Also one that no rule could show."""
    strange = data.draw(st.sampled_from(list(map(str, strings_of(cube)))))
    found = Findings(
        everything().witnesses | {strange: witness(strange)}, dict(everything().left_open)
    )
    for unproved in data.draw(st.sets(st.sampled_from([cube, exchanged_cube(cube)]))):
        del found.left_open[unproved]
    rulings = list(found.rulings([cube]))
    assert [bare for bare, *_ in rulings] == list(bare_strings(cube))
    for bare, verdicts, why in rulings:
        for suffix, verdict in zip(SUFFIXES, verdicts, strict=True):
            reason = why if verdict is Verdict.IMPOSSIBLE else None
            assert found.verdict(bare._replace(suffix=suffix)) == (verdict, reason)


def test_a_proof_that_claims_too_much_finds_no_reason() -> None:
    """A closing proof that excludes what no rule excludes is not believed in silence."""
    for cube, san in ((Cube("O-O", "", ""), "O-O"), (Cube("N", "", "f3"), "Nf3")):
        found = findings(EVERY_CUBE, without=[san])
        found.left_open |= {cube: [], exchanged_cube(cube): []}
        with pytest.raises(NoReason, match=san):
            list(found.rulings([cube]))


def test_every_string_is_counted_and_listed_once_in_list_order() -> None:
    chosen = [*Random(0).sample(EVERY_CUBE, 12), Cube("O-O", "", ""), Cube("", "x", "a8")]
    found = Findings(everything().witnesses, dict(everything().left_open))
    del found.left_open[chosen[0]]
    result = survey(found.rulings(chosen))
    strings = [str(san) for cube in chosen for san in strings_of(cube)]
    impossible = [line.split(",")[0] for line in result.impossible]
    assert Counter(result.reachable + impossible + result.undecided) == Counter(strings)
    assert set(result.undecided) >= {str(s) for s in strings_of(chosen[0])} - CLAIMED
    for listed in (result.reachable, impossible, result.undecided):
        assert listed == sorted(listed, key=list_order)


NAMED = {
    "e4": ("pawn", "nothing written", "no suffix"),
    "exd5": ("pawn", "file written", "no suffix"),
    "Nbd7": ("knight", "file written", "no suffix"),
    "R1a3": ("rook", "rank written", "no suffix"),
    "Qa1b2#": ("queen", "square written", "mate (#)"),
    "Ke2": ("king", "nothing written", "no suffix"),
    "O-O-O+": ("castling", "nothing written", "check (+)"),
}


def test_kinds_are_named_after_what_is_written_and_only_what_is_selected_is_counted() -> None:
    for san, named in NAMED.items():
        cube = cube_of(parse_san(san))
        result = survey(everything().rulings([cube]), lambda text, san=san: text == san)  # type: ignore[misc]
        assert result.counts == {(*named, Verdict.REACHABLE, None): 1}
        assert (result.reachable, result.impossible, result.undecided) == ([san], [], [])
    mates = survey(everything().rulings([Cube("K", "", "e1")]), lambda san: san.endswith("#"))
    assert mates.reachable == ["Ke1#"]
    assert 0 < len(mates.impossible) == mates.total() - 1
    assert all(line.split(",")[0].endswith("#") for line in mates.impossible)


@pytest.fixture(scope="module")
def surveyed() -> Survey:
    return survey(everything().rulings(SOME_CUBES))


def test_the_counts_add_up(surveyed: Survey) -> None:
    generator = {"strings": len(surveyed.reachable), "missing": {}, "too_many": {}}
    counts = summary(None, surveyed, len(SOME_CUBES), None, generator)
    whole = {verdict.value: counts[verdict.value] for verdict in Verdict}
    listed = (surveyed.reachable, surveyed.impossible, surveyed.undecided)
    assert list(whole.values()) == list(map(len, listed))
    assert sum(whole.values()) == counts["strings"]
    assert counts["strings"] == sum(len(list(strings_of(c))) for c in SOME_CUBES)
    for dimension in DIMENSIONS:
        total = Counter[str]()
        for numbers in counts[f"by_{dimension}"].values():
            total.update(numbers)
        assert dict(total + Counter()) == {name: n for name, n in whole.items() if n}
    assert sum(counts["by_reason"].values()) == len(surveyed.impossible)
    assert json.loads(to_json(counts)) == counts
    assert counts["refuted"] == len(SOME_CUBES)


def test_the_published_page_shows_the_published_counts() -> None:
    counts = json.loads((ROOT / "data" / "summary.json").read_bytes())
    assert to_markdown(counts) == (ROOT / "data" / "summary.md").read_bytes()
    none: dict[str, Any] = {"games": None, "cover": None, "by_reason": {}, "refuted": 0}
    assert b"## Games" not in to_markdown(counts | none)


def test_games_are_counted_by_who_plays_and_by_their_plies() -> None:
    counts = count_games([FOOLS, SCHOLARS], ["Qh4#", "Qxf7#"])
    assert counts["strings_by_player"] == {"white": 1, "black": 1}
    assert (counts["plies_mean"], counts["plies_deciles"]) == (5.5, [4] * 10 + [7])
    assert count_games([], [])["plies_mean"] is None
    assert count_cover(COVER)["plies"] == 11


def test_a_number_has_its_noun_and_its_verb() -> None:
    assert [number_of(n, "game") for n in (0, 1, 1001)] == ["0 games", "1 game", "1,001 games"]
    assert [number_of(n, "is", "are") for n in (0, 1, 1001)] == ["0 are", "1 is", "1,001 are"]


# Files


def test_lists_and_tables_are_read_back_as_they_were_written(surveyed: Survey) -> None:
    files = lists(surveyed)
    assert files["san_strings_with_symbols.txt"].decode().split("\n") == surveyed.reachable
    bare = [san for san in surveyed.reachable if not san.endswith(("+", "#"))]
    assert files["san_strings.txt"].decode().split("\n") == bare
    witnesses = everything().witnesses
    where = {san: [Place(3, 8), Place(7, 1)][: 1 + at % 2] for at, san in enumerate(witnesses)}
    made: dict[str, bytes] = {}
    for places in (None, where):
        made = tables(surveyed, witnesses, places)
        header, *rows = csv.reader(io.StringIO(made["witnesses.csv"].decode()), strict=True)
        columns = "san,before_fen,uci,after_fen,game,ply,other_game,other_ply"
        assert header == columns.split(",")[: 8 if places else 4]
        assert [Witness(*row[:4]) for row in rows] == [witnesses[s] for s in surveyed.reachable]
        for san, row in zip(surveyed.reachable, rows, strict=True):
            cells = [str(n) for place in where[san] for n in (place.game, place.ply + 1)]
            assert row[4:] == ([] if places is None else [*cells, "", ""][:4])
    content = lzma.decompress(packed(made)["impossible.csv.xz"]).decode("ascii")
    header, *rows = csv.reader(io.StringIO(content), strict=True)
    assert header == ["san", "reason"]
    assert [",".join(row) for row in rows] == surveyed.impossible
    assert {why for _, why in rows} <= {why.value for why in RULES}
    with pytest.raises(KeyError):
        tables(surveyed, {})


@given(st.binary(max_size=2000))
def test_what_is_packed_is_the_content(content: bytes) -> None:
    made = packed(dict.fromkeys(("a.gz", "a.xz", "a.csv"), content))
    assert gzip.decompress(made["a.gz"]) == content
    assert lzma.decompress(made["a.xz"]) == made["a.csv"] == content


def test_packing_does_not_depend_on_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    before = packed_as("a.gz", b"Nf3,no-origin\n" * 1000)
    monkeypatch.setattr(time, "time", lambda: 4_000_000_000.0)
    assert packed_as("a.gz", b"Nf3,no-origin\n" * 1000) == before
    assert before[3] & 0b1000 == 0  # RFC 1952: no file name


def test_the_index_names_the_first_game_and_its_ply() -> None:
    rows = cover_index(COVER, ["e5", "Qh4#", "Nc6", "Qxf7#"]).decode().splitlines()
    assert rows == ["san,game,ply", "e5,1,2", "Qh4#,1,4", "Nc6,2,4", "Qxf7#,2,7"]
    with pytest.raises(KeyError, match="Nf3"):
        cover_index(COVER, ["Nf3"])


# Games


TEXT = """[Event "sanproof"]
[Site "?"]
[Date "????.??.??"]
[Round "1"]
[White "?"]
[Black "?"]
[Result "0-1"]
[PlyCount "4"]
[Shows "Qh4#"]
[ShownAtPly "4"]

1. f3 e5 2. g4 Qh4# 0-1

"""
SLOW_MATE = PgnGame(9, "f3", 16, (*("Nf3", "Nf6", "Ng1", "Ng8") * 4, *FOOLS.sans))


@pytest.mark.parametrize("game", [FOOLS, SCHOLARS._replace(san="Bc4", ply=2), SLOW_MATE])
def test_a_game_is_read_as_it_was_written_and_by_python_chess_too(game: PgnGame) -> None:
    assert write_pgn(FOOLS) == TEXT
    assert read_pgn(write_pgn(game)) == game
    read = chess.pgn.read_game(io.StringIO(write_pgn(game)))
    assert read is not None
    assert read.errors == []
    end = read.end()
    assert tuple(node.san() for node in read.mainline()) == game.sans
    assert end.board().is_checkmate()
    assert read.headers["Result"] == end.board().result()
    assert read.headers["PlyCount"] == str(end.ply())
    shown = list(read.mainline())[int(read.headers["ShownAtPly"]) - 1]
    assert shown.san() == read.headers["Shows"] == game.san
    assert chess.COLOR_NAMES[shown.turn()] != game.colour  # it is the other's turn then


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Event", "Events"),
        ('[Site "?"]\n', ""),
        ('[Site "?"]\n', '[Site "?"]\n[ECO "A00"]\n'),
        ('Round "1"', 'Round "?"'),
        ("[Event", "%\n[Event"),
    ],
)
def test_no_other_tags_are_read(old: str, new: str) -> None:
    with pytest.raises(ValueError, match=r"tags|invalid literal"):
        read_pgn(TEXT.replace(old, new, 1))


@given(st.lists(st.text("abc", min_size=1, max_size=79)))
@example(["a" * 50, "b" * 50, "c" * 50])
@example(["a" * 39, "b" * 39])  # 79 characters with the space between them
@example(["a" * 39, "b" * 40])
def test_lines_are_as_long_as_they_may_be(words: list[str]) -> None:
    """Shorter than 80 characters (PGN standard 8.2.1)."""
    lines = wrapped(" ".join(words)).split("\n")
    assert " ".join(lines) == " ".join(words)
    assert all(len(line) < 80 for line in lines)
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split(" ")[0]) >= 80


def test_games_are_in_the_order_of_their_strings_and_white_s_is_first() -> None:
    games = [("Qa1", 4), ("a1=Q", 1), ("e4+", 7), ("e4+", 8), ("e4", 9), ("a3", 0)]
    numbered = number_games((san, ply, ()) for san, ply in games)
    right = [("a3", 0), ("e4", 9), ("Qa1", 4), ("e4+", 8), ("e4+", 7), ("a1=Q", 1)]
    assert [(game.san, game.ply) for game in numbered] == right
    assert [game.number for game in numbered] == [1, 2, 3, 4, 5, 6]
    assert [game.colour for game in numbered[3:5]] == ["white", "black"]


@pytest.mark.parametrize("plies", [0, 1, 2, 3, 1001])
def test_every_move_of_white_s_has_its_number(plies: int) -> None:
    sans = ["Nf3", "Nf6"] * 600
    numbered = [f"{1 + ply // 2}. {san}" if ply % 2 == 0 else san for ply, san in enumerate(sans)]
    assert movetext(sans[:plies]) == " ".join(numbered[:plies])


MOVES = st.sampled_from(["e4", "Nf3", "Nxe4", "O-O", "Qh5+", "Kh1#"])


@given(st.lists(st.lists(MOVES, min_size=1, max_size=6), min_size=1, max_size=6), st.data())
def test_no_game_of_the_run_has_it_earlier(played: list[list[str]], data: st.DataObject) -> None:
    games = []
    for number, sans in enumerate(played, 1):
        ply = data.draw(st.integers(0, len(sans) - 1))
        games.append(PgnGame(number, sans[ply], ply, tuple(sans)))
    found = find_places(games)
    assert set(found) == {row.san for row in games}
    for san, places in found.items():
        assert all(games[place.game - 1].sans[place.ply] == san for place in places)
        if san[-1] in "+#":
            own = [Place(row.number, row.ply) for row in games if row.san == san]
            assert places == own
            continue
        for player in (0, 1):
            ranked = sorted(
                (ply, " ".join(row.sans).count("x"), row.number)
                for row in games
                for ply, other in enumerate(row.sans)
                if (other, ply % 2) == (san, player)
            )  # of equally early places the one in the game with the fewest captures
            first = [Place(number, ply) for ply, _, number in ranked[:1]]
            assert [place for place in places if place.ply % 2 == player] == first
        assert places == sorted(places, key=lambda place: place.ply)


def test_positions_are_those_before_and_after_the_last_move() -> None:
    """Of games that share their beginnings, one of which ends within another."""
    lines = ["f3 e5 g4 Qh4#", "f3 e5 g3", "a3 a6 a4 e5", "a3 a6", "a3 a6 e3 h6", "f3 e6 g4"]
    wanted = []
    expected: dict[str, Witness] = {}
    for line in lines:
        board, before, moves, san = chess.Board(), "", [], ""
        for san in line.split():
            before = board.fen()
            moves.append(board.push_san(san).uci())
        wanted.append((moves, san))
        expected[san] = Witness(san, before, moves[-1], board.fen())
    assert positions_of(wanted) == expected
