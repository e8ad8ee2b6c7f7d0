"""Makes the suite again: ``python -m conformance.suite.publish data/conformance``.

Questions are chosen from those of the last core and those of the games in ``rare.txt.xz``. They are
answered and written: ``core.json``, its beginning ``smoke.json``, and ``pairs.csv.xz`` with each
pair of feature values and the cases that have it, or why none can. The same core and numbers make
the same bytes. ``--again`` writes only what follows from ``core.json``: the other two, and the
counts in docs/tables. The schema is written by hand.
"""

import argparse
import csv
import io
import itertools
import lzma
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

import chess

from conformance.keep import csv_text
from conformance.suite.build import drafts, in_order, smoke_of, suite
from conformance.suite.features import Features, Position, features
from conformance.suite.pairs import (
    PAIRED,
    VALUES,
    Question,
    choose_all,
    choose_positions,
    contradiction,
    rows,
)
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.suite import Case, Suite, suite_text
from sanproof.verify.notation.reading import judge

CORE: Final = "core.json"
SMOKE: Final = "smoke.json"
PAIRS: Final = "pairs.csv.xz"
TABLES: Final = Path("docs/tables")
TIMES: Final = 3
"""The number of questions for each pair, if so many exist."""
POSITIONS: Final = 400
"""The number of positions for which all moves are asked."""
RARE: Final = "rare.txt.xz"
"""Games to positions of rare pairs, composed by hand and by hill climbing: moves, refused texts."""


def asked_before(core: Suite) -> Iterator[Question]:
    """Yield the questions of a suite."""
    for case in core["cases"]:
        if found := features_of(case):
            board = chess.Board(case["fen"])
            move = chess.Move.null()
            if found[0] == "move":
                named = "uci" in case
                move = board.parse_uci(case["uci"]) if named else board.parse_san(case["san"])
            game = " ".join(core["games"][case["game"]].split()[: case["plies"]])
            text = board.san(move) if move else case["san"]
            yield Question(game, case["fen"], text, move.uci() if move else "", found[1])


def rare() -> Iterator[Question]:
    """Yield all questions about the positions that the games of ``rare.txt.xz`` lead to."""
    packed = (files(__package__) / RARE).read_bytes()
    for game, texts in rows(lzma.decompress(packed).decode("ascii").splitlines(), 2):
        board = chess.Board()
        for uci in game.split():
            board.push_uci(uci)
        position, about = Position(board), (game, board.fen(en_passant="fen"))
        for move in position.legal:
            san, found = position.of_move(move)
            yield Question(*about, san, move.uci(), found)
        for text in texts.split():
            if refused := position.of_refusal(judge(text, board)):
                yield Question(*about, text, "", refused)


def core_of(questions: list[Question], seed: int) -> Suite:
    """Choose a suite from a pool of questions."""
    chosen = choose_all(questions, TIMES)
    places = choose_positions((q for some in chosen.values() for q in some), POSITIONS)
    return suite(in_order(list(drafts(chosen, places, seed))))


def suite_bytes(of: Suite) -> bytes:
    """Return the file of a suite, as bytes."""
    return suite_text(of).encode("ascii")


def features_of(case: Case) -> tuple[str, Features] | None:
    """Return the features of a case, and whether they are of a move or of a refused text."""
    if case["operation"] in {"moves", "game"} or case["class"] == "may":
        return None
    board = chess.Board(case["fen"])
    if case["class"] == "must not":
        found = Position(board).of_refusal(judge(case["san"], board))
        return None if found is None else ("refused", found)
    move = board.parse_uci(case["uci"]) if "uci" in case else board.parse_san(case["san"])
    return "move", Position(board).of_move(move)[1]


PairRow = tuple[str | int, ...]
HEAD: Final = (
    *("of", "feature", "value", "other feature", "other value", "verdict"),
    *("write", "read", "play", "first case, or why there is none"),
)


