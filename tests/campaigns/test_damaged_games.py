"""Damaged and random files, which the scan must read without an error and alike on both paths.

A test reads some; ``nox -s hostile -- --files 10000 --seed 1`` reads many.
"""

import argparse
import bz2
import gzip
import random
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from sanproof.verify.errors import Failure
from sanproof.verify.scan.borders import game_starts
from sanproof.verify.scan.chunks import OUTCOMES, Chunk
from sanproof.verify.scan.harness import chunks_of
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.scan.sources import find_sources
from tests.campaigns.forging.damage import changed_byte, flip_bit, inserted, of_bytes
from tests.campaigns.forging.trees import OF_LISTS
from tests.examples import examples
from tests.verify.scan.pgn import game, options, random_games

WORDS = (
    *(b"{", b"}", b"(", b")", b";", b"%", b"[", b'"', b"\\", b"\n", b"\r\n", b"\0", b"\xff", b"$"),
    *(b"\r", b"\x1a", b"\xc2\xa0", b"\xef\xbb\xbf", b" --", b" 1/2 ", b"1-0\n1. e4 "),
    *(b" +-", b"-+ ", b" = ", "±".encode(), b" \xb1 ", "‼".encode(), b" N ", b" D ", b"???"),
    *(b"1-0 ", b"0-1\n", b" 1:0 ", b" 1 - 0\n", b"1\x960", b", ", b". ", b" ch ", b"mate "),
    *(b" dbl ch ", b"e.p. ", b" + ", b" # ", b"!!! ", b"\n\n\n", b"\n\n\n[", b"\n[White A]\n"),
    *(b'\n[White"A"]\n', b'\n[\tBlack "B"]\n', b'\n[White-Elo "1"]\n', b"\x8a"),
    *(b'\n[Black "O"Neill"]\n', b'\n[Result "0-1"]\n'),
)
_PARTS = (
    *random_games(1, 12, longest=40),
    game("1. e4 e5 (1... c5 {[%clk 1]} 2. Nf3) 2. Ng1f3! $1 *"),
    game("1. O-O *", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    game("1. Ke2 *", fen="4k3/8/8/8/8/8/8/4K3 w K - 0 1"),
    game("1. O-O *", fen="4k3/8/8/8/8/8/8/3K2R1 w G - 0 1"),
    game("1. e4 e5 1-0", Result="0-1"),
    game("1. e4 e5 *", Variant="Atomic"),
    game("1. e4 e5 *", Variant="Nonesuch"),
    game("1. e4 d5 2. exd5 Qxd5 3. P@e4 *", Variant="Crazyhouse"),
    "1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n",
)


CHANGES = (
    *(inserted(*WORDS), inserted(*WORDS), flip_bit, changed_byte),
    *(of_bytes(change) for name, change in OF_LISTS.items() if name not in {"none", "one left"}),
)


def damaged(chosen: random.Random) -> bytes:
    """Return a file of games with some damage, or of random bytes."""
    if chosen.random() < 0.1:
        return chosen.randbytes(chosen.randrange(400))
    text = "".join(chosen.choices(_PARTS, k=chosen.randrange(1, 4))).encode()
    for _ in range(chosen.randrange(1, 8)):
        text = chosen.choice(CHANGES)(text, chosen)[:20_000] or b"\n"
    if chosen.random() < 0.05:
        return flip_bit(chosen.choice((gzip.compress, bz2.compress))(text), chosen)
    return text


def read_damaged(path: Path, content: bytes, seen: Counter[str]) -> None:
    """Scan a file on both paths, and see that they agree and that every game is counted.

    Raises:
        AssertionError: They do not, or one is not.
    """
    path.write_bytes(content)
    try:
        for chunk in chunks_of(find_sources([str(path)]), chunk_bytes=2000):
            fast = scan_chunk(chunk, options()._replace(rewrite=True))
            slow = scan_chunk(chunk, options()._replace(rewrite=True, fast=False))
            if fast != slow:
                raise AssertionError(f"the paths differ: {chunk.data!r}")
            games = len(game_starts(chunk.data))
            outcomes = sum(n for name, n in fast.counts.items() if name in OUTCOME_COUNTS)
            if not games == outcomes == fast.counts.get("games", 0):
                raise AssertionError(f"a game is lost: {chunk.data!r}")
            again = scan_chunk(Chunk("again", fast.rewritten), options())
            if [d for d in again.deviations if d.canonical]:
                raise AssertionError(f"rewritten, and not canonical: {chunk.data!r}")
            seen.update(fast.counts)
    except Failure as error:
        if "cannot be read" not in str(error):
            raise
        seen["refused"] += 1


OUTCOME_COUNTS = {f"games_{name}" for name in OUTCOMES}


def test_damaged_files_are_read_without_an_error(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for number in range(examples(300)):
        read_damaged(tmp_path / "games.pgn", damaged(random.Random(number)), seen)
    for name in ("games_read", "games_stopped", "games_variant", "refused", "deviating_moves"):
        assert seen[name]


def main() -> None:
    """Read as many files as is asked for, and say what was in them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seen: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        for number in range(given.files):
            chosen = random.Random(f"{given.seed} {number}")
            read_damaged(Path(folder, "games.pgn"), damaged(chosen), seen)
    sys.stdout.write(f"{given.files:,} files without an error: {dict(sorted(seen.items()))}\n")


if __name__ == "__main__":
    main()
