"""One string, decided afresh: its board, or its reason."""

from typing import NamedTuple

import chess

from proofs.cubes import mirrored_rank
from proofs.grammar import MalformedSan, San, parse_san
from proofs.reasons import reason, sentence
from proofs.witness import CheckedWitness
from verify.errors import Failure, NegativeAnswer
from verify.witness import WitnessError, check_witness


class Explanation(NamedTuple):
    """What is to be said of a string."""

    reachable: bool
    text: str


def explain(text: str) -> Explanation:
    """Decide one string and say why.

    Raises:
        Failure: The text is not a SAN string, or could not be decided.
    """
    try:
        san = parse_san(text)
    except MalformedSan as error:
        raise Failure(f"{error}.") from error
    witness = _search(san)
    if witness is not None:
        return Explanation(reachable=True, text=_shown(witness))
    if not _refuted(san):
        raise NegativeAnswer(f"{san} is undecided: no witness was found, and no refutation either.")
    playable = bool(san.suffix) and _search(san.bare) is not None
    why = reason(san.bare, playable=playable)
    text = f"{san} is impossible ({why.value}).\n{sentence(san, why)}"
    return Explanation(reachable=False, text=text)


def _search(san: San) -> CheckedWitness | None:
    """A checked witness, by White if there is one, otherwise by Black."""
    from proofs.decide import search_witness  # noqa: PLC0415 - a malformed string needs no solver

    witness = search_witness(san)
    if witness is None:
        seen_from_white = search_witness(mirrored_rank(san))
        witness = seen_from_white and seen_from_white.exchanged_colours()
    try:
        return None if witness is None else check_witness(witness)
    except WitnessError as error:
        raise NegativeAnswer(f"{error}.") from error


def _refuted(san: San) -> bool:
    """Whether the relaxation excludes the string for both colours."""
    from proofs.decide import is_refuted  # noqa: PLC0415

    return is_refuted(san) and is_refuted(mirrored_rank(san))


def _shown(witness: CheckedWitness) -> str:
    board = chess.Board(witness.fen)
    player = "White" if board.turn else "Black"
    return "\n".join(
        [
            f"{witness.san} is reachable: {player} plays {witness.uci} here.",
            "",
            _drawn(board),
            "",
            f"before  {witness.fen}",
            f"after   {witness.after_fen}",
        ]
    )


def _drawn(board: chess.Board) -> str:
    """The board in FEN's letters, White's in capitals, with its coordinates."""
    rows = str(board).split("\n")
    lines = [f"  {8 - i}  {row}" for i, row in enumerate(rows)]
    return "\n".join([*lines, "", "     a b c d e f g h"])
