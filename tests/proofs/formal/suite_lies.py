"""Lies planted in random cases of the suite: ``python -m tests.proofs.formal.suite_lies BUILD``.

BUILD is an empty folder, or an earlier build. Each of ``--number`` cases gets one wrong answer, or
a wrong position, of a kind that suits it; as many others stay as they are. Coq must name the lies,
and no other case. Exit codes: 0 it does, 1 it does not.
"""

from __future__ import annotations

import argparse
import sys
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


def wrong_answers(case: Case, chance: Random) -> list[Case]:
    """Return what each wrong answer changes in a case."""
    answer: Any = case.get("expected")
    moves = sorted(move.uci() for move in chess.Board(case["fen"]).legal_moves)
    others = [move for move in moves if move not in (case.get("uci"), answer)]
    other = chance.choice(others or ["a1a1"])
    match case["operation"], case["class"]:
        case "read", "must not":
            return [{"class": "must", "expected": other}]
        case "read", "may":
            return [{"expected": other}]
        case "read", _:
            refused = {"class": "must not", "expected": None}
            return [{"expected": other}, {"san": other_sign(case["san"], chance)}, refused]
        case "write", _:
            texts = [other_sign(answer, chance), superfluous(case, answer)]
            return [{"uci": other}, *({"expected": text} for text in texts)]
        case "moves", _:
            one = chance.choice(answer)
            lists = [[san for san in answer if san != one], [*answer, one]]
            return [{"expected": x} for x in (*lists, [*answer, other_sign(one, chance)])]
        case _:
            custom = chance.choice(sorted(answer))
            fens = [other_field(answer[custom], place) for place in range(6)]
            return [{"expected": answer | {custom: fen}} for fen in fens]


def wrong_positions(case: Case) -> list[Case]:
    """Return FENs that a case's game does not reach, and its game without the last ply."""
    fens = [{"fen": other_field(case["fen"], place)} for place in range(6)]
    return [*fens, *([{"plies": case["plies"] - 1}] if case["plies"] else [])]


def planted(suite: Case, number: int, seed: int) -> tuple[Case, dict[str, Case]]:
    """Return a suite with lies, and as many cases without; and what each lie changes, by case."""
    chance = Random(seed)
    cases = chance.sample([case for case in suite["cases"] if question(case)], 2 * number)
    lies: dict[str, Case] = {}
    for place, case in enumerate(cases[:number]):
        is_answer = chance.random() < 0.75
        lie = chance.choice(wrong_answers(case, chance) if is_answer else wrong_positions(case))
        lies[case["id"]] = lie
        cases[place] = case | lie
    return suite | {"cases": cases}, lies


def main() -> None:
    """Plant lies, and print what Coq says of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    suite, lies = planted(read_suite(CORE), options.number, options.seed)
    build = begin(options.build)
    build.compile(CASES, cases_file(stated(suite)))
    named = {case["id"] for case in suite["cases"]} & set(wrong_cases(build))
    for name in sorted(named ^ set(lies)):
        sys.stdout.write(f"WRONG: {name}, {lies.get(name)}\n")
    believed, others = len(set(lies) - named), len(named - set(lies))
    sys.stdout.write(
        f"{len(lies)} lies: Coq believes {believed}, and names {others} other cases.\n"
    )
    sys.exit(named != set(lies))


if __name__ == "__main__":
    main()
