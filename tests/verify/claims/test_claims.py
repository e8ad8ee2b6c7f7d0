"""The claims of a run about itself: its strings, its games, its manifest, its cross-check."""

import fnmatch
import hashlib
import json
import lzma
import re
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.games.game import CheckedGame, read_line
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.rules.cubes import all_cubes, cube_of
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.theory.reasons import Findings
from sanproof.reports.archive.door import open_archive
from sanproof.reports.tables.names import COVER, FILES
from sanproof.verify.claims import replay as module
from sanproof.verify.claims.manifest import COUNTS, make_manifest, read_manifest, versions
from sanproof.verify.claims.publish import differences
from sanproof.verify.claims.replay import file_of, replay, replay_lines
from sanproof.verify.claims.selection import select
from sanproof.verify.errors import Failure
from sanproof.verify.work.executors import Inline
from tests.examples import examples
from tests.reports.samples import witness
from tests.strings import all_texts

# A manifest is read as it was written, and in no other form

CONTENTS = {name: name.encode() * 100 for name in FILES}
COUNTED = dict(zip(COUNTS, (9, 4, 3, 2), strict=True))
SUMMARY = {"only": "N*a1*", **COUNTED, "versions": versions(), "times": {"writing": 1.5}}
CONTENT = make_manifest(CONTENTS, SUMMARY)


def sealed(entries: dict[str, Any]) -> bytes:
    """Return a manifest with these entries, sealed as a run seals it."""
    entries.pop("sha256", None)
    seal = hashlib.sha256(json.dumps(entries, indent=2).encode()).hexdigest()
    return (json.dumps(entries | {"sha256": seal}, indent=2) + "\n").encode()


def test_a_manifest_is_read_as_it_was_written() -> None:
    files, only, counts, made_by = read_manifest(CONTENT)
    assert files == {name: hashlib.sha256(text).hexdigest() for name, text in CONTENTS.items()}
    assert (only, counts, made_by) == ("N*a1*", COUNTED, versions())
    assert sealed(json.loads(CONTENT)) == CONTENT


@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 255))
def test_a_changed_byte_is_noticed(at: int, byte: int) -> None:
    text = CONTENT[:at] + bytes([byte]) + CONTENT[at + 1 :]
    if text != CONTENT:
        with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
            read_manifest(text)


VERSIONS = {
    *(("sanproof", "Proved by hand"), ("chess", "1.11.2 (Marseille)"), ("z3-solver", "")),
    *(("python-sat", "1.9.dev17+free-text"), ("proofs", "0123456789abcdeg"), ("chess", 1)),
}
WRONG: list[tuple[str, object]] = [
    *(("only", only) for only in (7, ["Q"])),
    *(("counts", counts) for counts in ({}, [1, 2, 3, 4], dict(reversed(COUNTED.items())))),
    *(("versions", versions() | {tool: version}) for tool, version in VERSIONS),
    *(("versions", other) for other in ({}, dict(reversed(versions().items())))),
    *(("files", []), ("more", 1)),
]


def test_another_form_is_refused_and_there_is_no_room_for_a_text() -> None:
    """Also in a manifest that is sealed as a run seals it."""
    forged = [sealed(json.loads(CONTENT) | {name: value}) for name, value in WRONG]
    entries = json.loads(CONTENT)
    forged += [json.dumps(entries).encode(), json.dumps(entries, indent=2).encode(), CONTENT * 2]
    for content in (*forged, b"", b"{", b"[]", b"{}", b"7", b"[" * 100_000, b'{"files": {}}'):
        with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
            read_manifest(content)


# Comparing the generator's list with the proven one, in both directions

CLAIMED = suffixed_strings()
KNIGHTS = select("N*")


@settings(max_examples=examples(25))
@given(
    st.sets(st.sampled_from(CLAIMED), max_size=5),
    st.sets(st.sampled_from(["Nb2a1", "Qz9", "e9", "Kae1+"]), max_size=3),
)
def test_every_difference_is_found(unproven: set[str], unclaimed: set[str]) -> None:
    proven = [san for san in CLAIMED if san not in unproven] + sorted(unclaimed)
    findings = Findings({san: witness(san) for san in unclaimed})
    found = differences(select(None), proven, findings)
    too_many = [san for san in CLAIMED if san in unproven]
    assert found["strings"] == len(CLAIMED)
    assert (list(found["missing"]), list(found["too_many"])) == (sorted(unclaimed), too_many)
    knights = differences(KNIGHTS, [san for san in proven if san[0] == "N"], findings)
    assert list(knights["too_many"]) == [san for san in too_many if san[0] == "N"]


