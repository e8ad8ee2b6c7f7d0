"""``sanproof scan --check``: what deviates in one's own games, with its line."""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.reports.escaping import plain, shown
from sanproof.reports.tables.files import csv_lines, whole_file
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import ANSWER_NO, MISUSE, REFUTED, Failure
from sanproof.verify.findings.finding import Finding, more, source_name
from sanproof.verify.findings.formats import (
    github_lines,
    json_object,
    print_written,
    sarif,
    text_lines,
)
from sanproof.verify.notation.vocabulary import Deviation, Illegality
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    LEFT_OUT,
    OUTCOMES,
    STOPPED,
    DeviatingMove,
    GameOutcome,
    Options,
)
from sanproof.verify.scan.former.executors import Inline
from sanproof.verify.scan.former.folder import prepare
from sanproof.verify.scan.harness import Damage, chunks_of, scan_in_order
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.outputs import (
    BESIDE_MOVES,
    as_damaged,
    beside_in_words,
    counted_apart,
    damaged_in_words,
    is_whole,
    no_move,
    variants_of,
    variations_in_words,
)
from sanproof.verify.scan.scanning import check_packages
from sanproof.verify.scan.sources import Source, find_sources, total_size
from sanproof.verify.scan.store import kinds_of
from sanproof.verify.scan.variations import DEEPEST, NO_MOVE_REPLACED, TOO_DEEP
from sanproof.verify.scan.where import unfitting

FAST_FROM_BYTES: Final = 1 << 18
"""Below this size python-chess is done before the fast path is loaded."""

_NAMED_BY_TEXT: Final = {STOPPED, AFTER_RESULT}
"""Games whose reading ends at a text that is named itself."""
SENTENCES: Final = {
    "ambiguous": "Several legal moves fit; the rest of the game is not read.",
    "illegal": "No legal move fits; the rest of the game is not read.",
    "not-san": "It is not a move; the rest of the game is not read.",
    AFTER_RESULT: "It follows the result of the game.",
    TOO_DEEP: f"It is nested more than {DEEPEST} variations deep and is not read.",
    NO_MOVE_REPLACED: "The variation does not follow a move that it could replace.",
    "not-proven": "The move is legal, and its string is not among the proven ones.",
}
"""The fate of each kind of text that is not one move."""


PlacedFinding = tuple[str, DeviatingMove | GameOutcome]
"""A deviation, or a game that was not read to its end, after the name of its source."""


def sentence_of(found: DeviatingMove | GameOutcome) -> str:
    """Return what is wrong, for people."""
    if isinstance(found, GameOutcome):
        players = " - ".join(shown(name) for name in (found.white, found.black) if name)
        left = number_of(found.left, "move text was not read", "move texts were not read")
        whose = f" ({players})" if players else ""
        return f"Game {found.game}{whose} is {found.outcome}: {plain(found.reason)}; {left}."
    if found.kind in ODD and found.kind != Oddity.FOREIGN_LETTER.value:
        due = f" Due: {found.canonical}" if found.kind == Oddity.MISSING_TAG.value else ""
        return f"{found.kind}. {ODD[found.kind]}{due}"
    written = shown(found.written)
    if found.canonical:
        means = " ".join(_MEANINGS[kind] for kind in found.kind.split())
        return f"{written} should be written {found.canonical} ({found.kind}). {means}"
    kind, _, reason = found.kind.partition(" ")
    why = f" ({reason}). {Illegality(reason).sentence}" if reason else "."
    name = {"not-san": "not SAN", AFTER_RESULT: "after the result"}.get(kind, kind)
    where = f" Position: {found.fen}" if found.fen else ""
    meaning = SENTENCES[kind]
    if found.variation:
        meaning = meaning.replace("the rest of the game", "the rest of the variation")
    return f"{written} is {name}{why} {meaning}{where}"


