"""Makes the page that looks strings up, with counts and downloads, and its data.

The data is cut into a file (*shard*) for each piece and destination, so that a phone loads little.
A shard has a letter for the verdict or the reason of each of its strings, run-length encoded, and
the games of the reachable ones: each game once, and for each string its game and ply. It is a
script that hands its content to the page, because a page opened from disk may not fetch data.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, product
from string import ascii_lowercase
from typing import Any, Final

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.squares import FILES, RANKS, square_name
from sanproof.proofs.theory.pictures import picture
from sanproof.proofs.theory.reasons import NAMES, RULES, SENTENCES, TWINS, Reason, origins
from sanproof.reports.archive.door import WitnessRow
from sanproof.reports.archive.observed import in_words
from sanproof.reports.exports.meant import RULES as GUESSES
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.templates import json_data, render
from sanproof.reports.tables.summary import piece_name

EXAMPLE: Final = "Qb6e3#"
TRIES: Final = (EXAMPLE, "O-O-O+", "exd8=N#", "Ba1b2+", "Ke1e2", "b1=K")
CASTLING: Final = "castling"
REACHABLE: Final = "."
UNDECIDED: Final = "?"
NOT_ASKED: Final = "-"
LETTERS: Final = dict(zip(Reason, ascii_lowercase, strict=False))
"""The letter of each reason in the shards."""


def index_page(contents: Contents) -> bytes:
    """Return ``index.html`` of a run."""
    summary, archive = contents.archive.summary, contents.archive
    destinations = Counter(san.destination for san in contents.reachable)
    by_reason = Counter(contents.impossible.values())
    reachable, impossible = len(contents.reachable), len(contents.impossible)
    return render(
        "index.html",
        only=summary["only"],
        strings=reachable + impossible + summary["undecided"],
        reachable=reachable,
        impossible=impossible,
        undecided=summary["undecided"],
        games=summary["games"] if archive.has_games else None,
        observed=archive.observed,
        shortest=archive.shortest,
        tries=TRIES,
        files=list(FILES),
        squares=[[rank, *(destinations[file + rank] for file in FILES)] for rank in RANKS[::-1]],
        by_piece=_by_piece(contents),
        reasons=[[why.value, RULES[why], by_reason[why]] for why in RULES if by_reason[why]],
        bare=sum(not san.suffix for san in contents.reachable),
        never=_unchecking(contents) if archive.is_complete else None,
        downloads=contents.downloads,
        versions=list(summary["versions"].items()),
        data=_data(contents),
    )


def _data(contents: Contents) -> dict[str, Any]:
    """Return what the scripts need to know: the order of a shard's strings, reasons, the atlas."""
    strings = {str(san) for san in contents.reachable}
    source = contents.archive.observed and contents.archive.observed.source
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for san in contents.reachable:
        if san.piece not in grammar.CASTLINGS:
            counts[san.piece][san.destination] += 1
    return {
        "only": contents.archive.summary["only"],
        "example": EXAMPLE if EXAMPLE in strings else max(strings, default=""),
        "castling": CASTLING,
        "castlings": grammar.CASTLINGS,
        "parts": {
            "files": grammar.FILE_LETTERS,
            "ranks": grammar.RANK_DIGITS,
            "captures": grammar.CAPTURES,
            "promotions": grammar.PROMOTIONS,
            "suffixes": grammar.SUFFIXES,
        },
        "reachable": REACHABLE,
        "undecided": UNDECIDED,
        "reasons": {
            LETTERS[why]: {"name": why.value, "template": template, "rule": RULES[why]}
            for why, template in SENTENCES.items()
        },
        "names": NAMES,
        "twins": [[TWINS[file, rank] for rank in (False, True)] for file in (False, True)],
        "counts": counts,
        "observed": source and f"{in_words(source['moves'])} moves of {source['games_of']}",
        "meant": GUESSES,
    }


def _by_piece(contents: Contents) -> list[list[str | int]]:
    """Count the strings of each piece: all, and with each suffix; the last row is of all pieces."""
    rows = defaultdict[str, Counter[str]](Counter)
    for san in contents.reachable:
        rows[piece_name(san)][san.suffix] += 1
    in_order = sorted(rows, key=lambda name: -rows[name].total())
    rows["all"] = sum((rows[name] for name in in_order), Counter())
    return [
        [name, rows[name].total(), *(rows[name][suffix] for suffix in grammar.SUFFIXES)]
        for name in (*in_order, "all")
    ]


def _unchecking(contents: Contents) -> dict[str, list[str]]:
    """Return the bare strings that never give check, by piece."""
    strings = {str(san) for san in contents.reachable}
    by_piece: dict[str, list[str]] = defaultdict(list)
    for san in contents.reachable:
        if not san.suffix and f"{san}+" not in strings and f"{san}#" not in strings:
            by_piece[piece_name(san)].append(str(san))
    return by_piece


# The shards


def shard_of(san: grammar.San) -> str:
    """Return the name of the shard with a string."""
    return CASTLING if san.piece in grammar.CASTLINGS else f"{san.piece or 'P'}-{san.destination}"


def make_shards(
    contents: Contents, selected: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and script of each shard: castling's first, then by piece and destination.

    ``selected`` tells which strings the run has decided, or is None for all.
    """
    codes = {san: LETTERS[why] for san, why in contents.impossible.items()}
    codes |= {str(san): REACHABLE for san in contents.reachable}
    shown = defaultdict[str, list[WitnessRow]](list)
    for row in contents.witnesses:
        shown[shard_of(grammar.parse_san(row.san))].append(row)
    observed = contents.archive.observed
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
        if contents.archive.shortest is not None:
            found = [contents.archive.earliest(row.san) for row in shown[name]]
            shard["earliest"] = [row and [row.ply, row.bound] for row in found]
        script = f"sanproof.receive({json_data(name)}, {json_data(shard)});\n"
        yield name, script.encode("ascii")


def run_lengths(letters: list[str]) -> str:
    """Write each run of equal letters as the letter and its length: ``aaab`` as ``a3b1``."""
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
        named = {square_name(square): mark for square, mark in shown.items()}
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
