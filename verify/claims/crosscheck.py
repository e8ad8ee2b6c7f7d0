"""The generator's list against the proven one: the only place where the two meet."""

from collections.abc import Callable, Collection
from typing import Any

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.theory.reasons import Verdict, sentence
from sanproof.proofs.theory.rulings import Findings


def cross_check(
    reachable: Collection[str], selected: Callable[[str], bool] | None = None
) -> tuple[int, list[str], list[str]]:
    """Compare the generator's strings, all or those selected, with the reachable ones.

    Returns:
        Their number, those that are missing, and those that are too many, in list order.
    """
    generated = [san for san in suffixed_strings() if selected is None or selected(san)]
    proven, claimed = set(reachable), set(generated)
    missing = [san for san in reachable if san not in claimed]
    return len(generated), missing, [san for san in generated if san not in proven]


def differences(
    reachable: Collection[str], findings: Findings, selected: Callable[[str], bool] | None = None
) -> dict[str, Any]:
    """Return the strings that it lacks with witnesses, and those too many with reasons."""
    strings, lacking, extra = cross_check(reachable, selected)
    missing = {san: findings.witnesses[san].fen for san in lacking}
    too_many = {}
    for san in map(parse_san, extra):
        ruling = findings.ruling(san)
        verdict = ruling.verdict(san.suffix)
        why = ruling.reason if verdict is Verdict.IMPOSSIBLE else None
        too_many[str(san)] = sentence(san, why) if why else verdict.value
    return {"strings": strings, "missing": missing, "too_many": too_many}