def rules_of(found: DeviatingMove | GameOutcome) -> list[str]:
    """Return the public names of what is wrong."""
    if isinstance(found, GameOutcome):
        return [found.outcome]
    return found.kind.split() if found.canonical else found.kind.split()[:1]


def finding_of(placed: PlacedFinding) -> Finding:
    """Return what deviates, with its place, how bad it is, and a fingerprint without the line."""
    source, found = placed
    (rule, *_) = rules_of(found)
    if isinstance(found, GameOutcome):
        place = found.line, 1, 2
        level, told = "error", [found.white, found.black, found.date, found.round, found.hash]
    else:
        place = found.line, found.column, found.end_column
        level = "error" if rule in SENTENCES else "note" if rule in NOTES else "warning"
        told = [str(found.ply), found.written, found.fen]
    mark = hashlib.sha256("\n".join([source, rule, *told]).encode(errors="replace")).hexdigest()
    return Finding(rule, sentence_of(found), f"SAN {rule}", source, *place, level, mark[:32])


ODD: Final = {oddity.value: oddity.sentence for oddity in Oddity}
"""The irregularities beside the moves, by name."""
_MEANINGS: Final = {deviation.value: deviation.sentence for deviation in Deviation} | ODD
NOTES: Final = {*ODD, Deviation.ANNOTATION.value} - {
    Oddity.NULL_MOVE.value,
    Oddity.FOREIGN_LETTER.value,
    Oddity.WRONG_RESULT.value,
    Oddity.AFTER_END.value,
}
"""Deviations that leave the move clear."""


def lint(names: Sequence[str], options: Options, form: str = "text", limit: int = 1000) -> int:
    """Print what deviates in files, folders, addresses or ``-``, in one of the formats.

    The forms for people show at most ``limit``.

    Returns:
        The exit code: 0 if nothing deviates, 1 if something does, 2 if a file or a game was not
        read to its end.

    Raises:
        Failure: A source that could be read has no move, or a legal move's string is not among the
            proven ones.
    """
    sources = find_sources(names)
    counts: Counter[str] = Counter()
    moves: Counter[int] = Counter()
    most = options.most if form == "json" else max(limit, _MOST_LISTED)
    options = _suited(options, sources)._replace(most=most)
    damaged: dict[int, Damage] = {}
    tables = DeviationTables(Counter(), Counter())
    deviating = _deviating(sources, options, counts, moves, damaged, tables)
    print_written(form, _pieces(form, deviating, counts, limit, tables))
    problems = [(sources[i].name, *damage) for i, damage in sorted(damaged.items())]
    sys.stderr.writelines(f"{sentence}\n" for sentence in damaged_in_words(as_damaged(problems)))
    looks = not counts[f"games_{LEFT_OUT}"]
    empty = [s for i, s in enumerate(sources) if looks and not (moves[i] or i in damaged)]
    if empty:
        raise no_move(empty[0].name)
    if why := unfitting(options.where, counts, counts[f"games_{LEFT_OUT}"]):
        sys.stderr.write(f"{why}\n")
    if why or damaged or not is_whole(counts):
        return MISUSE
    return ANSWER_NO if counts["found"] or counts["found_in_variations"] else 0


def _suited(options: Options, sources: Sequence[Source]) -> Options:
    """Return the options without the fast path if it takes longer to load than to do without."""
    size = total_size(sources)
    small = size is not None and size < FAST_FROM_BYTES
    options = options._replace(fast=options.fast and not small)
    check_packages(options)
    return options


