"""The generator's list against the proven one: the only place where the two meet."""

from collections.abc import Callable, Collection
from typing import Any

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.theory.reasons import Verdict, sentence
from sanproof.proofs.theory.rulings import Findings


def differences(
    reachable: Collection[str], findings: Findings, selected: Callable[[str], bool] | None = None
) -> dict[str, Any]:
    """Compare the generator's strings, all or those selected, with the reachable ones.

    Returns:
        Their number, those that are missing with a position, those too many with the reason.
    """
    generated = [san for san in suffixed_strings() if selected is None or selected(san)]
    proven, claimed = set(reachable), set(generated)
    missing = {san: findings.witnesses[san].fen for san in reachable if san not in claimed}
    too_many = {}
    for san in (parse_san(text) for text in generated if text not in proven):
        ruling = findings.ruling(san)
        verdict = ruling.verdict(san.suffix)
        why = ruling.reason if verdict is Verdict.IMPOSSIBLE else None
        too_many[str(san)] = sentence(san, why) if why else verdict.value
    return {"strings": len(generated), "missing": missing, "too_many": too_many}
