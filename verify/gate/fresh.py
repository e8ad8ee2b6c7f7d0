"""Evidence for the gate that is made now, with solvers, instead of being read."""

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.verdicts.reasons import sentence
from sanproof.verify.errors import Unfinished
from sanproof.verify.explain.prove import decide
from sanproof.verify.gate.compare import Evidence, Missing
from sanproof.verify.work.provenance import require_solvers

T = TypeVar("T")


def fresh_evidence() -> Evidence:
    """Return a game for each string that is missing, a refutation for each that is one too many.

    Shows on a terminal how far it is.

    Raises:
        Failure: The solvers are not installed.
        Undecided: A string stays undecided.
        Unfinished: A string is decided otherwise than published.
    """
    require_solvers("gate --prove")
    return Evidence(
        lambda sans: [_played(san) for san in _shown(sans, "missing")],
        lambda sans: [_why(san) for san in _shown(sans, "too many")],
    )


def _shown(items: Sequence[T], what: str) -> Iterable[T]:
    """Strings that are to be proved; on a terminal, going through them shows how far that is."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console  # noqa: PLC0415 - on terminals only
    from rich.progress import track  # noqa: PLC0415

    console = Console(stderr=True)
    return track(items, f"proving the strings that are {what}", console=console, transient=True)


def _played(san: str) -> Missing:
    found = decide(parse_san(san))
    if not isinstance(found, CheckedGame):
        raise Unfinished(f"{san} is listed as reachable, but is refuted ({found.value}).")
    position = found.before_fen, found.uci, found.after_fen
    return Missing(san, *position, found.sans, found.game.ply + 1)


def _why(san: San) -> tuple[str, str]:
    found = decide(san)
    if isinstance(found, CheckedGame):
        raise Unfinished(
            f"{san} is not listed, but is reachable: {found.uci} in {found.before_fen}."
        )
    return found.value, sentence(san, found)
