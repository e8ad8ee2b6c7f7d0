"""Prove the suite's answers: ``python -m sanproof.proofs.formal.suite CORE BUILD``.

CORE is ``data/conformance/core.json``. Coq compiles `Suite.v`, which says what a right answer is,
before the cases exist as a file of Coq. It proves that each case is answered rightly, or names
those that are not, and prints what the proof assumes. Then it prints the cases, which are compared
with CORE, byte for byte. Exit codes: 0 proved, 1 not proved, 2 misuse, 4 could not finish.
"""

from __future__ import annotations

import argparse
import graphlib
import json
import re
import resource
import time
from collections import Counter, defaultdict
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from sanproof.proofs.formal.build import (
    CLOSED,
    LOGICAL_NAME,
    MisuseError,
    NotProvedError,
    ask,
    compile_file,
    conclude,
    dependencies,
    fingerprint,
    prepare,
    printed_list,
)

DEFINITIONS = ("Chess", "Forms", "Suite")
"""The files to read and believe, in the order of compiling."""
JUDGED = "Judged"
CASES = "Cases"
PROVED = "Proved"
"""The generated files: the cases, and that they are answered rightly."""
CUSTOMS = ("always", "pseudo-legal", "legal")
"""When a FEN names the square that a pawn has passed."""
UNSTATED = frozenset(
    f"text.{name}"
    for name in (
        *("annotation", "castling-as-king-move", "e.p.", "false-e.p.", "figurine", "nag", "zeros"),
        *("missing-rank-of-square", "move-number", "no-hyphens", "other-capture-sign", "small-o"),
        *("pawn-letter", "promotion-after-slash", "promotion-in-parentheses", "small-piece"),
        *("superfluous-equals", "typographic-dash", "white-space"),
    )
)
"""Mechanisms whose texts are tolerated, but are none of the spellings of `Suite.v`."""
PLAIN = re.compile(rb"[ !#-~]+")
"""What stands in a literal of Coq as it is: ASCII that can be seen, and no quotation mark."""
PLACES = f"{LOGICAL_NAME}.{CASES}.places"
HEAD = """From Coq Require Import String Ascii List.
From Sanproof Require Import Suite.
Import ListNotations.
Open Scope string_scope.
"""
PROOF = """From Coq Require Import String List.
From Sanproof Require Import Suite Judged Cases.
Import ListNotations.
Theorem nothing_is_wrong : wrong places = [].
Proof. vm_cast_no_check (eq_refl (@nil string)). Qed.
Theorem all_answered : Forall answered places.
Proof. exact (nothing_wrong places nothing_is_wrong). Qed.
"""
"""What is wrong is computed once, when ``Qed`` checks the proof."""
PINNED = (
    f"Definition all_answered : Coq.Lists.List.Forall {LOGICAL_NAME}.Suite.answered {PLACES}",
    f"  := {LOGICAL_NAME}.{PROVED}.all_answered.",
    "Print Assumptions all_answered.",
)
"""What is proved, in whole names."""


class Place(NamedTuple):
    """A position's FEN, and the moves in UCI that lead to it."""

    fen: str
    game: tuple[str, ...]


Stated = dict[Place, dict[str, list[str]]]
"""The cases that Coq is given: for each place, by identifier, the words of `Suite.question`."""


def question(case: dict[str, Any]) -> list[str] | None:
    """Return a case as the words of `Suite.question`, or None if the rules don't define its answer.

    The rules alone say nothing of game files, of positions that no game reaches, of spellings that
    a reader may tolerate, and of what a reader may do as it likes.
    """
    if "game" not in case or case["mechanism"] in UNSTATED:
        return None
    match case["operation"], case["class"], case.get("expected"):
        case "read", "must", str(uci):
            return ["Reads", case["san"], uci]
        case "read", "may", str(uci):
            return ["Means", case["san"], uci]
        case "read", "may", None:
            return None
        case "read", "must not", None:
            return ["Refuses", case["san"]]
        case "write", "must", str(san):
            return ["Writes", case["uci"], san]
        case "moves", "must", list(sans):
            return ["Lists", *sans]
        case "play", "must", dict(fens) if set(fens) == set(CUSTOMS):
            return ["Plays", case["san"], *(fens[custom] for custom in CUSTOMS)]
    raise MisuseError(f"{case['id']}: no question of Suite.v has this form.")


def stated(suite: dict[str, Any]) -> Stated:
    """Return the cases of a suite that Coq is given."""
    places: Stated = defaultdict(dict)
    for case in suite["cases"]:
        if words := question(case):
            moves = suite["games"][case["game"]].split()[: case["plies"]]
            places[Place(case["fen"], tuple(moves))][case["id"]] = words
    return dict(places)


def lines(places: Stated) -> list[str]:
    """Return what `Suite.printed` says of places, a character for each byte of UTF-8."""
    found = []
    for place, cases in places.items():
        found.append("\t".join([place.fen, *place.game]))
        found += ["\t".join([name, *words]) for name, words in cases.items()]
    return [line.encode().decode("latin-1") for line in found]


