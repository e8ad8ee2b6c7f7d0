import csv
import gzip
import io
from typing import Any

import chess
import pytest

from sanproof.reports.archive.door import published_directory
from sanproof.verify.scan.chunks import Chunk, PathsDisagree
from sanproof.verify.scan.scanning import fast_path, scan_chunk
from tests.verify.scan.pgn import (
    game,
    options,
    python_chess_counts,
    random_games,
    scanned,
)

FULL = "".join(random_games(3, 1))


def test_a_missing_tag_is_named_if_it_is_strict() -> None:
    lacking = FULL.replace('[Site "?"]\n', "").replace('[Date "????.??.??"]\n', "")
    moves_alone = FULL[FULL.index("\n\n") + 2 :]
    text = (FULL + lacking + f"\n{moves_alone}").encode()
    assert not scanned(text).deviations
    wanted = options()._replace(strict=True, rewrite=True)
    result = scanned(text, wanted)
    found = [(d.game, d.line, d.written, d.canonical, d.kind) for d in result.deviations]
    assert found[0] == (
        *(2, FULL.count("\n") + 1, '[Event "?"]'),
        *('[Site "?"] [Date "????.??.??"]', "missing-tag"),
    )
    assert found[1][3].count("[") == 7
    assert len(found) == 2
    assert result.rewritten == text


def test_encodings_and_line_ends_change_nothing() -> None:
    text = "".join(random_games(9, 5)) + game("1. e4 {Zürich} e7e5 *", White="Jörg")
    plain = scanned(text.encode())
    for other in (
        b"\xef\xbb\xbf" + text.encode(),
        text.encode("latin-1"),
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r\n").encode("latin-1"),
    ):
        assert scanned(other) == plain
    assert [(d.written, d.column) for d in plain.deviations] == [("e7e5", 16)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usually(1)
def test_whatever_python_chess_writes_is_canonical(seed: int) -> None:
    text = "".join(random_games(seed, 15, longest=300))
    result = scanned(text.encode())
    assert result.counts["games_read"] == result.counts["games"] == 15
    assert not result.deviations
    assert not result.refuting
    assert {san: seen[0] for san, seen in result.seen.items()} == python_chess_counts(text)


@pytest.mark.slow
def test_both_paths_agree_on_the_published_games() -> None:
    """These play every string, with every twin, check and mate there is."""
    text = gzip.decompress((published_directory() / "games.pgn.gz").read_bytes())
    part = text[: text.index(b"\n[Event", 40_000)]
    wanted = options()._replace(sample=10**9)
    result = scan_chunk(Chunk("games.pgn.gz", text), wanted)
    assert set(result.seen) == set(options().proven.decode().split())
    assert not result.deviations
    assert result.counts["games"] == text.count(b"[Event ")
    fast = fast_path()
    if fast is not None:  # it leaves none of them to python-chess
        compared = fast.FastScan(Chunk("a", text), options())
        compared.compare()
        assert len(compared.read) == result.counts["games"]
    assert scanned(part, options()._replace(rows="parquet")).rows


def test_both_paths_write_the_rows_that_python_chess_does() -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    passing = game("1. e4 a6 2. e5 d5 3. exd6 *") + game("1. e4 d5 2. e5 f5 3. Ke2 Kf7 4. Ke3 *")
    pinned = "1. e4 a6 2. e5 Nc6 3. Ke2 Nd4+ 4. Kd3 h6 5. Kc4 Ne6 6. Kb5 Nc5 7. Kxc5 h5 8. Kd5 f5 *"
    moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. e3 " + " ".join(["Nf6 Nf3 Ng8 Ng1"] * 60) + " *"
    text = passing + game(pinned) + game("1. e4 e7e5 *") + game(moves) + random_games(7, 1)[0]
    text += random_games(8, 1, longest=300)[0]
    csv_rows, packed = (
        scanned(text.encode(), options()._replace(rows=form)).rows for form in ("csv", "parquet")
    )
    rows = list(csv.DictReader(csv_rows.decode().splitlines()))
    names = ["before_fen", "san", "after_fen", "uci", "source", "game", "ply", "times"]
    assert list(rows[0]) == names
    table = parquet.read_table(io.BytesIO(packed)).to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in table] == rows
    assert len(rows) == sum(python_chess_counts(text.replace("e7e5", "e5")).values())
    for row in rows:
        board = chess.Board(row["before_fen"])
        move = board.push_uci(row["uci"])
        assert board.fen() == row["after_fen"]
        assert chess.Board(row["before_fen"]).san(move) == row["san"]


@pytest.mark.parametrize("part", ["strings", "deviations", "positions", "results", "texts", "rows"])
def test_the_sample_notices_an_error_of_the_fast_path(
    monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    pytest.importorskip("sanproof.verify.scan.fast", reason="the fast path is not installed")
    fast: Any = fast_path()
    compare = fast.FastScan.compare

    def wrong(scan: Any) -> None:  # noqa: ANN401
        chunk = scan.chunk
        if part == "texts":
            scan.chunk = chunk._replace(data=chunk.data.replace(b"Nf3+", b" Nf3"))
            scan.texts = fast.read_texts(scan.chunk.data)
        compare(scan)
        scan.chunk = chunk
        assert len(scan.read) == 1
        if part == "strings":
            scan.numbers[0] += 1
        elif part == "deviations":
            scan.deviating[2] <<= 1
        elif part == "positions":
            scan.named[6] = scan.named[4]
        elif part == "results":
            scan.texts.flags[0] ^= fast.HAS_RESULT
        elif part == "rows":
            scan.moves = scan.moves.set_column(0, "before_fen", scan.moves["after_fen"])

    wanted = options()._replace(rows="csv" if part == "rows" else "")
    scan_chunk(Chunk("some.pgn", game("1. e4 e5 2. Nf3+ *").encode()), wanted)
    monkeypatch.setattr(fast.FastScan, "compare", wrong)
    with pytest.raises(PathsDisagree):
        scan_chunk(Chunk("some.pgn", game("1. e4 e5 2. Nf3+ *").encode()), wanted)


@pytest.mark.parametrize("fast", [True, False])
def test_a_string_that_is_not_proven_refutes_the_theorem(*, fast: bool) -> None:
    less = b"\n".join(line for line in options().proven.split() if line != b"Nf3")
    text = random_games(6, 1)[0] + game("1. e4 e5 2. c4 (2. Nf3 {kept}) Nc6 3. Nf3 *")
    for variations in (False, True):
        wanted = options()._replace(proven=less, fast=fast, variations=variations)
        found = scan_chunk(Chunk("some.pgn", text.encode()), wanted).refuting
        own = [item for item in found if item.game == 2]
        assert [(item.san, item.ply) for item in own] == [("Nf3", 5), ("Nf3", 3)][: 1 + variations]
        assert all("{kept}" in item.text for item in own)
        assert all(chess.Board(item.fen).parse_san("Nf3") for item in own)
