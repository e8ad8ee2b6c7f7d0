"""``sanproof scan --check``, ``--find`` and ``--split``: prints deviations and picks games."""

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from sanproof.reports.escaping import cut, plain, shown
from sanproof.reports.tables.files import whole_file
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import ANSWER_NO
from sanproof.verify.findings.formats import (
    Finding,
    github_lines,
    json_object,
    more,
    print_written,
    sarif,
    source_name,
    text_lines,
    written,
)
from sanproof.verify.notation.vocabulary import Deviation as Spelling
from sanproof.verify.notation.vocabulary import Illegality
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.reading import NO_MOVE_REPLACED
from sanproof.verify.scan.results import (
    Chunk,
    ChunkResult,
    Deviation,
    GameOutcome,
    Options,
    Outcome,
    public,
)
from sanproof.verify.scan.scanner import (
    Sums,
    chunks_of,
    exit_code,
    in_words,
    most_first,
    scan_in_order,
)
from sanproof.verify.scan.scanning import csv_text, suited
from sanproof.verify.scan.sources import USUAL_RATIO, find_sources, total_size
from sanproof.verify.work.executors import Inline
from sanproof.verify.work.store import prepare

_WHOLE_GAMES: Final = (Outcome.UNCLOSED, Outcome.VARIANT, Outcome.BAD_POSITION, Outcome.TOO_LONG)
"""The outcomes that no text of the game is named for: the game is."""
SENTENCES: Final = {
    "ambiguous": "Several legal moves fit; no later move of the game is read.",
    "illegal": "No legal move fits; no later move of the game is read.",
    "not-san": "It is not a move; no later move of the game is read.",
    Outcome.AFTER_RESULT.value: "It is counted, but not read.",
    NO_MOVE_REPLACED: "The variation does not follow a move that it could replace.",
}
"""The sentence for each kind of text that does not mean one move."""
ODD: Final = {oddity.value: oddity.sentence for oddity in Oddity}
"""The names of irregularities outside the moves, with their sentences."""
_MEANINGS: Final = {
    **{deviation.value: deviation.sentence for deviation in Spelling},
    **(SENTENCES | ODD),
    **{outcome.value: f"Games {outcome.sentence}." for outcome in _WHOLE_GAMES},
}
NOTES: Final = {*ODD, Spelling.ANNOTATION.value} - {
    Oddity.NULL_MOVE.value,
    Oddity.FOREIGN_LETTER.value,
    Oddity.WRONG_RESULT.value,
    Oddity.AFTER_END.value,
}
"""Deviations that leave the move clear."""
FOUND: Final = "found.pgn"
SPLIT: Final = ("clean.pgn", "broken.pgn")
Found = Deviation | GameOutcome
"""A deviation, or a game that was not read to its end."""


def lint(names: Sequence[str], options: Options, form: str = "text", limit: int = 1000) -> int:
    """Print the deviations in files, folders or ``-`` in one of the formats. Return the exit code.

    Everything that ends the reading of a game is shown first. Of the rest, the formats for people
    show at most ``limit``. Raises a Failure if a source has no move.
    """
    sums, results = _scanned(names, options)
    found = (one for both in results for one in _named(*both))
    is_json = form == "json"
    pieces = _as_json(sums, found) if is_json else _as_findings(form, sums, found, limit)
    print_written(form, pieces)
    return exit_code(sums.summary()) or (ANSWER_NO if _kinds(sums) else 0)


def pick(names: Sequence[str], options: Options, out: Path | None) -> int:
    """Print the places of a string, or separate the games without deviations from the others.

    With a directory, which has to be empty or new, those games go there as PGN. The exit code is 1
    if a string was not found, 2 if a source or a game was not read to its end.
    """
    sums, results = _scanned(names, options)
    if out is not None:
        prepare(out, "", "scan")
    hits, lost = 0, list[str]()
    with ExitStack() as stack:
        wanted = SPLIT if options.split else (FOUND,)
        files = [stack.enter_context(whole_file(out / name)) for name in wanted if out]
        if options.find:
            print_written("text", [csv_text([("source", "game", "ply")])])
        for chunk, result in results:
            print_written("text", [csv_text(result.hits)])
            for file, games in zip(files, result.picked, strict=False):
                file.write(games)
            hits += len(result.hits)
            lost += (_line_of(finding_of(one)) for one in _named(chunk, result) if _is_lost(one))
    if out and options.split:
        print_written("text", (f"{out / name}\n" for name in SPLIT))
    sys.stderr.writelines(written("text", lost))
    return exit_code(sums.summary()) or (0 if options.split or hits else ANSWER_NO)


def _scanned(
    names: Sequence[str], options: Options
) -> tuple[Sums, Iterator[tuple[Chunk, ChunkResult]]]:
    """Return the chunks of sources, in order, with what is found in them; and their sums so far."""
    sources = find_sources(names)
    sums = Sums(sources)
    suitable = suited(options, total_size(sources, USUAL_RATIO))

    def results() -> Iterator[tuple[Chunk, ChunkResult]]:
        for one in scan_in_order(chunks_of(sources, sums.damaged), Inline(), suitable):
            sums.take(one[0], one[1].summed())
            yield one

    return sums, results()


def _kinds(sums: Sums) -> dict[str, int]:
    """Return how much of each kind deviates, and how many games were not read, most first."""
    games = {name.value: sums.total[f"games_{name}"] for name in _WHOLE_GAMES}
    return most_first(*sums.kinds, games)


