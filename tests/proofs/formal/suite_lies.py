"""Lies planted in random cases of the suite: ``python -m tests.proofs.formal.suite_lies BUILD``.

BUILD is an empty folder, or an earlier build. Each of ``--number`` cases gets one wrong answer, or
a wrong position, of a kind that suits it; as many others stay as they are. Coq must name the lies,
and no other case. Exit codes: 0 it does, 1 it does not.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import chess

from sanproof.proofs.formal.suite import (
    CASES,
    begin,
    cases_file,
    question,
    read_suite,
    stated,
    wrong_cases,
)
from tests.verify.command import ROOT

CORE: Final = ROOT / "data" / "conformance" / "core.json"
Case = dict[str, Any]


def other_sign(san: str, chance: Random) -> str:
    """Return a move with another sign of check."""
    bare = san.rstrip("+#")
    return chance.choice([bare + sign for sign in ("", "+", "#") if bare + sign != san])


def superfluous(case: Case, san: str) -> str:
    """Return a move with one square more than it needs, or spelled otherwise."""
    if san[0] == "O":
        return san.replace("O", "0")
    return san[0] + case["uci"][:2] + san[1:] if san[0].isupper() else san.upper()


def other_field(fen: str, place: int) -> str:
    """Return a FEN that differs in one of its six words, and is well formed."""
    words = fen.split()
    men, turn = words[:2]
    emptied = next(letter for letter in men if letter in "QRBNPqrbnpk")
    words[place] = {
        0: men.replace(emptied, {"k": "q"}.get(emptied, "1"), 1),
        1: {"w": "b", "b": "w"}[turn],
        2: "-" if words[2] != "-" else "K",
        3: {"w": "e3", "b": "e6"}[turn],  # of the wrong player: "-" may be right as well
        4: str(int(words[4]) + 1),
        5: str(int(words[5]) + 1),
    }[place]
    return " ".join(words)


def wrong_answers(case: Case, chance: Random) -> dict[str, Case]:
    """Return, by its kind, what each wrong answer changes in a case."""
    answer: Any = case.get("expected")
    moves = sorted(move.uci() for move in chess.Board(case["fen"]).legal_moves)
    others = [move for move in moves if move not in (case.get("uci"), answer)]
    other = chance.choice(others or ["a1a1"])
    match case["operation"], case["class"]:
        case "read", "must not":
            return {"refused, said to be a move": {"class": "must", "expected": other}}
        case "read", "may":
            return {"another move is meant": {"expected": other}}
        case "read", _:
            return {
                "read: another move": {"expected": other},
                "read: another sign": {"san": other_sign(case["san"], chance)},
                "read: refused": {"class": "must not", "expected": None},
            }
        case "write", _:
            return {
                "written: another move": {"uci": other},
                "written: another sign": {"expected": other_sign(answer, chance)},
                "written: another origin": {"expected": superfluous(case, answer)},
            }
        case "moves", _:
            one = chance.choice(answer)
            return {
                "moves: one left out": {"expected": [san for san in answer if san != one]},
                "moves: one twice": {"expected": [*answer, one]},
                "moves: one too many": {"expected": [*answer, other_sign(one, chance)]},
            }
        case _:
            custom = chance.choice(sorted(answer))
            fens = {place: other_field(answer[custom], place) for place in range(6)}
            return {
                f"played: word {place + 1}": {"expected": answer | {custom: fen}}
                for place, fen in fens.items()
            }


def wrong_positions(case: Case) -> dict[str, Case]:
    """Return FENs that a case's game does not reach, and its game without the last ply."""
    kinds: dict[str, Case] = {
        f"position: word {place + 1}": {"fen": other_field(case["fen"], place)}
        for place in range(6)
    }
    return kinds | ({"position: a ply less": {"plies": case["plies"] - 1}} if case["plies"] else {})


def planted(suite: Case, number: int, seed: int) -> tuple[Case, dict[str, str]]:
    """Return a suite with lies, and as many cases without; and the kind of each lie by case."""
    chance = Random(seed)
    cases = chance.sample([case for case in suite["cases"] if question(case)], 2 * number)
    kinds: dict[str, str] = {}
    for place, case in enumerate(cases[:number]):
        is_answer = chance.random() < 0.75
        lies = wrong_answers(case, chance) if is_answer else wrong_positions(case)
        kind, change = chance.choice(list(lies.items()))
        kinds[case["id"]] = kind
        cases[place] = case | change
    return suite | {"cases": cases}, kinds


def main() -> None:
    """Plant lies, and print of which kinds they were and what Coq says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    suite, kinds = planted(read_suite(CORE), options.number, options.seed)
    build = begin(options.build)
    build.compile(CASES, cases_file(stated(suite)))
    named = {case["id"] for case in suite["cases"]} & set(wrong_cases(build))
    said = [f"{count:4} {kind}" for kind, count in sorted(Counter(kinds.values()).items())]
    said += [f"WRONG: {name}, {kinds.get(name)}" for name in sorted(named ^ set(kinds))]
    lies, others = len(named & set(kinds)), len(named - set(kinds))
    said.append(f"Coq names {lies} of {len(kinds)} lies, and {others} other cases.\n")
    sys.stdout.write("\n".join(said))
    sys.exit(named != set(kinds))


if __name__ == "__main__":
    main()
