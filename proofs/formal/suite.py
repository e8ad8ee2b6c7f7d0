"""Prove the suite's answers: ``python -m sanproof.proofs.formal.suite CORE BUILD``.

CORE is ``data/conformance/core.json``. Coq compiles `Suite.v`, which defines the right answers,
before the cases exist as a file of Coq. It proves that each case has the right answer, or names
those that have not, and prints what the proof assumes. Then it prints the cases, which are compared
with CORE, byte for byte. Exit codes: 0 proved, 1 not proved, 2 wrong usage, 4 could not finish.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Any

from sanproof.proofs.formal.coq import LOGICAL_NAME, Build, MisuseError, NotProvedError, run

if TYPE_CHECKING:
    from pathlib import Path

DEFINITIONS = ("Chess", "Forms", "Suite")
"""The files that have to be read and believed, in the order of compiling."""
JUDGED = "Judged"
CASES = "Cases"
PROVED = "Proved"
"""The generated file which proves that the cases have the right answers."""
CUSTOMS = ("always", "pseudo-legal", "legal")
"""The conventions of when a FEN names the square that a pawn has just passed."""
UNSTATED = frozenset(
    f"text.{name}"
    for name in (
        *("annotation", "castling-as-king-move", "e.p.", "false-e.p.", "figurine", "nag", "zeros"),
        *("missing-rank-of-square", "move-number", "no-hyphens", "other-capture-sign", "small-o"),
        *("pawn-letter", "promotion-after-slash", "promotion-in-parentheses", "small-piece"),
        *("superfluous-equals", "typographic-dash", "white-space"),
    )
)
"""The kinds of mistakes that readers may tolerate, and that `Suite.v` does not define."""
PLAIN = re.compile(rb"[ !#-~]+")
"""The bytes that a literal of Coq may contain: visible ASCII and blanks, but no quotation mark."""
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
"""The file of the proof. The wrong cases are computed once, when ``Qed`` checks the proof."""
PINNED = f"""\
Require {LOGICAL_NAME}.{PROVED}.
Definition all_answered : Coq.Lists.List.Forall {LOGICAL_NAME}.Suite.answered {PLACES}
  := {LOGICAL_NAME}.{PROVED}.all_answered.
Print Assumptions all_answered.
"""
"""The file that states the theorem with full names."""


Stated = dict[tuple[str, ...], dict[str, list[str]]]
"""The cases that Coq is given: the words of `Suite.question` by identifier, for each position.
A position is a FEN, followed by the moves in UCI that lead to it."""


def question(case: dict[str, Any]) -> list[str] | None:
    """Return a case as the words of `Suite.question`, or None if the rules don't define its answer.

    The rules do not define how to read game files, positions that no game reaches, spellings that a
    reader may tolerate, and texts that a reader may take as it likes.
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
    """Return the cases of a suite that have a form in Coq."""
    places: Stated = defaultdict(dict)
    for case in suite["cases"]:
        if words := question(case):
            moves = suite["games"][case["game"]].split()[: case["plies"]]
            places[case["fen"], *moves][case["id"]] = words
    return dict(places)


def lines(places: Stated) -> list[str]:
    """Return the lines that `Suite.printed` should print, a character for each byte of UTF-8."""
    found = []
    for place, cases in places.items():
        found.append("\t".join(place))
        found += ["\t".join([name, *words]) for name, words in cases.items()]
    return [line.encode().decode("latin-1") for line in found]


def literal(text: str) -> str:
    """Return a term of Coq for the bytes of a text in UTF-8. No text can end its literals."""
    runs = re.findall(PLAIN.pattern + b"|.", text.encode(), re.DOTALL)
    terms = [
        f'"{run.decode()}"' if PLAIN.fullmatch(run) else f'String "{run[0]:03}"%char ""'
        for run in runs
    ]
    return f"({' ++ '.join(terms)})" if terms else '""'


def cases_file(places: Stated) -> str:
    """Return the file of Coq with the cases.

    Coq takes long to read literals, so a text that occurs more than once is defined under a name.
    """
    asked = [words for cases in places.values() for words in cases.values()]
    occurring = Counter(chain.from_iterable(words[1:] for words in asked))
    occurring.update(move for _, *game in places for move in game)
    often = [text for text, times in occurring.items() if times > 1]
    names = {text: f"t{number}" for number, text in enumerate(often)}

    def term(text: str) -> str:
        return names.get(text) or literal(text)

    def question_term(words: list[str]) -> str:
        kind, *texts = words[0], *map(term, words[1:])
        return f"Lists [{'; '.join(texts)}]" if kind == "Lists" else " ".join([kind, *texts])

    terms = []
    for (fen, *moves), cases in places.items():
        asked_here = ";\n  ".join(
            f"({literal(name)}, {question_term(words)})" for name, words in cases.items()
        )
        game = "; ".join(map(term, moves))
        terms.append(f"Place {literal(fen)}\n [{game}]\n [{asked_here}]")
    defined = (f"Definition {name} := {literal(text)}.\n" for text, name in names.items())
    listed = ";\n".join(terms)
    return f"{HEAD}{''.join(defined)}Definition places : list place := [\n{listed}\n].\n"


def begin(folder: Path, workers: int = 1) -> Build:
    """Compile `JUDGED` in a new folder, so that Coq can be asked about cases."""
    build = Build.begin(folder, DEFINITIONS)
    build.compile_all([JUDGED], workers)
    return build


def wrong_cases(build: Build) -> list[str]:
    """Return the identifiers of the compiled `CASES` that have a wrong answer, as Coq says."""
    wrong = f"Eval vm_compute in {LOGICAL_NAME}.Judged.wrong {PLACES}."
    return re.findall(r'"([^"]*)"', build.ask(CASES, ["Require Sanproof.Judged.", wrong]))


def read_suite(path: Path) -> dict[str, Any]:
    """Read a suite.

    Raises:
        MisuseError: The file does not contain a suite.
    """
    try:
        suite = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise MisuseError(f"{path} is no suite: {error}") from error
    if not isinstance(suite, dict) or not {"cases", "games", "version"} <= set(suite):
        raise MisuseError(f"{path} is no suite: it has no cases, games or version.")
    return suite


def prove(core: Path, folder: Path, workers: int) -> str:
    """Prove the answers of the suite in ``folder``, and return a sentence with what was proved."""
    suite = read_suite(core)
    places = stated(suite)
    build = begin(folder, workers)
    build.compile(CASES, cases_file(places))
    try:
        build.compile(PROVED, PROOF)
    except NotProvedError as error:
        wrong = " ".join(wrong_cases(build))
        raise NotProvedError(f"Answered wrongly: {wrong or error}") from error
    build.pin("Pinned_answers", PINNED)
    expected = lines(places)
    if build.strings(CASES, f"Suite.printed {PLACES}", len(expected)) != expected:
        raise NotProvedError("The cases that Coq prints are not those of the suite.")
    number, all_cases = sum(map(len, places.values())), len(suite["cases"])
    return (
        f"Proved in Coq, with no axiom: {number:,} of the {all_cases:,} cases of suite "
        f"{suite['version']} are answered rightly, in {len(places):,} positions, each reached by a "
        f"legal game. The other {all_cases - number} are of game files, of tolerant spellings, "
        f"or of positions that no game reaches."
    )


if __name__ == "__main__":
    run(__doc__, "the suite, data/conformance/core.json", prove)
