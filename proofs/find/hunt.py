"""The search for positions that answer a question, or for a refutation. Untrusted.

Every answer is confirmed by python-chess, criterion by criterion (:mod:`proofs.find.judge`);
every refutation is followed by the kernel's checker. What is neither is undecided.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.board.fens import exchanged_fen
from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.find.formulas import QuestionPart, Rules, boards_of, encode_part, parts_of
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.known import KnownGame
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
from sanproof.proofs.rules.cubes import COLOURS, WHITE, cube_of, exchanged_cube, exchanged_ranks
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import SQUARES, square_name
from sanproof.proofs.search import Disagreement
from sanproof.proofs.search.exact import Model, read_model
from sanproof.proofs.search.moves import EN_PASSANT_RANK
from sanproof.proofs.search.solvers import CadicalSession

_FEW_PARTS: Final = 4
"""The searches without an answer after which any position is asked for, whatever the move."""
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


class PartsSearched(NamedTuple):
    """The number of a question's parts that were searched or, with no answer in any, refuted."""

    done: int
    parts: int
    is_refuting: bool = False


class SearchEnd(NamedTuple):
    """There are no answers besides those given, as far as the solver says.

    If none was given, the certificates refute that there is any, and have been checked.
    """

    certificates: tuple[str, ...] = ()


Event = Hit | PartsSearched | SearchEnd


def search(
    question: Question,
    count: int,
    seed: int | None,
    game: bool,
    known: Sequence[KnownGame],
) -> Iterator[Event]:
    """Answers to a question, none with the same pieces on the same squares and the same mover.

    The arguments are those of :func:`proofs.find.asking.find`.

    Yields:
        Answers; steps in between; at the end that there are no more.

    Raises:
        Disagreement: Two programs contradict one another, so nothing is said.
        EvidenceError: A refutation does not hold.
    """
    hunts = [Hunt(question, part, seed, game=game) for part in parts_of(question)]
    boards: dict[str, str] = {}
    found = 0
    for event in chain(_known_answers(hunts, known), _answers(hunts, seed, boards)):
        found += isinstance(event, Hit)
        yield event
        if found == count:
            return
        if isinstance(event, PartsSearched) and event.done == _FEW_PARTS and not found:
            boards.update(_refuted_boards(question))
    if found:
        yield SearchEnd()
        return
    certificates = list(boards.values())
    for number, hunt in enumerate(hunts):
        if hunt.part.colour not in boards:
            yield PartsSearched(number, len(hunts), is_refuting=True)
            certificates.append(_refutation(question, hunt.part, hunt.closed_by))
    yield SearchEnd(tuple(certificates))


def _known_answers(hunts: "Iterable[Hunt]", known: Iterable[KnownGame]) -> Iterator[Hit]:
    by_cube = {(hunt.part.colour, hunt.part.cube): hunt for hunt in hunts}
    for moves, san in known:
        colour, written = COLOURS[len(moves) % 2], cube_of(parse_san(san))
        hunt = by_cube.get((colour, written if colour == WHITE else exchanged_cube(written)))
        if hunt is not None:
            yield from hunt.known_answer(moves, san)


def _refuted_boards(question: Question) -> dict[str, str]:
    """Return the players with no position to move in, whatever the move, and the certificates."""
    refuted = {}
    for part in boards_of(question):
        if not part.criteria:
            continue
        session = CadicalSession(encode_part(part, Rules.GAME).cnf)
        if not session.solve():
            refuted[part.colour] = _refutation(question, part, Rules.GAME)
    return refuted


def _refutation(question: Question, part: QuestionPart, rules: Rules) -> str:
    certificate = search_part_refutation(question, part, rules)
    if certificate is None:
        raise Disagreement(f"CaDiCaL contradicts itself over {part.cube or 'the position'}")
    return certificate


def _answers(
    hunts: "Sequence[Hunt]", seed: int | None, closed: Collection[str]
) -> Iterator[Hit | PartsSearched]:
    """Yield the answers of all parts: part after part, or, at random, one of each in turn.

    ``closed`` are the players known to have no position; it grows while this goes on.
    """
    pending = [(hunt, hunt.answers()) for hunt in hunts]
    if seed is not None:
        random.Random(seed).shuffle(pending)
    while pending:
        still = []
        for number, (hunt, answers) in enumerate(pending):
            yield PartsSearched(number, len(pending))
            if hunt.part.colour in closed:
                continue
            if seed is None:
                yield from answers
            elif (answer := next(answers, None)) is not None:
                still.append((hunt, answers))
                yield answer
        pending = still


