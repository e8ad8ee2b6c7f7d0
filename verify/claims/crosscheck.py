"""The generator's list against the proven one: the only place where the two meet."""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.verdicts.reasons import Verdict, sentence
from sanproof.proofs.verdicts.rulings import Findings


class CrossCheck(NamedTuple):
    """The generator's strings that differ from the reachable ones, in list order."""

    strings: int
    missing: list[str]
    too_many: list[str]


def cross_check(
    reachable: Collection[str], selected: Callable[[str], bool] | None = None
) -> CrossCheck:
    """Compare the generator's strings, all or those selected, with the reachable ones."""
    generated = [san for san in suffixed_strings() if selected is None or selected(san)]
    proven, claimed = set(reachable), set(generated)
    missing = [san for san in reachable if san not in claimed]
    return CrossCheck(len(generated), missing, [san for san in generated if san not in proven])


def differences(
    reachable: Collection[str], findings: Findings, selected: Callable[[str], bool] | None = None
) -> dict[str, Any]:
    """Return the strings that it lacks with witnesses, and those too many with reasons."""
    check = cross_check(reachable, selected)
    missing = {san: findings.witnesses[san].fen for san in check.missing}
    too_many = {san: _why_not(parse_san(san), findings) for san in check.too_many}
    return {"strings": check.strings, "missing": missing, "too_many": too_many}


def _why_not(san: San, findings: Findings) -> str:
    """Why a string is not among the reachable ones: a reason in a sentence, or its verdict."""
    ruling = findings.ruling(san)
    verdict = ruling.verdict(san.suffix)
    if verdict is Verdict.IMPOSSIBLE and ruling.reason is not None:
        return sentence(san, ruling.reason)
    return verdict.value
