"""Evidence for the gate that is made now, with solvers, instead of being read."""

from collections.abc import Sequence

from proofs.games.game import CheckedGame
from proofs.rules.san import San, parse_san
from proofs.verdicts.reasons import sentence
from verify.errors import NegativeAnswer
from verify.explain.afresh import decide
from verify.gate.compare import Evidence, Missing


def fresh_evidence() -> Evidence:
    """A game for each string that is missing, a refutation for each that is one too many.

    Raises:
        NegativeAnswer: A string stays undecided, or is decided otherwise than published.
    """
    return Evidence(_games, _why)


def _games(sans: Sequence[str]) -> list[Missing]:
    return [_played(san) for san in sans]


def _played(san: str) -> Missing:
    found = decide(parse_san(san))
    if not isinstance(found, CheckedGame):
        raise NegativeAnswer(f"{san} is listed as reachable, but is refuted ({found.value}).")
    position = found.before_fen, found.uci, found.after_fen
    return Missing(san, *position, found.sans, found.game.ply + 1)


def _why(san: San) -> tuple[str, str]:
    found = decide(san)
    if isinstance(found, CheckedGame):
        raise NegativeAnswer(
            f"{san} is not listed, but is reachable: {found.uci} in {found.before_fen}."
        )
    return found.value, sentence(san, found)
