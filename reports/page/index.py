"""The page that looks strings up, with the counts, kinds and downloads of a run."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

import chess

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.squares import FILES, RANKS
from sanproof.proofs.theory.reasons import NAMES, RULES, SENTENCES, TWINS
from sanproof.reports.archive.door import WitnessRow
from sanproof.reports.archive.observed import spoken_total
from sanproof.reports.exports.meant import EACH, JOINED, MOST_MOVES
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.shards import CASTLING, LETTERS, REACHABLE, UNDECIDED
from sanproof.reports.page.templates import render
from sanproof.reports.tables.rows import table
from sanproof.reports.tables.survey import discriminator, piece_name

EXAMPLE: Final = "Qb6e3#"
TRIES: Final = (EXAMPLE, "O-O-O+", "exd8=N#", "Ba1b2+", "Ke1e2", "b1=K")
MAX_EXAMPLES: Final = 4


CLAIMS: Final = [
    (int(strings), source, address)
    for strings, source, address in table(__package__, "claims.txt", 3)
]
"""The published counts of strings, smallest first: each with who published it, and where.

A count without a source that was read is not listed. The table docs/tables/counts.csv says the
same, and a test compares the two.
"""


def index_page(contents: Contents) -> bytes:
    """Make ``index.html``."""
    destinations = Counter(san.destination for san in contents.reachable)
    by_reason = Counter(contents.impossible.values())
    reachable, impossible = len(contents.reachable), len(contents.impossible)
    return render(
        "index.html",
        only=contents.only,
        strings=reachable + impossible + contents.undecided,
        reachable=reachable,
        impossible=impossible,
        undecided=contents.undecided,
        games=contents.games,
        observed=contents.observed,
        shortest=contents.shortest,
        tries=TRIES,
        files=list(FILES),
        squares=[[rank, *(destinations[file + rank] for file in FILES)] for rank in RANKS[::-1]],
        by_piece=_by_piece(contents),
        claims=CLAIMS,
        reasons=[[why.value, RULES[why], by_reason[why]] for why in RULES if by_reason[why]],
        checks=_rarest_first(checks_of(contents.witnesses)),
        forms=_rarest_first(_forms(contents.reachable)),
        bare=sum(not san.suffix for san in contents.reachable),
        never=_never_checking(contents) if contents.is_complete else None,
        downloads=contents.downloads,
        versions=contents.versions,
        data=_data(contents),
    )


def examples(strings: Sequence[str]) -> list[str]:
    """Choose some of many strings, evenly spread: the first are all of one corner of the board."""
    count = min(len(strings), MAX_EXAMPLES)
    return [strings[(2 * i + 1) * len(strings) // (2 * count)] for i in range(count)]


def _data(contents: Contents) -> dict[str, Any]:
    """Return what the scripts need to know: the order of a shard's strings, reasons, the atlas."""
    strings = {str(san) for san in contents.reachable}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for san in contents.reachable:
        if san.piece not in grammar.CASTLINGS:
            counts[san.piece][san.destination] += 1
    return {
        "only": contents.only,
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
        "observed": contents.observed and spoken_total(contents.observed),
        "earliest": contents.shortest is not None,
        "meant": {"moves": MOST_MOVES, "joined": JOINED, "each": EACH},
    }


def _by_piece(contents: Contents) -> list[list[str | int]]:
    """Count the strings of each piece: all, and with each suffix; the last row is of all pieces."""
    counts = Counter((piece_name(san), san.suffix) for san in contents.reachable)
    counts.update(("all", san.suffix) for san in contents.reachable)
    pieces = dict.fromkeys(map(piece_name, contents.reachable))
    rows = {
        name: [counts[name, suffix] for suffix in grammar.SUFFIXES] for name in (*pieces, "all")
    }
    in_order = sorted(pieces, key=lambda name: -sum(rows[name]))
    return [[name, sum(rows[name]), *rows[name]] for name in (*in_order, "all")]


def _rarest_first(kinds: dict[tuple[str, str], list[str]]) -> list[list[object]]:
    ordered = sorted(kinds.items(), key=lambda item: (len(item[1]), item[0]))
    return [[*kind, len(strings), examples(strings)] for kind, strings in ordered]


def _forms(reachable: Iterable[grammar.San]) -> dict[tuple[str, str], list[str]]:
    """Group the strings by piece and by which parts they have besides it and the destination."""
    forms: dict[tuple[str, str], list[str]] = defaultdict(list)
    for san in reachable:
        parts = [] if san.piece in ("", "K") else [discriminator(san)]
        parts += ["capture"] if san.capture else []
        parts += ["promotion"] if san.promotion else []
        form = ", ".join(parts) or "nothing but the destination"
        form = san.piece if san.piece in grammar.CASTLINGS else form
        forms[piece_name(san), form].append(str(san))
    return forms


def _never_checking(contents: Contents) -> dict[str, list[str]]:
    """Return the bare strings that never give check, by piece."""
    strings = {str(san) for san in contents.reachable}
    by_piece: dict[str, list[str]] = defaultdict(list)
    for san in contents.reachable:
        if not san.suffix and f"{san}+" not in strings and f"{san}#" not in strings:
            by_piece[piece_name(san)].append(str(san))
    return by_piece


def checks_of(witnesses: Iterable[WitnessRow]) -> dict[tuple[str, str], list[str]]:
    """Group the strings with ``+`` or ``#`` by piece and by how their witness gives check.

    Another position may give the check of the same string in another way; only castling and the
    king's moves leave no choice.
    """
    strings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in witnesses:
        if row.san[-1] in "+#":
            strings[mechanism(row)].append(row.san)
    return strings


def mechanism(row: WitnessRow) -> tuple[str, str]:
    """Return which piece moves, and what gives check then."""
    board, move = chess.Board(row.before_fen), chess.Move.from_uci(row.uci)
    if board.is_castling(move):
        return "castling", "the castled rook"
    en_passant = board.is_en_passant(move)
    board.push(move)
    checkers = board.checkers()
    moved = bool(checkers & chess.BB_SQUARES[move.to_square])
    if len(checkers) > 1:
        checker = "double check" if moved else "double check, both discovered"
    elif not moved:
        checker = "discovered check"
    else:
        checker = "the promoted piece" if move.promotion else "the moved piece"
    passing = ", en passant" if en_passant else ""
    return NAMES[grammar.parse_san(row.san).piece] + passing, checker