def literal(text: str) -> str:
    """Return a text's bytes in UTF-8 as a term of Coq; nothing in it can close the literal."""
    runs = re.findall(PLAIN.pattern + b"|.", text.encode(), re.DOTALL)
    terms = [
        f'"{run.decode()}"' if PLAIN.fullmatch(run) else f'String "{run[0]:03}"%char ""'
        for run in runs
    ]
    return f"({' ++ '.join(terms)})" if terms else '""'


def cases_file(places: Stated) -> str:
    """Return the places as a file of Coq.

    Reading literals takes Coq long, so a text that occurs more than once is defined under a name.
    """
    asked = [words for cases in places.values() for words in cases.values()]
    occurring = Counter(chain.from_iterable(words[1:] for words in asked))
    occurring.update(move for place in places for move in place.game)
    often = [text for text, times in occurring.items() if times > 1]
    names = {text: f"t{number}" for number, text in enumerate(often)}

    def term(text: str) -> str:
        return names.get(text) or literal(text)

    def question_term(words: list[str]) -> str:
        kind, *texts = words[0], *map(term, words[1:])
        return f"Lists [{'; '.join(texts)}]" if kind == "Lists" else " ".join([kind, *texts])

    terms = []
    for place, cases in places.items():
        asked_here = ";\n  ".join(
            f"({literal(name)}, {question_term(words)})" for name, words in cases.items()
        )
        game = "; ".join(map(term, place.game))
        terms.append(f"Place {literal(place.fen)}\n [{game}]\n [{asked_here}]")
    defined = (f"Definition {name} := {literal(text)}.\n" for text, name in names.items())
    listed = ";\n".join(terms)
    return f"{HEAD}{''.join(defined)}Definition places : list place := [\n{listed}\n].\n"


def compile_judge(build: Path) -> dict[str, str]:
    """Make a folder with `Judged` compiled; returns the fingerprint of the definitions.

    Raises:
        MisuseError: the folder holds something else than an earlier build.
        NotProvedError: Coq refuses a file.
    """
    prepare(build)
    for name in DEFINITIONS:
        compile_file(build, name)
    before = fingerprint(build, DEFINITIONS)
    required, graph = [JUDGED], dependencies(build)
    for name in required:
        required += [other for other in sorted(graph[name]) if other not in required]
    for name in graphlib.TopologicalSorter({n: graph[n] for n in required}).static_order():
        if name not in DEFINITIONS:
            compile_file(build, name)
    return before


def wrong_cases(build: Path) -> list[str]:
    """Return the cases of the compiled `CASES` that are answered wrongly, with what Coq says."""
    wrong = f"Eval vm_compute in {LOGICAL_NAME}.Judged.wrong {PLACES}."
    return re.findall(r'"([^"]*)"', ask(build, "wrong", CASES, ["Require Sanproof.Judged.", wrong]))


def prove(suite: dict[str, Any], build: Path) -> str:
    """Do all of it, and say in a sentence what was proved.

    Raises:
        MisuseError: the folder holds something else than an earlier build.
        NotProvedError: Coq refuses a case, or says something else than what is claimed.
    """
    start = time.monotonic()
    before = compile_judge(build)
    places = stated(suite)
    (build / f"{CASES}.v").write_text(cases_file(places), encoding="ascii")
    (build / f"{PROVED}.v").write_text(PROOF, encoding="ascii")
    compile_file(build, CASES)
    try:
        compile_file(build, PROVED)
    except NotProvedError as error:
        raise NotProvedError(
            f"Answered wrongly: {' '.join(wrong_cases(build)) or error}"
        ) from error
    if fingerprint(build, DEFINITIONS) != before or any(build.glob("*.vio")):
        raise NotProvedError("The compiled definitions were changed while the cases compiled.")
    if (said := ask(build, "assumed", PROVED, PINNED)) != f"{CLOSED}\n":
        raise NotProvedError(f"The answers rest on more than Coq:\n{said.strip()}")
    expected = lines(places)
    shown = printed_list(build, "cases", CASES, f"Suite.printed {PLACES}", len(expected))
    if shown != expected:
        raise NotProvedError("The cases that Coq prints are not those of the suite.")
    number, all_cases = sum(map(len, places.values())), len(suite["cases"])
    seconds, used = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return (
        f"Proved in Coq, with no axiom: {number:,} of the {all_cases:,} cases of suite "
        f"{suite['version']} are answered rightly, in {len(places):,} positions, each reached by a "
        f"legal game. The other {all_cases - number} are of game files, of tolerant spellings, "
        f"or of positions that no game reaches. "
        f"{seconds:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processor time, "
        f"{used.ru_maxrss / 1024:.0f} MB for the largest process."
    )


def read_suite(path: Path) -> dict[str, Any]:
    """Return a suite.

    Raises:
        MisuseError: the file holds none.
    """
    try:
        suite = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise MisuseError(f"{path} is no suite: {error}") from error
    if not isinstance(suite, dict) or not {"cases", "games", "version"} <= set(suite):
        raise MisuseError(f"{path} is no suite: it has no cases, games or version.")
    return suite


def main() -> None:
    """Build, and say what was proved."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("core", type=Path, help="the suite, data/conformance/core.json")
    parser.add_argument(
        "build", type=Path, help="the folder to build in: empty, new, or an earlier build"
    )
    options = parser.parse_args()
    conclude(parser, lambda: [prove(read_suite(options.core), options.build)])


if __name__ == "__main__":
    main()
