"""The search for positions that answer a question, or for a refutation. Untrusted.

python-chess confirms every answer (:mod:`proofs.find.judge`), and the kernel's checker follows
every refutation. What is neither is undecided.
"""

import random
from collections.abc import Iterator, Sequence
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
        formula = _Formula(part, rng)
        for assumptions in formula.levels:
            while (model := formula.find(assumptions)) is not None:
                san, fen, uci = model
                formula.exclude(fen)
                if part.colour != WHITE:
                    san, fen, uci = exchanged_ranks(san), exchanged_fen(fen), exchanged_ranks(uci)
                if (wrong := self._wrong(Hit(fen, san, uci))) is not None:
                    raise Disagreement(f"python-chess says of {uci} in {fen}: {wrong}")
                yield from self._if_new(Hit(fen, san, uci))

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


class _Formula:
    """A part's formula in a solver.

    ``levels`` has what is assumed so that answers are easy to read, the easiest first.
    """

    def __init__(self, part: QuestionPart, rng: random.Random | None) -> None:
        self._rng = rng
        self._scene = scene = encode_part(part)
        few, some = (encode_most_pieces(scene, most) for most in (FEW_PIECES, SOME_PIECES))
        unpromoted = encode_unpromoted(scene)
        self.levels: list[list[Literal]] = [[few], [some, unpromoted], [unpromoted], []]
        self._session = CadicalSession(scene.cnf)

    def exclude(self, fen: str) -> None:
        """Ask for these pieces on these squares no more."""
        pieces = chess.Board(fen).piece_map()
        letters = [pieces[s].symbol() if s in pieces else "." for s in SQUARES]
        standing = [x for s in SQUARES for x in self._scene.content(letters[s], s)]
        self._session.add([-literal for literal in standing])

    def find(self, assumptions: list[Literal]) -> tuple[str, str, str] | None:
        """Return a model under the assumptions, if there is one; at random if so."""
        if not self._session.solve(assumptions):
            return None
        if self._rng is not None:
            granted = list(assumptions)
            for literals in self._drawn(self._rng):
                if self._session.solve([*granted, *literals]):
                    granted += literals
            self._session.solve(granted)
        return self._read()

    def _drawn(self, rng: random.Random) -> list[list[Literal]]:
        """Put pieces on random squares, the kings first: the literals that say so of each."""
        letters = ["k", "K", *rng.choices(_DRAWN, k=_MAX_DRAWN)]
        squares = rng.sample(SQUARES, len(letters))
        return [self._scene.content(letter, s) for letter, s in zip(letters, squares, strict=True)]

    def _read(self) -> tuple[str, str, str]:
        """Return string, FEN and UCI of the model, with the rights and passed square asked for."""
        scene, holds = self._scene, self._session.holds
        san, fen, uci = read_model(scene.encoding, holds)
        fields = fen.split(" ")
        if scene.has("rights"):
            fields[2] = "".join(letter for letter, x in scene.rights.items() if holds(x)) or "-"
        if scene.has("passed"):
            passed = [8 * EN_PASSANT_RANK + file for file, x in scene.passed.items() if holds(x)]
            fields[3] = square_name(passed[0]) if passed else "-"
        return san, " ".join(fields), uci