def _deviating(
    sources: Sequence[Source],
    options: Options,
    counts: Counter[str],
    moves: Counter[int],
    damaged: dict[int, Damage],
    tables: "DeviationTables",
) -> Iterator[PlacedFinding]:
    """Return what deviates, in order; when all was taken, the sums are in ``counts``.

    Whether anything stands where moves belong is in ``moves``, for each source; what is wrong with
    a source in ``damaged``.
    """
    before: dict[int, Counter[str]] = {}
    waiting = chunks_of(sources, damaged=damaged)
    for chunk, scanned in scan_in_order(waiting, Inline(), options, 1):
        base = before.setdefault(chunk.place, Counter())
        result = scanned.shifted(base["games"], base["lines"])
        told = kinds_of(result.found) + result.unlisted
        own = Counter(result.counts)
        moves[chunk.place] += told.total() + own["move_texts_not_read"]
        moves[chunk.place] += own["games"] - own["games_without_moves"]
        for (kind, in_variation), times in told.items():
            counts["found_in_variations" if in_variation else "found"] += times
            tables.take(chunk.source, kind, times)
            if kind in BESIDE_MOVES:
                counts["beside_in_variations" if in_variation else "beside"] += times
        for found in result.deviations:
            yield chunk.source, found
        for row in result.games:
            if row.outcome not in _NAMED_BY_TEXT:
                counts["unread"] += 1
                tables.take(chunk.source, row.outcome, 1)
                yield chunk.source, row
        if result.refuting:
            first = result.refuting[0]
            raise Refuted(
                f"{first.san} is legal in {first.fen} and not among the proven strings, in game "
                f"{first.game} of {chunk.source}: the theorem is refuted, or the list is wrong."
            )
        base.update(result.counts)
        counts.update(result.counts)


FOUND: Final = "found.pgn"
SPLIT: Final = ("clean.pgn", "broken.pgn")


def pick(names: Sequence[str], options: Options, out: Path | None) -> int:
    """Print where a string was played, or tell the games that deviate nowhere from the others.

    With a directory, which has to be empty or new, those games go there as PGN.

    Returns:
        The exit code: 1 if a string was not found, 2 if a source was not read to its end.
    """
    sources, damaged = find_sources(names), dict[int, Damage]()
    options = _suited(options, sources)
    if out is not None:
        prepare(out, "", "scan")
    games: Counter[int] = Counter()
    hits = 0
    with ExitStack() as stack:
        wanted = SPLIT if options.split else (FOUND,)
        files = [stack.enter_context(whole_file(out / name)) for name in wanted if out]
        if options.find:
            print_written("text", csv_lines(("source", "game", "ply"), []))
        for chunk, scanned in scan_in_order(
            chunks_of(sources, damaged=damaged), Inline(), options, 1
        ):
            result = scanned.shifted(games[chunk.place], 0)
            games[chunk.place] += result.counts.get("games", 0)
            rows = [(chunk.source, hit.game, hit.ply) for hit in result.hits]
            print_written("text", islice(csv_lines((), rows), 1, None))
            found = {hit.game: hit.text for hit in result.hits}
            parts = (result.clean, result.broken) if options.split else (b"".join(found.values()),)
            for file, part in zip(files, parts, strict=False):
                file.write(part)
            hits += len(rows)
    problems = [(sources[i].name, *damage) for i, damage in sorted(damaged.items())]
    sys.stderr.writelines(f"{sentence}\n" for sentence in damaged_in_words(as_damaged(problems)))
    if damaged:
        return MISUSE
    return 0 if options.split or hits else ANSWER_NO


class Refuted(Failure):
    """A legal move's string is not among the proven ones."""

    exit_code = REFUTED


_MOST_LISTED: Final = 5_000
"""The deviations of a chunk whose places are kept, so that each kind can be shown."""
FEW: Final = 3
"""The number of each kind and file shown first if not all are shown."""
_MOST_FILES: Final = 20


