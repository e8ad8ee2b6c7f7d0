"""Lies planted in random cases of the suite: ``python -m tests.proofs.formal.suite_lies BUILD``.

BUILD is an empty folder, or an earlier build. Each of ``--number`` cases gets one wrong answer, or
a wrong position, of a kind that suits it; as many others stay as they are. Coq must name the lies,
and no other case. Exit codes: 0 it does, 1 it does not.
"""

from __future__ import annotations

import argparse
import copy
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import chess

from sanproof.proofs.formal.build import compile_file
from sanproof.proofs.formal.suite import (
    CASES,
    cases_file,
    compile_judge,
    question,
    read_suite,
    stated,
    wrong_cases,
)
from tests.verify.command import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

CORE: Final = ROOT / "data" / "conformance" / "core.json"
Case = dict[str, Any]


def other_move(case: Case, chance: Random, uci: str = "") -> str:
    """Return a legal move of the case's position that is not this one."""
    moves = sorted(move.uci() for move in chess.Board(case["fen"]).legal_moves)
    return chance.choice([move for move in moves if move != uci] or ["a1a1"])


def other_sign(san: str, chance: Random) -> str:
    """Return a move with another sign of check."""
    bare = san.rstrip("+#")
    return chance.choice([bare + sign for sign in ("", "+", "#") if bare + sign != san])


def superfluous(case: Case, san: str) -> str:
    """Return a move with one square more than it needs, or less."""
    if san[0] == "O":
        return san.replace("O", "0")
    return san[0] + case["uci"][:2] + san[1:] if san[0].isupper() else san.upper()


def other_field(fen: str, place: int) -> str:
    """Return a FEN that differs in one of its six words, and is well formed."""
    words = fen.split()
    turn = words[1]
    rows = words[0]
    emptied = next(letter for letter in rows if letter in "QRBNPqrbnp" or letter == "k")
    words[place] = {
        0: rows.replace(emptied, {"k": "q"}.get(emptied, "1"), 1),
        1: {"w": "b", "b": "w"}[turn],
        2: "-" if words[2] != "-" else "K",
        3: {"w": "e3", "b": "e6"}[turn],  # of the wrong player: "-" may be right as well
        4: str(int(words[4]) + 1),
        5: str(int(words[5]) + 1),
    }[place]
    return " ".join(words)


def another_answer(case: Case, chance: Random) -> str:
    """Give a case a wrong answer; returns of which kind."""
    answer: Any = case.get("expected")
    match case["operation"], case["class"]:
        case "read", "must not":
            case |= {"class": "must", "expected": other_move(case, chance)}
            return "refused, said to be a move"
        case "read", "may":
            case["expected"] = other_move(case, chance, answer)
            return "another move is meant"
        case "read", _:
            kind = chance.choice(("another move", "another sign", "refused"))
            if kind == "another move":
                case["expected"] = other_move(case, chance, answer)
            elif kind == "another sign":
                case["san"] = other_sign(case["san"], chance)
            else:
                case["class"] = "must not"
                del case["expected"]
            return f"read: {kind}"
        case "write", _:
            kind = chance.choice(("another sign", "another move", "another origin"))
            if kind == "another sign":
                case["expected"] = other_sign(answer, chance)
            elif kind == "another move":
                case["uci"] = other_move(case, chance, case["uci"])
            else:
                case["expected"] = superfluous(case, answer)
            return f"written: {kind}"
        case "moves", _:
            kind = chance.choice(("one left out", "one twice", "one too many"))
            one = chance.choice(answer)
            rest = [san for san in answer if san != one]
            more = {"one twice": [*answer, one], "one too many": [*answer, other_sign(one, chance)]}
            case["expected"] = more.get(kind, rest)
            return f"moves: {kind}"
        case _:
            custom, place = chance.choice(sorted(answer)), chance.randrange(6)
            case["expected"] = answer | {custom: other_field(answer[custom], place)}
            return f"played: word {place + 1} of the FEN"


def another_position(case: Case, chance: Random) -> str:
    """Give a case a FEN that its game does not reach, or end its game a ply early."""
    if case["plies"] and chance.random() < 0.3:
        case["plies"] -= 1
        return "position: a ply less"
    place = chance.randrange(6)
    case["fen"] = other_field(case["fen"], place)
    return f"position: word {place + 1} of the FEN"


def planted(suite: Case, number: int, seed: int) -> tuple[Case, dict[str, str]]:
    """Return a suite with lies, and as many cases without; and the kind of each lie by case."""
    chance = Random(seed)
    cases = chance.sample([case for case in suite["cases"] if question(case)], 2 * number)
    kinds: dict[str, str] = {}
    for case in (lies := copy.deepcopy(cases[:number])):
        plant: Callable[[Case, Random], str]
        plant = chance.choice((another_answer, another_answer, another_answer, another_position))
        kinds[case["id"]] = plant(case, chance)
    return suite | {"cases": lies + cases[number:]}, kinds


def named(build: Path, suite: Case) -> set[str]:
    """Return the cases that Coq says are answered wrongly."""
    (build / f"{CASES}.v").write_text(cases_file(stated(suite)), encoding="ascii")
    compile_file(build, CASES)
    return {case["id"] for case in suite["cases"]} & set(wrong_cases(build))


def main() -> None:
    """Plant lies, and print of which kinds they were and what Coq says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    suite, kinds = planted(read_suite(CORE), options.number, options.seed)
    compile_judge(options.build)
    found = named(options.build, suite)
    said = [f"{count:4} {kind}" for kind, count in sorted(Counter(kinds.values()).items())]
    said += [
        f"{'NOT REFUSED' if name in kinds else 'REFUSED'}: {name}, {kinds.get(name)}"
        for name in sorted(found ^ set(kinds))
    ]
    lies, others = len(found & set(kinds)), len(found - set(kinds))
    said.append(f"Coq names {lies} of {len(kinds)} lies, and {others} other cases.\n")
    sys.stdout.write("\n".join(said))
    sys.exit(found != set(kinds))


if __name__ == "__main__":
    main()
