"""The files of a finished scan. They hold no times: the same games give the same bytes."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sanproof.reports.escaping import markdown, plain, printable
from sanproof.reports.tables.files import csv_lines, whole_file, write_whole
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import MISUSE, REFUTED, Failure
from sanproof.verify.findings.formats import print_written, text_lines, written
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    COUNTED,
    IN_VARIATIONS,
    LEFT_OUT,
    READ,
    ChunkResult,
    DeviatingMove,
    GameOutcome,
    RefutingMove,
)
from sanproof.verify.scan.harness import Damage
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.tables import Row, TableFile
from sanproof.verify.scan.tally import Occurrences, Tally, most_frequent_first
from sanproof.verify.scan.where import unfitting

COUNTS: Final = "counts.csv"
VARIATIONS: Final = "variations.csv"
DEVIATIONS: Final = "deviations.csv"
DEVIATIONS_TABLE: Final = "deviations.parquet"
UNREAD: Final = "unread.csv"
GAMES: Final = "games.csv"
GAMES_TABLE: Final = "games.parquet"
DUPLICATES: Final = "duplicates.csv"
SUMMARY: Final = "summary.json"
SUMMARY_TEXT: Final = "summary.md"
REFUTING: Final = "refuting.pgn"
FILES: Final = (
    *(COUNTS, VARIATIONS, DEVIATIONS, DEVIATIONS_TABLE, UNREAD, GAMES, GAMES_TABLE, DUPLICATES),
    *(SUMMARY, SUMMARY_TEXT, REFUTING),
)

COLUMNS: Final[dict[str, type]] = {"source": str, **DeviatingMove.__annotations__}
del COLUMNS["end_column"]
GAMES_COLUMNS: Final[dict[str, type]] = {"source": str, **GameOutcome.__annotations__}
for _name in ("tags", "place"):
    del GAMES_COLUMNS[_name]
COUNTS_COLUMNS: Final = ("string", "times", "games", "first_source", "first_game", "first_ply")
_SHOWN: Final = 20


BESIDE_MOVES: Final = {
    AFTER_RESULT,
    *(kind.value for kind in set(Oddity) - {Oddity.FOREIGN_LETTER, Oddity.NULL_MOVE}),
}
"""Kinds of deviations that are not about a move's text."""
ALL_CANONICAL: Final = "Every move that was read is canonical SAN."


def write_outputs(
    directory: Path,
    names: Sequence[str],
    chunks: Callable[[], Iterable[tuple[int, ChunkResult]]],
    damaged: Mapping[int, Damage],
    settings: dict[str, Any],
    strings: Sequence[str],
) -> dict[str, Any]:
    """Write the files of a scan, and return the summary, which is last and stands for them all.

    The sources of chunks and damages are numbers of these names. The settings are what the results
    depend on; the strings are the proven ones.
    """
    (directory / SUMMARY).unlink(missing_ok=True)
    tags = settings["tags"] if settings["games"] else None
    tally, refuting = _write_kept(directory, names, chunks, tags)
    places = most_frequent_first(tally.played)
    tables = {COUNTS: places}
    if settings["variations"]:
        tables[VARIATIONS] = most_frequent_first(tally.in_variations)
    for table, found in tables.items():
        rows = ((s, p.times, p.games, names[p.source], *p[3:]) for s, p in found.items())
        with whole_file(directory / table) as file:
            file.writelines(map(str.encode, csv_lines(COUNTS_COLUMNS, rows)))
    if refuting:
        write_whole(directory / REFUTING, _refuting_games(refuting))
    summary = make_summary(names, tally, places, refuting, settings, strings)
    if where := settings["where"]:
        total = tally.total()
        summary["unfitting"] = unfitting(where, total, total[f"games_{LEFT_OUT}"])
    summary["damaged"] = [d._asdict() for _, d in sorted(damaged.items())]
    write_whole(directory / SUMMARY_TEXT, to_markdown(summary).encode())
    write_whole(directory / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode("ascii"))
    return summary


