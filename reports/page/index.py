"""The page that looks strings up, with the counts and downloads of a run."""

from collections import Counter, defaultdict
from typing import Any, Final

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.squares import FILES, RANKS
from sanproof.proofs.theory.reasons import NAMES, RULES, SENTENCES, TWINS
from sanproof.reports.archive.observed import spoken_total
from sanproof.reports.exports.meant import RULES as GUESSES
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.shards import CASTLING, LETTERS, REACHABLE, UNDECIDED
from sanproof.reports.page.templates import render
from sanproof.reports.tables.survey import piece_name

EXAMPLE: Final = "Qb6e3#"
TRIES: Final = (EXAMPLE, "O-O-O+", "exd8=N#", "Ba1b2+", "Ke1e2", "b1=K")


def index_page(contents: Contents) -> bytes:
    """Make ``index.html``."""
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
        never=_never_checking(contents) if archive.is_complete else None,
        downloads=contents.downloads,
        versions=list(summary["versions"].items()),
        data=_data(contents),
    )


def _data(contents: Contents) -> dict[str, Any]:
    """Return what the scripts need to know: the order of a shard's strings, reasons, the atlas."""
    strings = {str(san) for san in contents.reachable}
    observed = contents.archive.observed
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
        "observed": observed and spoken_total(observed),
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


def _never_checking(contents: Contents) -> dict[str, list[str]]:
    """Return the bare strings that never give check, by piece."""
    strings = {str(san) for san in contents.reachable}
    by_piece: dict[str, list[str]] = defaultdict(list)
    for san in contents.reachable:
        if not san.suffix and f"{san}+" not in strings and f"{san}#" not in strings:
            by_piece[piece_name(san)].append(str(san))
    return by_piece