class Hunt:
    """The search in one part of a question.

    Answers with few pieces come first, by the rules of the move alone, which is quick; what remains
    is looked for with the rules that every position of a game keeps.
    """

    def __init__(
        self, question: Question, part: QuestionPart, seed: int | None, *, game: bool
    ) -> None:
        self.part = part
        self.closed_by = Rules.GAME
        self._question = question
        self._game = game
        self._pattern = Pattern(question.pattern)
        self._rng = None if seed is None else random.Random(f"{seed} {part.colour} {part.cube}")
        self._seen: list[str] = []

    def answers(self) -> Iterator[Hit]:
        """All answers of this part."""
        if self._game:
            yield from self._with_games()
        for rules in Rules:
            formula = _Formula(self.part, rules, self._rng)
            for placement in self._seen:
                formula.exclude(placement)
            for assumptions in formula.levels:
                yield from self._models_of(formula, assumptions)
            if rules is Rules.MOVE and not (self._seen or formula.has_any()):
                self.closed_by = rules
                return

    def _models_of(self, formula: "_Formula", assumptions: list[Literal]) -> Iterator[Hit]:
        while (witness := formula.find(assumptions)) is not None:
            answer = self._confirmed(witness, formula.rules)
            if answer is None:
                return
            self._seen.append(_letters(witness.fen))
            formula.exclude(self._seen[-1])
            yield answer

    def _confirmed(self, model: Model, rules: Rules) -> Hit | None:
        """Return the answer that python-chess confirms; None if a game's position could not be so.

        Raises:
            Disagreement: python-chess says something else.
        """
        san, fen, uci = model
        if self.part.colour != WHITE:
            san, fen, uci = exchanged_ranks(san), exchanged_fen(fen), exchanged_ranks(uci)
        board, move = chess.Board(fen), chess.Move.from_uci(uci)
        if rules is Rules.MOVE and not board.is_valid():
            return None
        wrong = self._wrong(board, move, san)
        if wrong is not None:
            raise Disagreement(f"python-chess says of {uci} in {fen}: {wrong}")
        return Hit(fen, san, uci)

    def _wrong(self, board: chess.Board, move: chess.Move, san: str) -> str | None:
        """Return what is wrong with an answer; None if nothing is."""
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

    def known_answer(self, moves: Sequence[str], san: str) -> Iterator[Hit]:
        """Yield the position after a game's moves with the move of this SAN, if it answers.

        Raises:
            ValueError: A move is illegal.
        """
        board, sans = chess.Board(), []
        for uci in moves:
            sans.append(board.san(board.parse_uci(uci)))
            board.push_san(sans[-1])
        yield from self._in_game(board, board.parse_san(san), san, (*sans, san))

    def _with_games(self) -> Iterator[Hit]:
        """Answers with a game, where the games' search finds one."""
        from sanproof.proofs.find.games import search_game_positions  # noqa: PLC0415 - only for games

        for position in search_game_positions(self.part):
            yield from self._in_game(*position)

    def _in_game(
        self, board: chess.Board, move: chess.Move, san: str, game: tuple[str, ...]
    ) -> Iterator[Hit]:
        """Yield a position and a move of a game, if they answer the question and are new."""
        if self._wrong(board, move, san) is None:
            fen = board.fen()
            white = fen if self.part.colour == WHITE else exchanged_fen(fen)
            if (letters := _letters(white)) not in self._seen:
                self._seen.append(letters)
                yield Hit(fen, san, move.uci(), game)


class _Formula:
    """A part's formula in a solver.

    Attributes:
        levels: What is assumed so that answers are easy to read, the easiest first. By the rules
            of a game the last assumes nothing.
    """

    def __init__(self, part: QuestionPart, rules: Rules, rng: random.Random | None) -> None:
        self.rules = rules
        self._rng = rng
        self._scene = scene = encode_part(part, rules)
        few = encode_most_pieces(scene, FEW_PIECES)
        self.levels = [[few]]
        if rules is Rules.GAME:
            unpromoted = encode_unpromoted(scene)
            self.levels += [[encode_most_pieces(scene, SOME_PIECES), unpromoted], [unpromoted], []]
        self._rights = scene.rights if scene.was_asked("rights") else {}
        self._passed = scene.passed if scene.was_asked("passed") else {}
        self._session = CadicalSession(scene.cnf)

    def exclude(self, placement: str) -> None:
        """Ask for this placement no more: a letter as in a FEN, or a full stop, for each square."""
        pieces = [x for s in SQUARES for x in self._scene.content(placement[s], s)]
        self._session.add([-literal for literal in pieces])

    def has_any(self) -> bool:
        """Check whether there is any model."""
        return self._session.solve()

    def find(self, assumptions: list[Literal]) -> Model | None:
        """Return a model under the assumptions; at random if so."""
        if not self._session.solve(assumptions):
            return None
        if self._rng is not None:
            self._session.solve(self._granted(assumptions, self._drawn(self._rng)))
        return self._read()

    def _drawn(self, rng: random.Random) -> list[list[Literal]]:
        """Put pieces on random squares, the kings first: the literals that say so of each."""
        letters = ["k", "K", *rng.choices(_DRAWN, k=_MAX_DRAWN)]
        squares = rng.sample(SQUARES, len(letters))
        return [self._scene.content(letter, s) for letter, s in zip(letters, squares, strict=True)]

    def _granted(
        self, assumptions: list[Literal], preferences: list[list[Literal]]
    ) -> list[Literal]:
        """Return the assumptions, with as many preferences as there is a model for."""
        granted = list(assumptions)
        pending = [preferences]
        while pending:
            part = pending.pop()
            asked = [*granted, *chain.from_iterable(part)]
            if self._session.solve(asked):
                granted = asked
            elif len(part) > 1:
                half = len(part) // 2
                pending += [part[half:], part[:half]]
        return granted

    def _read(self) -> Model:
        """Read the model just found, with its castling rights and passed square if asked."""
        holds = self._session.holds
        witness = read_model(self._scene.encoding, holds)
        rights = "".join(letter for letter, x in self._rights.items() if holds(x)) or "-"
        passed = [8 * EN_PASSANT_RANK + file for file, x in self._passed.items() if holds(x)]
        fields = witness.fen.split(" ")
        if self._rights:
            fields[2] = rights
        if self._passed:
            fields[3] = square_name(passed[0]) if passed else "-"
        return witness._replace(fen=" ".join(fields))


def _letters(fen: str) -> str:
    """Return what stands on each square, a1 first."""
    board = chess.Board(fen)
    pieces = map(board.piece_at, chess.SQUARES)
    return "".join("." if piece is None else piece.symbol() for piece in pieces)