def _write_kept(
    directory: Path,
    names: Sequence[str],
    chunks: Callable[[], Iterable[tuple[int, ChunkResult]]],
    tags: Sequence[str] | None,
) -> tuple[Tally, list[tuple[str, RefutingMove]]]:
    """Write what was found in chunks; the sums, and what would refute the theorem, with its source.

    All games are written, with these tags, unless they are None.
    """
    tally, refuting = Tally.of(len(names)), []
    columns = GAMES_COLUMNS | dict.fromkeys(tags or (), str)
    hashes: Counter[str] = Counter()
    with ExitStack() as stack:
        deviations = TableFile(stack, directory, COLUMNS, DEVIATIONS, DEVIATIONS_TABLE)
        unread = TableFile(stack, directory, GAMES_COLUMNS, UNREAD)
        games = None
        if tags is not None:
            games = TableFile(stack, directory, columns, GAMES, GAMES_TABLE)
        for source, chunk in chunks():
            name, before = names[source], tally.counts[source]
            bases = before["games"], before["lines"]
            deviations.write(
                (name, d.game + bases[0], d.ply, d.line + bases[1], d.column, *d[5:])
                for d in chunk.found
            )
            result = chunk._replace(found=()).shifted(*bases)
            unread.write(_row_of(name, game) for game in result.games if game.outcome != READ)
            refuting += [(name, item) for item in result.refuting]
            tally.take(source, chunk)
            if games is not None:
                games.write(_row_of(name, game, tags or ()) for game in result.games)
                hashes.update(game.hash for game in result.games if game.moves)
        if games is not None:
            duplicates, again = (
                TableFile(stack, directory, columns, DUPLICATES),
                Tally.of(len(names)),
            )
            for source, chunk in chunks():
                before = again.counts[source]
                result = chunk._replace(found=()).shifted(before["games"], before["lines"])
                before.update(chunk.counts)
                same = (game for game in result.games if game.moves and hashes[game.hash] > 1)
                duplicates.write(_row_of(names[source], game, tags or ()) for game in same)
    return tally, refuting


def _row_of(name: str, game: GameOutcome, tags: Sequence[str] = ()) -> Row:
    """Return the row of a game, with the values of these tags after it."""
    return (name, *game[:-2], *game.tags.split("\n")[: len(tags)])


def _refuting_games(refuting: Sequence[tuple[str, RefutingMove]]) -> bytes:
    parts = []
    for name, item in refuting:
        said = f"{plain(name)}, game {item.game}, ply {item.ply}: {item.san} in {item.fen}"
        parts.append(f"% {said}\n{item.text.rstrip()}\n\n")
    return "".join(parts).encode(errors="surrogateescape")


def make_summary(
    names: Sequence[str],
    tally: Tally,
    places: Mapping[str, Occurrences],
    refuting: Sequence[tuple[str, RefutingMove]],
    settings: dict[str, Any],
    strings: Sequence[str],
) -> dict[str, Any]:
    """Return the counts of a scan."""
    rarest = nsmallest(_SHOWN, places.items(), key=lambda item: (item[1].times, item[0]))
    proven = [san for san in strings if san in places]
    total = tally.total()
    in_variations = {
        "total": {name: total[name] for name in IN_VARIATIONS},
        "deviations": tally.kinds_in(variations=True),
    }
    return {
        "sources": [
            {"name": name, **_numbers(counts)}
            for name, counts in zip(names, tally.counts, strict=True)
        ],
        "total": _numbers(total),
        "variants": variants_of(total),
        "strings": {
            "proven": len(strings),
            "played": len(proven),
            "by_suffix": _by(lambda san: san[-1] if san[-1] in "+#" else "none", strings, proven),
            "by_piece": _by(_piece, strings, proven),
        },
        "most_frequent": _times(islice(places.items(), _SHOWN)),
        "rarest": _times(rarest),
        "deviations": tally.kinds_in(variations=False),
        **({"variations": in_variations} if settings.get("variations") else {}),
        "refuting": [
            {"source": name, "game": item.game, "ply": item.ply, "san": item.san, "fen": item.fen}
            for name, item in refuting
        ],
        "settings": settings,
    }


def _numbers(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in COUNTED}


def variants_of(total: Counter[str]) -> dict[str, dict[str, int]]:
    """Return the sums of each variant of chess, of all sums."""
    found: dict[str, dict[str, int]] = {}
    for name in sorted(total):
        if name.startswith("variant "):
            _, variant, what = name.split()
            found.setdefault(variant, {})[what] = total[name]
    return {name: {"moves": 0, "moves_not_proven": 0} | row for name, row in found.items()}


def _piece(san: str) -> str:
    return "castling" if san[0] == "O" else san[0] if san[0] in "KQRBN" else "pawn"


def _by(
    group: Callable[[str], str], strings: Iterable[str], played: Iterable[str]
) -> dict[str, dict[str, int]]:
    can = Counter(map(group, strings))
    did = Counter(map(group, played))
    return {name: {"proven": can[name], "played": did[name]} for name in sorted(can)}


def _times(places: Iterable[tuple[str, Occurrences]]) -> dict[str, int]:
    return {san: place.times for san, place in places}


