"""The data that the page looks up, cut into one file for each piece and destination.

A phone loads only what is asked for. A shard says the verdict on each of its strings (with their
reasons, a letter each, run by run), and gives the games of those that are reachable: each game
once, and for each string when it is played. It is a script that hands its content to the page,
because a page opened from disk may not fetch data.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, product
from string import ascii_lowercase
from typing import Any, Final

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.squares import square_name
from sanproof.proofs.theory.pictures import picture
from sanproof.proofs.theory.reasons import Reason, origins
from sanproof.reports.archive.door import WitnessRow
from sanproof.reports.page.contents import Contents, Games
from sanproof.reports.page.templates import json_data

CASTLING: Final = "castling"
OBSERVED: Final = "observed"
EARLIEST: Final = "earliest"
REACHABLE: Final = "."
UNDECIDED: Final = "?"
NOT_ASKED: Final = "-"
LETTERS: Final = dict(zip(Reason, ascii_lowercase, strict=False))
"""A letter for each reason."""

NAMES: Final = (
    CASTLING,
    *(f"{p or 'P'}-{d}" for p, d in product(grammar.PIECES, grammar.DESTINATIONS)),
)
"""The names of all shards."""


def shard_of(san: grammar.San) -> str:
    """Return the name of the shard that holds a string."""
    return CASTLING if san.piece in grammar.CASTLINGS else f"{san.piece or 'P'}-{san.destination}"


def make_shards(
    contents: Contents, selected: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Each shard's name and script, in the order of :data:`NAMES`.

    ``selected`` says which strings the run is about; all if None.
    """
    codes = {san: LETTERS[why] for san, why in contents.impossible.items()}
    codes |= {str(san): REACHABLE for san in contents.reachable}
    shown: dict[str, list[WitnessRow]] = {}
    for row in contents.witnesses:
        shown.setdefault(shard_of(grammar.parse_san(row.san)), []).append(row)

    def code(san: str) -> str:
        silent = UNDECIDED if selected is None or selected(san) else NOT_ASKED
        return codes.get(san, silent)

    for name, strings in zip(NAMES, _strings_by_shard(), strict=True):
        verdicts = [code(san) for san in strings]
        shard = {
            "codes": run_lengths(verdicts),
            **_never_checking(strings, verdicts),
            **_rows(shown.get(name, []), contents.games),
        }
        if contents.observed is not None:
            times = contents.observed.times
            shard["seen"] = [times.get(row.san, 0) for row in shown.get(name, [])]
        if contents.shortest is not None:
            found = [contents.shortest.of(row.san) for row in shown.get(name, [])]
            shard["earliest"] = [row and [row.ply, row.bound] for row in found]
        yield name, script("sanproof.receive", name, shard)


def atlas_shards(contents: Contents) -> Iterator[tuple[str, bytes]]:
    """Write what colours the atlas, by piece and destination, as far as it is known.

    How many strings were seen, and how often they were played; and how many have a short game, and
    its average ply.
    """
    strings: dict[str, dict[str, list[str]]] = {piece: {} for piece in grammar.PIECES}
    for san in contents.reachable:
        if san.piece not in grammar.CASTLINGS:
            strings[san.piece].setdefault(san.destination, []).append(str(san))

    def shard(name: str, values: Callable[[list[str]], list[float]]) -> tuple[str, bytes]:
        squares = {
            piece: {square: values(sans) for square, sans in by_square.items()}
            for piece, by_square in strings.items()
        }
        return name, script("sanproof.receive", name, {"squares": squares})

    if observed := contents.observed:
        times = observed.times
        yield shard(
            OBSERVED,
            lambda sans: [sum(s in times for s in sans), sum(times.get(s, 0) for s in sans)],
        )
    if shortest := contents.shortest:

        def plies(sans: list[str]) -> list[float]:
            found = [row.ply for san in sans if (row := shortest.of(san))]
            return [len(found), round(sum(found) / max(1, len(found)), 1)]

        yield shard(EARLIEST, plies)


def script(function: str, *arguments: object) -> bytes:
    """Return a script that calls a function of the page."""
    return f"{function}({', '.join(map(json_data, arguments))});\n".encode("ascii")


def run_lengths(letters: list[str]) -> str:
    """Write each run of equal letters as the letter and how often it stands there: ``a3b1``."""
    return "".join(f"{letter}{len(list(run))}" for letter, run in groupby(letters))


def _strings_by_shard() -> Iterator[list[str]]:
    """Every string of the universe, in the order in which the page counts them."""
    yield list(map("".join, product(grammar.CASTLINGS, grammar.SUFFIXES)))
    promotions = [p and f"={p}" for p in grammar.PROMOTIONS]
    for piece, destination in product(grammar.PIECES, grammar.DESTINATIONS):
        heads = map(
            "".join, product([piece], grammar.FILE_LETTERS, grammar.RANK_DIGITS, grammar.CAPTURES)
        )
        tails = list(map("".join, product([destination], promotions, grammar.SUFFIXES)))
        yield [head + tail for head in heads for tail in tails]


def _never_checking(strings: list[str], verdicts: list[str]) -> dict[str, Any]:
    """Return the origins of moves that never give check, as their sentence names them, and marks.

    The marks are what the page shows on the board, by kind of mark.
    """
    judged = zip(strings, verdicts, strict=True)
    letter = LETTERS[Reason.NO_CHECK]
    never = [san for san, verdict in judged if verdict == letter]
    places: dict[str, str] = {}
    marks: dict[str, dict[str, str]] = {}
    for san in sorted({grammar.parse_san(text).bare for text in never}, key=str):
        places[str(san)] = " or ".join(map(square_name, sorted(origins(san))))
        found = marks.setdefault(str(san), {})
        shown = picture(grammar.parse_san(f"{san}+"), playable=True)
        named = {square_name(square): mark for square, mark in shown.marks.items()} if shown else {}
        for name, mark in sorted(named.items()):
            found[mark] = f"{found.get(mark, '')} {name}".strip()
    return {"places": places, "marks": marks}


def _rows(witnesses: Iterable[WitnessRow], games: Games | None) -> Mapping[str, Any]:
    """Return the reachable strings: with games the games and moments of each, else its position."""
    if games is None:
        return {"rows": [[row.san, row.before_fen, row.uci] for row in witnesses]}
    places: dict[int, int] = {}
    rows = [
        [row.san, [[places.setdefault(m.game, len(places)), m.ply] for m in games.moments[row.san]]]
        for row in witnesses
    ]
    return {"games": [[number, games.moves[number]] for number in places], "rows": rows}