def few_first(placed: Iterable[PlacedFinding], limit: int) -> Iterator[PlacedFinding]:
    """Yield so many at most, but ask for all: all in order, or a few of each kind and file first.

    No more than the limit are in memory.
    """
    seen: Counter[tuple[str, str]] = Counter()
    few: list[PlacedFinding] = []
    others: list[tuple[int, PlacedFinding]] = []
    order: list[tuple[int, PlacedFinding]] = []
    number = 0
    for number, one in enumerate(placed, start=1):
        source, found = one
        kind = found.outcome if isinstance(found, GameOutcome) else found.kind
        seen[source, kind] += 1
        if seen[source, kind] <= FEW and len(few) < limit:
            few.append(one)
            order.append((number, one))
        elif len(others) < limit:
            others.append((number, one))
    if number <= limit:
        yield from (one for _, one in sorted(order + others, key=itemgetter(0)))
    else:
        yield from [*few, *(one for _, one in others)][:limit]


class DeviationTables(NamedTuple):
    """The numbers of deviations and unread parts, by kind and by file."""

    kinds: Counter[str]
    files: Counter[str]

    def take(self, source: str, kind: str, times: int) -> None:
        """Count some of a kind in a file."""
        self.kinds[kind] += times
        self.files[source] += times

    def lines(self) -> list[str]:
        """Return the lines of both tables, most first; that of files if there are several."""
        files = self.files if len(self.files) > 1 else Counter[str]()
        shown = _most_first(files)[:_MOST_FILES]
        lines = [f"{times:>9,} {kind}" for kind, times in _most_first(self.kinds)]
        lines += [f"{times:>9,} in {source_name(name)}" for name, times in shown]
        left = len(files) - len(shown)
        return lines + [f"          in {number_of(left, 'other file')}"] * (left > 0)


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _headline(counts: Counter[str]) -> str:
    texts = counts["found"] - counts["beside"]
    first = f"{number_of(counts['games'], 'game')}, {number_of(counts['moves'], 'move')}"
    if texts:
        first += f": {number_of(texts, 'move is', 'moves are')} not canonical SAN"
    elif counts["moves"]:
        first += ": all moves are canonical SAN"
    lines = [f"{first}.", *beside_in_words(counts["beside"])]
    lines += counted_apart(counts, variants_of(counts))
    apart = counts["found_in_variations"] - counts["beside_in_variations"]
    return " ".join([*lines, variations_in_words(counts, apart)]).rstrip()


_FOUND: Final = ("found", "found_in_variations", "unread", "beside_in_variations")


def _pieces(
    form: str,
    placed: Iterable[PlacedFinding],
    counts: Counter[str],
    limit: int,
    tables: DeviationTables,
) -> Iterator[str]:
    """Write what deviates in a format; all is asked for, so that the sums are there at the end."""
    if form == "json":
        yield from json_object({}, "deviations", map(_as_json, placed), lambda: _sums(counts))
        return

    def found() -> dict[str, int]:
        number = sum(counts[name] for name in _FOUND[:3])
        return {"found": number, "shown": min(number, limit)}

    first = map(finding_of, few_first(placed, limit))
    if form == "sarif":
        meanings = {item.value: item.sentence for item in Deviation} | SENTENCES | ODD
        meanings |= {name: means for name, means in OUTCOMES.items() if name not in SENTENCES}
        yield from sarif(meanings, first, lambda: {"properties": found()})
        return
    if form == "github":
        yield from github_lines(first)
    else:
        for finding in first:
            place = f"{source_name(finding.source or '')}:{finding.line}:{finding.column}"
            yield f"{place}: {finding.sentence}\n"
    last = [*filter(None, [more(found()["found"], limit)]), *tables.lines(), _headline(counts)]
    yield from github_lines(last) if form == "github" else text_lines(last, None)


def _sums(counts: Counter[str]) -> dict[str, object]:
    """Return the end of the format json."""
    sums = {name: count for name, count in sorted(counts.items()) if name not in _FOUND}
    found = {name: counts[name] for name in _FOUND[:2] if name == "found" or counts[name]}
    return {**found, "counts": sums}


def _as_json(placed: PlacedFinding) -> str:
    """Return everything that is known of a deviation."""
    source, found = placed
    said = {"rules": rules_of(found), "sentence": sentence_of(found)}
    return json.dumps({"source": source, **found._asdict(), **said})