def _named(chunk: Chunk, result: ChunkResult) -> list[Found]:
    """Return what deviates, and the games that are named themselves, source by source."""
    order = {piece.source: number for number, piece in enumerate(chunk)}
    games = (game for game in result.games if game.outcome in _WHOLE_GAMES)
    return sorted([*result.found, *games], key=lambda one: order[one.source])


def _is_lost(found: Found) -> bool:
    """Check whether it tells that a game was not read to its end."""
    if isinstance(found, GameOutcome):
        return True
    return not found.variation and found.kind.partition(" ")[0] in SENTENCES


def _as_json(sums: Sums, found: Iterator[Found]) -> Iterator[str]:
    """Write all that deviates, in order, and the sums after it."""

    def tail() -> dict[str, object]:
        numbers = {"found": sums.kinds[0].total()}
        if apart := sums.kinds[1].total():
            numbers["found_in_variations"] = apart
        return {**numbers, "counts": dict(sorted(sums.total.items()))}

    def entry(one: Found) -> str:
        said = {"rules": _rules_of(one), "sentence": sentence_of(one)}
        return json.dumps(public(one) | said)

    yield from json_object({}, "deviations", map(entry, found), tail)


def _as_findings(form: str, sums: Sums, found: Iterator[Found], limit: int) -> Iterator[str]:
    """Write what is lost and the first of the rest in a format, and how much there is."""
    lost: list[Finding] = []
    others: list[Finding] = []
    for one in found:
        if _is_lost(one):
            lost.append(finding_of(one))
        elif len(others) < limit:
            others.append(finding_of(one))
    kinds, findings = _kinds(sums), [*lost, *others]
    number = sum(kinds.values())
    if form == "sarif":
        properties = {"found": number, "shown": len(findings)}
        yield from sarif(_MEANINGS, findings, lambda: {"properties": properties})
        return
    last = [
        *filter(None, [more(number - len(lost), limit)]),
        *(f"{times:>9,} {kind}" for kind, times in kinds.items()),
        " ".join(in_words(sums.summary())),
    ]
    is_github = form == "github"
    yield from github_lines(findings) if is_github else map(_line_of, findings)
    yield from github_lines(last) if is_github else text_lines(last, None)


def _line_of(finding: Finding) -> str:
    """Return a finding after its place, as a line."""
    place = f"{source_name(finding.source or '')}:{finding.line}:{finding.column}"
    return f"{place}: {finding.sentence}\n"


def finding_of(found: Found) -> Finding:
    """Return the finding for a deviation or a game; its fingerprint does not depend on the line."""
    source, (rule, *_) = found.source, _rules_of(found)
    if isinstance(found, GameOutcome):
        line, column = found.place or (found.line, 1)
        place = line, column, column + 1
        level, told = "error", [found.white, found.black, found.date, found.round, found.hash]
    else:
        place = found.line, found.column, found.end_column
        level = "error" if rule in SENTENCES else "note" if rule in NOTES else "warning"
        told = [str(found.ply), found.written, found.fen]
    mark = hashlib.sha256("\n".join([source, rule, *told]).encode(errors="replace")).hexdigest()
    return Finding(rule, sentence_of(found), f"sanproof: {rule}", source, *place, level, mark[:32])


def _rules_of(found: Found) -> list[str]:
    """Return the public names of what is wrong."""
    if isinstance(found, GameOutcome):
        return [found.outcome]
    return found.kind.split() if found.canonical else found.kind.split()[:1]


def sentence_of(found: Found) -> str:
    """Return a sentence for people about a deviation or a game."""
    if isinstance(found, GameOutcome):
        players = " - ".join(_shown(name) for name in (found.white, found.black) if name)
        left = number_of(found.left, "move text was not read", "move texts were not read")
        whose = f" ({players})" if players else ""
        why = plain(found.reason).rstrip(".")
        said = f"Game {found.game}{whose} is not read to its end ({found.outcome}): {why}"
        return f"{said}; {left}." if found.left else f"{said}."
    where = f" Position: {found.fen}" if found.fen else ""
    if found.kind in ODD and found.kind != Oddity.FOREIGN_LETTER.value:
        details = {
            Oddity.MISSING_TAG.value: f" Missing: {found.canonical}",
            Oddity.WRONG_RESULT.value: f" Here stands {_shown(found.written)}.{where}",
        }
        return f"{found.kind}. {ODD[found.kind]}{details.get(found.kind, '')}"
    written = _shown(found.written)
    if found.canonical:
        means = " ".join(_MEANINGS[kind] for kind in found.kind.split())
        return f"{written} should be written {found.canonical} ({found.kind}). {means}"
    kind, _, reason = found.kind.partition(" ")
    why = f" ({reason}). {Illegality(reason).sentence}" if reason else "."
    name = {"not-san": "not SAN", Outcome.AFTER_RESULT: "after the result"}.get(kind, kind)
    meaning = SENTENCES[kind]
    if found.variation:
        meaning = meaning.replace("move of the game", "move of the variation")
    return f"{written} is {name}{why} {meaning}{where}"


def _shown(text: str) -> str:
    """Return a text of a file as people read it: letters of any script as they are."""
    is_plain = text.isprintable() and text == text.strip() != "" and not text.startswith("::")
    return cut(text, 60) if is_plain and not text.isascii() else shown(text)