def to_markdown(summary: dict[str, Any]) -> str:
    """Return the summary for people."""
    strings = summary["strings"]
    lines = [
        "# What the games hold",
        "",
        *_refuted(summary["refuting"]),
        *(f"**{markdown(sentence)}**\n" for sentence in damaged_in_words(summary["damaged"])),
        played_in_words(strings),
        "",
        *("| what | number |", "| --- | --: |"),
        *(
            f"| {COUNTED[name].sentence[:-1]} | {count:,} |"
            for name, count in summary["total"].items()
        ),
        "",
        *("| strings | proven | played |", "| --- | --: | --: |"),
        *(
            f"| {name} | {row['proven']:,} | {row['played']:,} |"
            for name, row in strings["by_piece"].items()
        ),
        "",
    ]
    lines += [
        f"{name}: {number_of(row['games'], 'game')}, {number_of(row['moves'], 'move')}, of which "
        f"{row['moves_not_proven']:,} with strings that chess does not have.\n"
        for name, row in summary["variants"].items()
    ]
    lines += _files(summary["sources"])
    for title, name in (("Most frequent", "most_frequent"), ("Rarest", "rarest")):
        shown = ", ".join(f"{san} ({times:,})" for san, times in summary[name].items())
        lines += [f"{title}: {shown or 'none'}.", ""]
    if unread(summary["total"]):
        lines += [f"The games that were not read to their end are in {UNREAD}.", ""]
    lines += _kinds(summary["deviations"]) or [ALL_CANONICAL]
    if apart := summary.get("variations"):
        lines += ["", "## In variations", "", "| what | number |", "| --- | --: |"]
        lines += [f"| {IN_VARIATIONS[name][:-1]} | {n:,} |" for name, n in apart["total"].items()]
        lines += ["", *_kinds(apart["deviations"])]
    return "\n".join([*lines, ""])


