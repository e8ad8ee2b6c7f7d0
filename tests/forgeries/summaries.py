"""Forged counts: a change in the summary, said alike in the page for people."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from sanproof.reports.archive.schema import TIMES_OF_RUN as TIMES
from sanproof.reports.tables.names import MANIFEST, SUMMARY, SUMMARY_TEXT
from sanproof.reports.tables.summary import DIMENSIONS, to_json, to_markdown
from sanproof.verify.claims.manifest import make_manifest
from tests.forgeries.model import OTHER_PATTERN, Files, Forgery, Kind, Scene, sealed

Summary = dict[str, Any]


def forged(change: Callable[[Summary, Random], object]) -> Kind:
    """A change in both forms of the summary; the manifest has the true counts."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        summary = json.loads(run[SUMMARY])
        change(summary, scene.random)
        files = run | {SUMMARY: to_json(summary), SUMMARY_TEXT: to_markdown(summary)}
        return Forgery(with_true_counts(files, run), (SUMMARY,))

    return forge


def with_true_counts(files: Files, run: Files) -> Files:
    """The files with a manifest that has the counts of a sound run."""
    content = {name: text for name, text in files.items() if name != MANIFEST}
    return content | {MANIFEST: make_manifest(content, json.loads(run[SUMMARY]))}


def count_changed(summary: Summary, random: Random) -> None:
    rows = [row for name in DIMENSIONS for row in summary[f"by_{name}"].values()]
    rows += [part for part in (summary["games"], summary["cover"]) if part]
    table = random.choice([summary, summary["by_reason"], *rows])
    name = random.choice([name for name in table if isinstance(table[name], int)])
    table[name] += random.choice((-1, 1))


def generator_count_changed(summary: Summary, random: Random) -> None:
    summary["generator"]["strings"] += random.choice((-1, 1))


def pattern_changed(summary: Summary, random: Random) -> None:
    summary["only"] = random.choice([None, "*", OTHER_PATTERN])


def undecided_string_named(summary: Summary, random: Random) -> None:
    name = random.choice(("undecided_strings", "undecided_players"))
    summary[name] = ["Nxb1"]


def version_changed(summary: Summary, random: Random) -> None:
    summary["versions"][random.choice(list(summary["versions"]))] += ".1"


def times_that_are_none(summary: Summary, random: Random) -> None:
    """Of times the audit knows only that they are numbers."""
    times = summary[random.choice(("search", "times"))]
    wrong = ["1", True, None, [1.5], {}, float("nan"), float("inf"), -1, 10**400, 1e300]
    times[random.choice(list(times))] = random.choice(wrong)


def times_of_another_name(summary: Summary, random: Random) -> None:
    times = summary[random.choice(("search", "times"))]
    times["this_run_is_proved_by_god"] = times.pop(random.choice(list(times)))


def search_that_does_not_fit(summary: Summary, random: Random) -> None:
    """More witnesses replaced than there are, or positions given up of which none was replaced."""
    lies: list[Summary] = [
        {"witnesses": 0, "witnesses_replaced": 1, "positions_given_up": 1},
        {"witnesses": 50, "witnesses_replaced": 2, "positions_given_up": 1},
        {"witnesses": 50, "witnesses_replaced": 0, "positions_given_up": 1},
        {"witnesses": 50.5, "witnesses_replaced": 0, "positions_given_up": 0},
    ]
    summary["search"] = random.choice(lies)


def of_another_shape(scene: Scene) -> Forgery:
    """JSON, but not what a summary is."""
    run = scene.any_run()
    summary = json.loads(run[SUMMARY])
    shapes = [b"[]", b"7", b"{}", to_json({"times": {}})]
    for name in ("search", "times"):
        shapes += [to_json(summary | {name: shape}) for shape in (None, 1, [1.5], "")]
    return _another(run, scene.random.choice(shapes))


def no_json(scene: Scene) -> Forgery:
    """Text, but no JSON; or nested, a little or more than Python reads."""
    run = scene.any_run()
    deep = scene.random.choice((400, 1200, 60_000))
    texts = [b"", b"{", b"[" * deep, b"[" * deep + b"]" * deep, b'{"times": ' * deep]
    return _another(run, scene.random.choice(texts))


def nested_deeply(scene: Scene) -> Forgery:
    """A part that no part of the audit reads, nested as deep as Python writes it no more."""
    run = scene.any_run()
    text = run[SUMMARY].replace(b'"undecided_strings": [', b'"undecided_strings": [' + b"[" * 1200)
    return _another(run, text.replace(b'"undecided_players"', b"]" * 1200 + b'"undecided_players"'))


def _another(run: Files, text: bytes) -> Forgery:
    return Forgery(with_true_counts(run | {SUMMARY: text}, run), (SUMMARY,))


def respelled(scene: Scene) -> Forgery:
    """The same values in another layout."""
    run = scene.any_run()
    name = scene.random.choice((SUMMARY, MANIFEST))
    indent = scene.random.choice((None, 0, 1, 3, 4))
    files = run | {name: (json.dumps(json.loads(run[name]), indent=indent) + "\n").encode()}
    return Forgery(files if name == MANIFEST else sealed(files), (name,))


def entry_twice(scene: Scene) -> Forgery:
    """Readers differ in which of two they take."""
    run = scene.any_run()
    number = f'"{scene.random.choice(TIMES)}": 7,'
    text = run[SUMMARY].replace(b'"times": {', b'"times": {' + number.encode())
    return _another(run, text)


KINDS: Final[dict[str, Kind]] = {
    "summary: count": forged(count_changed),
    "summary: generator's count": forged(generator_count_changed),
    "summary: pattern": forged(pattern_changed),
    "summary: undecided string": forged(undecided_string_named),
    "summary: version": forged(version_changed),
    "summary: times": forged(times_that_are_none),
    "summary: times of another name": forged(times_of_another_name),
    "summary: search": forged(search_that_does_not_fit),
    "summary: shape": of_another_shape,
    "summary: no JSON": no_json,
    "summary: nested deeply": nested_deeply,
    "summary: an entry twice": entry_twice,
    "JSON: layout": respelled,
}