# Selecting a part of the universe


@pytest.mark.parametrize("pattern", ["[!QRBN][a-d]x??[+#]", "O-O*"])
def test_a_pattern_selects_what_a_shell_would(pattern: str) -> None:
    selection = select(pattern)
    for san in all_texts()[::200]:
        assert selection.selected(san) == fnmatch.fnmatchcase(san, pattern)
    strings = sorted(fnmatch.filter(all_texts(), pattern))
    matching = {cube_of(parse_san(san)) for san in strings}
    assert selection.cubes == [cube for cube in all_cubes() if cube in matching]
    assert sorted(map(str, selection.strings())) == strings


@pytest.mark.parametrize(
    ("patterns", "words"),
    [
        (("q*", "", "[\\]"), r"No SAN string matches '{}' \("),
        (("Q", "Qa1b", "O-O-", "[KQ]"), r"No SAN string matches '{}', did you mean '{}\*'"),
        (("Q\u00e9*", "[!\u00e9]*", "e4\n", "*\x1b", "\udcff*"), "no SAN string"),
        (("x" * 5000, "[" * 40_000, "*" * 201), "at most 200 are allowed"),
    ],
)
def test_a_pattern_that_selects_nothing_is_refused(patterns: list[str], words: str) -> None:
    """With a hint where strings begin so; one of 40,000 brackets takes a minute to translate."""
    for pattern in patterns:
        escaped = re.escape(pattern)
        with pytest.raises(Failure, match=words.replace("{}", escaped)) as caught:
            select(pattern)
        assert caught.value.exit_code == 2
        assert str(caught.value).isprintable()


# Games are replayed by the kernel, and written down in SAN

FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"
SLOWER = "f2f3 e7e6 g2g4 d8h4"
LINES = [f"{FOOLS_MATE} 1 f3", f"{SLOWER} 2 e6", f"{FOOLS_MATE} 3 g4", f"{SLOWER} 4 Qh4#"]


def replayed(text: str, name: str = GAMES) -> list[CheckedGame]:
    return [each for batch in replay(text, Inline(), name) for each in batch]


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_every_game_of_a_file_is_replayed(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", batch)
    games = [each.game for each in replayed(file_of(LINES))]
    assert sorted(games) == sorted(map(read_line, LINES))
    assert replayed("") == []


def test_it_is_what_python_chess_writes(made: Path) -> None:
    """Of the games of a run every other one is the one before with the colours exchanged."""
    text = lzma.decompress((made / "played" / GAMES).read_bytes()).decode()
    games = replayed(text)
    assert len(games) == text.count("\n") > 0
    for game, sans, before, after, shown in games:
        board = chess.Board()
        fens = [board.fen()]
        for move, written in zip(game.moves, sans, strict=True):
            assert board.san_and_push(chess.Move.from_uci(move)) == written
            fens.append(board.fen())
        assert board.is_checkmate()
        assert (before, after) == (fens[game.ply], fens[game.ply + 1])
        assert shown == (sans[game.ply], game.ply % 2 == 0) == (game.san, game.colour == "white")
    archive = open_archive(made / "played")
    moves = {known.number: known.sans for known in archive.games()}
    for row in archive.witnesses():  # of the first game with it, which may be another string's
        board = chess.Board()
        for san in moves[row.game or 0][: (row.ply or 0) - 1]:
            board.push_san(san)
        assert (board.fen(), board.san(chess.Move.from_uci(row.uci))) == (row.before_fen, row.san)


@pytest.mark.parametrize("name", [GAMES, COVER])
def test_what_is_no_game_or_no_file_of_games_is_refused(name: str) -> None:
    """What is no game the kernel says: see :mod:`tests.proofs.kernel`."""
    with pytest.raises(EvidenceError, match=f"^{name}: .*d8h5 is not legal"):
        replay_lines(["f2f3 e7e5 g2g4 d8h5 4 Qh5#"], name)
    for text, said in (
        *(("a 1 x", "whole"), ("b 1 x\na 1 y\n", "sorted"), ("a 1 x\na 1 x\n", "different")),
        *((text, "two games show 'x'") for text in ("a 1 x\nb 3 x\n", "a 2 x\nb 10 x\n")),
    ):
        with pytest.raises(EvidenceError, match=f"^{name}: .*{said}"):
            replayed(text, name)