def _files(sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a table of the files with most trouble; nothing if none has any."""
    rows = [(s["deviating_moves"], unread(s), str(s["name"])) for s in sources]
    worst = sorted((r for r in rows if r[0] or r[1]), key=lambda r: (-r[1], -r[0], r[2]))[:_SHOWN]
    if not worst:
        return []
    lines = [f"| {markdown(name)} | {games:,} | {moves:,} |" for moves, games, name in worst]
    head = "| file | games not read | moves that deviate |"
    return [head, "| --- | --: | --: |", *lines, ""]


def _kinds(kinds: Mapping[str, int]) -> list[str]:
    """Return a table of kinds of deviations; nothing without deviations."""
    rows = [f"| {kind} | {count:,} |" for kind, count in kinds.items()]
    return ["| deviation | number |", "| --- | --: |", *rows] if rows else []


def played_in_words(strings: Mapping[str, Any]) -> str:
    """Return how many of the proven strings were played, as a sentence."""
    were = "was" if strings["played"] == 1 else "were"
    return f"{strings['played']:,} of the {strings['proven']:,} proven strings {were} played."


def unread(counts: Mapping[str, int]) -> int:
    """Return how many games that were wanted were not read, or not to their end."""
    return counts["games"] - counts[f"games_{READ}"] - counts[f"games_{LEFT_OUT}"]


def is_whole(counts: Mapping[str, int]) -> bool:
    """Check whether all games, and all variations that were wanted, were read to their ends."""
    return not (unread(counts) or counts.get("variation_texts_not_read"))


def has_moves(counts: Mapping[str, int]) -> bool:
    """Check whether anything in a source stands where moves belong."""
    return counts["games"] > counts["games_without_moves"] or counts["move_texts_not_read"] > 0


def no_move(name: str) -> Failure:
    """Return the failure of a source in which nothing stands where moves belong."""
    return Failure(f"{printable(name)} holds no move: see that it is the file that was meant.")


def _check_moves(summary: dict[str, Any]) -> None:
    """Check that each source has a move, unless it is damaged or some of its games are not wanted.

    Raises:
        Failure: One has none.
    """
    damaged = {item["source"] for item in summary["damaged"]}
    for source in summary["sources"]:
        if not (has_moves(source) or source[f"games_{LEFT_OUT}"] or source["name"] in damaged):
            raise no_move(source["name"])


def deviating_in_words(counts: Mapping[str, int], kinds: Mapping[str, int]) -> str:
    """Return how many moves deviate, of the sums and the deviations by kind, without a stop."""
    if number := counts["deviating_moves"]:
        return f"{number_of(number, 'move is', 'moves are')} not canonical SAN"
    read = "all moves" if not in_moves(kinds) else "all moves that were read"
    return f"{read} are canonical SAN"


def in_moves(kinds: Mapping[str, int]) -> int:
    """Return how many deviations are those of moves' texts, by kind."""
    return sum(count for kind, count in kinds.items() if kind not in BESIDE_MOVES)


def beside_in_words(kinds: Mapping[str, int]) -> list[str]:
    """Return how much deviates beside the moves, as a sentence; none if nothing does."""
    count = sum(kinds.values()) - in_moves(kinds)
    return [f"{number_of(count, 'deviation')} beside the moves."] if count else []


def variations_in_words(counts: Mapping[str, int], deviating: int) -> str:
    """Return what was found in variations, as a sentence; empty otherwise."""
    if not counts.get("variations"):
        return ""
    moves = counts.get("variation_moves", 0) + counts.get("variation_moves_apart", 0)
    in_variations = number_of(counts["variations"], "variation")
    are = number_of(deviating, "is", "are") if deviating else "all are"
    said = f"In {in_variations}, {number_of(moves, 'move')}: {are} "
    said += "not canonical SAN" if deviating else "canonical SAN"
    left = counts.get("variation_texts_not_read")
    texts = left and number_of(left, "move text was not read", "move texts were not read")
    return f"{said}; {texts}." if texts else f"{said}."


def damaged_in_words(damaged: Iterable[Mapping[str, str]]) -> list[str]:
    """Return a sentence for each source that cannot be read, or not to its end."""
    return [
        plain(f"{item['source']} {DAMAGES[item['read']].format(item['why'])}") for item in damaged
    ]


DAMAGES: Final = {
    "nothing": "cannot be read: {}.",
    "before": "is damaged ({}): what stands before that was read.",
}
"""The sentence about a source, by how much of it was read."""


def unproven_in_words(number: int) -> str:
    """Return how many legal moves refute the theorem, without a full stop."""
    moves = number_of(
        number, "legal move has a string that is", "legal moves have strings that are"
    )
    return f"{moves} not among the proven ones"


def _refuted(refuting: Sequence[dict[str, Any]]) -> list[str]:
    if not refuting:
        return []
    return [
        (
            "**The theorem is refuted, or the list of proven strings is wrong:** "
            f"{unproven_in_words(len(refuting))}. The games are in {REFUTING}."
        ),
        "",
        *(
            f"- {item['san']} in {item['fen']} (game {item['game']}, ply {item['ply']})"
            for item in refuting[:_SHOWN]
        ),
        "",
    ]


def counted_apart(
    counts: Mapping[str, int], variants: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """Return a sentence for each kind of games that are counted apart, if there are any."""
    words = [(counts[name], c.apart) for name, c in COUNTED.items() if c.apart and counts[name]]
    words += [(row["games"], f"of {name}, counted apart") for name, row in variants.items()]
    return [f"{number_of(games, 'game')} {said}." for games, said in words]


def show(summary: dict[str, Any], directory: Path) -> int:
    """Print what a scan found; the exit code."""
    total = summary["total"]
    sums = f"{number_of(total['games'], 'game')}, {number_of(total['moves'], 'move')}"
    lines = [f"{sums}; {played_in_words(summary['strings'])}"]
    lines += [f"  {sentence}" for sentence in counted_apart(total, summary["variants"])]
    if unread(total):
        where = printable(str(directory / UNREAD))
        lines.append(f"  Games that were not read to their end are listed in {where}.")
    said = deviating_in_words(total, summary["deviations"])
    lines.append(f"{said[0].upper()}{said[1:]}.")
    lines += beside_in_words(summary["deviations"])
    lines += [f"  {count:,} {kind}" for kind, count in list(summary["deviations"].items())[:10]]
    if apart := summary.get("variations"):
        kinds = apart["deviations"]
        lines += filter(None, [variations_in_words(apart["total"], in_moves(kinds))])
        lines += [f"  {count:,} {kind}" for kind, count in list(kinds.items())[:10]]
    lines.append(f"The results are in {printable(str(directory))}; begin with {SUMMARY_TEXT}.")
    print_written("text", text_lines(lines, None))
    problems = [*damaged_in_words(summary["damaged"])]
    problems += filter(None, [summary.get("unfitting")])
    if summary["refuting"]:
        first, name = summary["refuting"][0], printable(str(directory / REFUTING))
        problems.append(
            "\nTHE THEOREM IS REFUTED, or the list is wrong: "
            f"{unproven_in_words(len(summary['refuting']))}, first {first['san']} in "
            f"{first['fen']}. The games are in {name}. Please report them."
        )
    sys.stderr.writelines(written("text", text_lines(problems, None)))
    if summary["refuting"]:
        return REFUTED
    _check_moves(summary)
    counts = total | summary.get("variations", {"total": {}})["total"]
    is_good = is_whole(counts) and not (summary["damaged"] or summary.get("unfitting"))
    return 0 if is_good else MISUSE
