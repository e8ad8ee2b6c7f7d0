"""The search for positions that answer a question, or for a refutation. Untrusted.

python-chess confirms every answer (:mod:`proofs.find.judge`), and the kernel's checker follows
every refutation. What is neither is undecided.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.board.fens import exchanged_fen
from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.find.formulas import QuestionPart, boards_of, encode_part, parts_of
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.patterns import Pattern
from sanproof.proofs.find.possible import (
    FEW_PIECES,
    SOME_PIECES,
    encode_most_pieces,
    encode_unpromoted,
)
from sanproof.proofs.find.questions import Question
from sanproof.proofs.find.refuted import search_part_refutation
from sanproof.proofs.find.scene import Scene
from sanproof.proofs.find.terms import unmet
from sanproof.proofs.rules.cubes import WHITE, exchanged_ranks
from sanproof.proofs.rules.squares import SQUARES, square_name
from sanproof.proofs.search import Disagreement
from sanproof.proofs.search.exact import read_model
from sanproof.proofs.search.moves import EN_PASSANT_RANK
from sanproof.proofs.search.solvers import CadicalSession

_DRAWN: Final = "PNBRQpnbrq"
_MAX_DRAWN: Final = 6
"""The number of pieces drawn besides the kings for a random answer; those that fit are kept."""


class Hit(NamedTuple):
    """A position before a move that answers a question, and the move in SAN and in UCI.

    ``game`` is a legal game from the initial position that reaches it, in SAN, ending with the move
    or going on to mate; empty if none was looked for or found.
    """

    fen: str
    san: str
    uci: str
    game: tuple[str, ...] = ()

    @property
    def board(self) -> chess.Board:
        """The position, for python-chess."""
        return chess.Board(self.fen)

    def _repr_svg_(self) -> str:
        return board_svg(self.fen, self.uci)


class SearchEnd(NamedTuple):
    """There are no more answers, says the solver; if there was none, certificates refute it."""

    certificates: tuple[str, ...] = ()


def search(
    question: Question, count: int, seed: int | None, game: bool
) -> Iterator[Hit | SearchEnd]:
    """Yield answers as :func:`proofs.find.asking.find` wants them, and at the end that it is all.

    Raises:
        Disagreement: Two programs contradict one another, so nothing is said.
        EvidenceError: A refutation does not hold.
    """
    refuted = {part.colour: search_part_refutation(question, part) for part in boards_of(question)}
    parts = [part for part in parts_of(question) if refuted.get(part.colour) is None]
    found = 0
    for answer in Hunt(question, seed, game=game).all_answers(parts):
        yield answer
        found += 1
        if found == count:
            return
    certificates = [] if found else list(filter(None, refuted.values()))
    for part in [] if found else parts:
        certificate = search_part_refutation(question, part)
        if certificate is None:
            raise Disagreement(f"CaDiCaL contradicts itself over {part.name}")
        certificates.append(certificate)
    yield SearchEnd(tuple(certificates))


class Hunt:
    """The search for answers to a question, each with another board or side to move."""

    def __init__(self, question: Question, seed: int | None, *, game: bool) -> None:
        self._question = question
        self._seed = seed
        self._game = game
        self._pattern = Pattern(question.pattern)
        self._seen: set[str] = set()

    def all_answers(self, parts: Sequence[QuestionPart]) -> Iterator[Hit]:
        """Yield the answers of all parts: part after part, or, at random, one of each in turn."""
        if self._game:
            from sanproof.proofs.find.games import known_positions  # noqa: PLC0415 - for games

            yield from self._with_games(known_positions(self._pattern))
        pending = [self.answers(part) for part in parts]
        if self._seed is None:
            yield from chain.from_iterable(pending)
            return
        random.Random(self._seed).shuffle(pending)
        while pending:
            for answers in pending.copy():
                if (answer := next(answers, None)) is None:
                    pending.remove(answers)
                else:
                    yield answer

    def answers(self, part: QuestionPart) -> Iterator[Hit]:
        """Yield all answers in a part, those with few pieces first.

        Raises:
            Disagreement: Python-chess does not confirm one.
        """
        if self._game:
            from sanproof.proofs.find.games import search_game_positions  # noqa: PLC0415 - for games

            yield from self._with_games(search_game_positions(part))
        rng = None
        if self._seed is not None:
            rng = random.Random(f"{self._seed} {part.colour} {part.cube}")
        for answer in _models(part, rng):
            if (wrong := self._wrong(answer)) is not None:
                raise Disagreement(f"python-chess says of {answer.uci} in {answer.fen}: {wrong}")
            yield from self._if_new(answer)

    def _with_games(self, positions: Iterator[Hit]) -> Iterator[Hit]:
        for hit in positions:
            if self._wrong(hit) is None:
                yield from self._if_new(hit)

    def _if_new(self, answer: Hit) -> Iterator[Hit]:
        placement_and_side = " ".join(answer.fen.split(" ")[:2])
        if placement_and_side not in self._seen:
            self._seen.add(placement_and_side)
            yield answer

    def _wrong(self, answer: Hit) -> str | None:
        """Return what is wrong with an answer; None if nothing is."""
        board, move, san = answer.board, chess.Move.from_uci(answer.uci), answer.san
        if not board.is_valid():
            return f"not valid, {board.status()!r}"
        if not board.is_legal(move):
            return "not legal"
        if board.san(move) != san:
            return f"written {board.san(move)}"
        if not self._pattern.takes(san):
            return f"{san} does not match"
        broken = next(unmet(self._question.criteria, PlayedMove(board, move)), None)
        return None if broken is None else f"not so: {broken}"


def _models(part: QuestionPart, rng: random.Random | None) -> Iterator[Hit]:
    """Yield the models of a part's formula, those that are easy to read first.

    No two have the same pieces on the same squares.
    """
    scene = encode_part(part)
    few, some = (encode_most_pieces(scene, most) for most in (FEW_PIECES, SOME_PIECES))
    unpromoted = encode_unpromoted(scene)
    session = CadicalSession(scene.cnf)
    for assumed in ([few], [some, unpromoted], [unpromoted], []):
        while session.solve(assumed):
            if rng is not None:
                _draw(scene, session, assumed, rng)
            model = _read(scene, session.holds)
            yield model if part.colour == WHITE else _exchanged(model)
            pieces = model.board.piece_map()
            letters = [pieces[s].symbol() if s in pieces else "." for s in SQUARES]
            standing = [x for s in SQUARES for x in scene.content(letters[s], s)]
            session.add([-literal for literal in standing])


def _exchanged(hit: Hit) -> Hit:
    return Hit(exchanged_fen(hit.fen), exchanged_ranks(hit.san), exchanged_ranks(hit.uci))


def _draw(
    scene: Scene, session: CadicalSession, assumed: list[Literal], rng: random.Random
) -> None:
    """Find a model with those of some pieces on random squares that can be had, kings first."""
    letters = ["k", "K", *rng.choices(_DRAWN, k=_MAX_DRAWN)]
    granted = assumed
    for letter, square in zip(letters, rng.sample(SQUARES, len(letters)), strict=True):
        if session.solve([*granted, *scene.content(letter, square)]):
            granted = [*granted, *scene.content(letter, square)]
    session.solve(granted)


def _read(scene: Scene, holds: Callable[[Literal], bool]) -> Hit:
    """Return the model just found, with the castling rights and passed square asked for."""
    san, fen, uci = read_model(scene.encoding, holds)
    fields = fen.split(" ")
    if scene.has("rights"):
        fields[2] = "".join(letter for letter, x in scene.rights.items() if holds(x)) or "-"
    if scene.has("passed"):
        passed = [8 * EN_PASSANT_RANK + file for file, x in scene.passed.items() if holds(x)]
        fields[3] = square_name(passed[0]) if passed else "-"
    return Hit(" ".join(fields), san, uci)
