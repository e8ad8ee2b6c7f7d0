"""The data that the page looks up, cut into one file for each piece and destination.

A phone loads only what is asked for. A shard says the verdict on each of its strings (with their
reasons, a letter each, run by run), and gives the games of those that are reachable: each game
once, and for each string when it is played. It is a script that hands its content to the page,
because a page opened from disk may not fetch data.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, product
from string import ascii_lowercase
from typing import Any, Final

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.squares import square_name
from sanproof.proofs.theory.pictures import picture
from sanproof.proofs.theory.reasons import Reason, origins
from sanproof.reports.archive.door import WitnessRow
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.templates import json_data

CASTLING: Final = "castling"
REACHABLE: Final = "."
UNDECIDED: Final = "?"
NOT_ASKED: Final = "-"
LETTERS: Final = dict(zip(Reason, ascii_lowercase, strict=False))
"""A letter for each reason."""


def shard_of(san: grammar.San) -> str:
    """Return the name of the shard that holds a string."""
    return CASTLING if san.piece in grammar.CASTLINGS else f"{san.piece or 'P'}-{san.destination}"


def make_shards(
    contents: Contents, selected: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and script of each shard: castling's first, then by piece and destination.

    ``selected`` says which strings the run is about; all if None.
    """
    codes = {san: LETTERS[why] for san, why in contents.impossible.items()}
    codes |= {str(san): REACHABLE for san in contents.reachable}
    shown = defaultdict[str, list[WitnessRow]](list)
    for row in contents.witnesses:
        shown[shard_of(grammar.parse_san(row.san))].append(row)
    observed, shortest = contents.archive.observed, contents.archive.shortest
    for name, strings in _strings_by_shard():
        verdicts = [
            codes.get(san, UNDECIDED if selected is None or selected(san) else NOT_ASKED)
            for san in strings
        ]
        shard = {
            "codes": run_lengths(verdicts),
            **_never_checking(strings, verdicts),
            **_rows(shown[name], contents),
        }
        if observed is not None:
            shard["seen"] = [observed.times.get(row.san, 0) for row in shown[name]]
        if shortest is not None:
            found = [shortest.of(row.san) for row in shown[name]]
            shard["earliest"] = [row and [row.ply, row.bound] for row in found]
        script = f"sanproof.receive({json_data(name)}, {json_data(shard)});\n"
        yield name, script.encode("ascii")


def run_lengths(letters: list[str]) -> str:
    """Write each run of equal letters as the letter and how often it stands there: ``a3b1``."""
    return "".join(f"{letter}{len(list(run))}" for letter, run in groupby(letters))


def _strings_by_shard() -> Iterator[tuple[str, list[str]]]:
    """Yield every string of the universe, in the order in which the page counts them."""
    yield CASTLING, list(map("".join, product(grammar.CASTLINGS, grammar.SUFFIXES)))
    promotions = [p and f"={p}" for p in grammar.PROMOTIONS]
    for piece, destination in product(grammar.PIECES, grammar.DESTINATIONS):
        heads = product([piece], grammar.FILE_LETTERS, grammar.RANK_DIGITS, grammar.CAPTURES)
        tails = product([destination], promotions, grammar.SUFFIXES)
        strings = map("".join, product(map("".join, heads), map("".join, tails)))
        yield f"{piece or 'P'}-{destination}", list(strings)


def _never_checking(strings: list[str], verdicts: list[str]) -> dict[str, Any]:
    """Return the origins of moves that never give check, as their sentence names them, and marks.

    The marks are what the page shows on the board, by kind of mark.
    """
    letter = LETTERS[Reason.NO_CHECK]
    never = {
        grammar.parse_san(text).bare
        for text, verdict in zip(strings, verdicts, strict=True)
        if verdict == letter
    }
    places: dict[str, str] = {}
    marks: dict[str, dict[str, str]] = {}
    for san in sorted(map(str, never)):
        places[san] = " or ".join(map(square_name, sorted(origins(grammar.parse_san(san)))))
        found = marks.setdefault(san, {})
        shown = picture(grammar.parse_san(f"{san}+"), playable=True)
        named = {square_name(square): mark for square, mark in shown.marks.items()} if shown else {}
        for name, mark in sorted(named.items()):
            found[mark] = f"{found.get(mark, '')} {name}".strip()
    return {"places": places, "marks": marks}


def _rows(witnesses: Iterable[WitnessRow], contents: Contents) -> dict[str, Any]:
    """Return the reachable strings: with games the games and moments of each, else its position."""
    if not contents.archive.has_games:
        return {"rows": [[row.san, row.before_fen, row.uci] for row in witnesses]}
    places: dict[int, int] = {}
    rows = []
    for row in witnesses:
        moments = contents.moments[row.san]
        rows.append([row.san, [[places.setdefault(m.game, len(places)), m.ply] for m in moments]])
    return {"games": [[number, contents.moves[number]] for number in places], "rows": rows}