def pair_rows(core: Suite) -> Iterator[PairRow]:
    """Yield each pair of values with the number and the first of its cases, or why it has none."""
    counts: Counter[tuple[str, str, tuple[str, str], tuple[str, str]]] = Counter()
    first: dict[tuple[str, tuple[str, str], tuple[str, str]], str] = {}
    for case in core["cases"]:
        if found := features_of(case):
            of, values = found
            for one, other in itertools.combinations(sorted(values.items()), 2):
                counts[of, case["operation"], one, other] += 1
                first.setdefault((of, one, other), case["id"])
    yield HEAD
    shown = {(of, value) for of, *pair in first for value in pair}
    for of in ("move", "refused"):
        for number, second in itertools.combinations(range(len(VALUES)), 2):
            a, b = sorted((VALUES[number], VALUES[second]))
            if PAIRED[number, second] and {(of, a), (of, b)} <= shown:
                numbers = [counts[of, op, a, b] for op in ("write", "read", "play")]
                verdict, why = "found", first.get((of, a, b))
                if why is None:
                    why = contradiction(of, number, second)
                    verdict = "open" if why is None else "impossible"
                yield of, *a, *b, verdict, *numbers, why or ""


def feature_rows(core: Suite) -> Iterator[PairRow]:
    """Yield each feature with its meaning, its values, and the number of cases of each."""
    counts = Counter(
        (of, *value)
        for case in core["cases"]
        if (found := features_of(case))
        for of, values in [found]
        for value in values.items()
    )
    yield "feature", "of", "value", "meaning", "cases of moves", "cases of refused texts"
    for feature in features():
        for value in feature.values:
            numbers = (counts[of, feature.name, value] for of in ("move", "refused"))
            yield feature.name, feature.of, value, feature.meaning, *numbers


def mechanism_rows(core: Suite) -> Iterator[PairRow]:
    """Yield each mechanism with its number of cases by player and operation."""
    words = ("white", "black", *runner.ASKED)
    counts = Counter(
        (c["mechanism"], w) for c in core["cases"] for w in (c["colour"], c["operation"])
    )
    yield "mechanism", *words
    for name in sorted({case["mechanism"] for case in core["cases"]}):
        yield name, *(counts[name, word] for word in words)


def write_rest(folder: Path, core: Suite) -> None:
    """Write the files that follow from the core."""
    write_whole(folder / SMOKE, suite_bytes(smoke_of(core)))
    pairs = csv_text(pair_rows(core)).encode("ascii")
    if not (folder / PAIRS).exists() or lzma.decompress((folder / PAIRS).read_bytes()) != pairs:
        write_whole(folder / PAIRS, lzma.compress(pairs, preset=9))
    write_whole(TABLES / "features.csv", csv_text(feature_rows(core)).encode("ascii"))
    write_whole(TABLES / "mechanisms.csv", csv_text(mechanism_rows(core)).encode("ascii"))


def pair_counts(folder: Path) -> Counter[tuple[str, str]]:
    """Count the pairs in the published table, of moves and refused texts, by verdict."""
    text = lzma.decompress((folder / PAIRS).read_bytes()).decode("ascii")
    return Counter((row["of"], row["verdict"]) for row in csv.DictReader(io.StringIO(text)))


def main() -> None:
    """Make the suite, or the files that follow from the published core."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--again", action="store_true", help="keep core.json")
    parser.add_argument("--seed", type=int, default=1, help="of the random texts")
    options = parser.parse_args()
    if not options.again:
        last = runner.load(str(options.folder / CORE))
        asked = {q[:3]: q for q in (*asked_before(last), *rare())}
        core = core_of(list(asked.values()), options.seed)
        write_whole(options.folder / CORE, suite_bytes(core))
    write_rest(options.folder, runner.load(str(options.folder / CORE)))
    for (of, verdict), number in sorted(pair_counts(options.folder).items()):
        print(f"{of}: {number:,} {verdict}")  # noqa: T201 - for who makes the suite


if __name__ == "__main__":
    main()
