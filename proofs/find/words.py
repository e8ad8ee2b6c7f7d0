"""Words that a person types, read as criteria.

A criterion is a word (``double-check``), or a name with a value (``d5=P``, ``men=3..7``); ``not``
before it turns it around.
"""

import re
from collections.abc import Iterable, Sequence

from sanproof.proofs.find.patterns import matching_cubes
from sanproof.proofs.find.questions import PIECES, Criterion, CriterionError, Question
from sanproof.proofs.find.terms import KEYS, TERMS

_KEY = {"square": re.compile("[a-h*][1-8*]"), "letter": re.compile(f"[{PIECES}]")}


def read_question(words: Sequence[str]) -> Question:
    """Read a question: first the string or pattern, if there is one, then the criteria.

    The first word is the string or pattern if it matches any string, so that ``e8=Q`` is a
    promotion there, and a queen on e8 in any other place.

    Raises:
        CriterionError: A word is not a criterion.
    """
    if words and matching_cubes(words[0]):
        return Question(words[0], read_criteria(words[1:]))
    try:
        return Question("*", read_criteria(words))
    except CriterionError as error:
        if not words or "=" in words[0] or words[0].removeprefix("not-") in {*TERMS, "not"}:
            raise
        said = f"no SAN string is or matches {words[0][:40]!a}, and {error}"
        raise CriterionError(said) from None


def read_criteria(words: Iterable[str]) -> tuple[Criterion, ...]:
    """Read criteria; ``not`` negates the one that follows it.

    Raises:
        CriterionError: A word is not a criterion.
    """
    found: list[Criterion] = []
    negated = False
    for word in words:
        if word == "not":
            if negated:
                raise CriterionError("'not' is repeated: leave both out")
            negated = True
            continue
        text = word.removeprefix("not-")
        found.append(_read_one(text)._replace(negated=negated != (text != word)))
        negated = False
    if negated:
        raise CriterionError("'not' is last: name the criterion after it")
    return tuple(found)


def _read_one(text: str) -> Criterion:
    name = text.partition("=")[0]
    for term, key in _KEY.items() if "=" in text else ():
        if key.fullmatch(name):
            return Criterion(term, name, TERMS[term].values.read(name, text[len(name) :]))
    if name not in TERMS or name in KEYS:
        raise CriterionError(_unknown(name))
    return Criterion(name, "", TERMS[name].values.read(name, text[len(name) :]))


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - only for this message

    near = difflib.get_close_matches(name[:40], TERMS.keys() - {name}, 1, cutoff=0.7)
    hint = f". Did you mean '{near[0]}'?" if near else ":"
    return f"{name[:40]!a} is not a criterion{hint} 'sanproof find --criteria' lists them all"
