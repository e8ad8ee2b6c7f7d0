"""Searches for positions that answer a question, or for a refutation. Untrusted.

python-chess confirms every answer (:mod:`proofs.find.judge`), and the kernel's checker follows
every refutation. Otherwise the question is undecided.

The known games are the lines of ``known.txt``: ``level | mechanism | text | moves``. The moves are
in UCI from the initial position; the text, in JSON, is read or played after them, and is ``-`` if
there is none. The conformance suite uses them, and the texts that a reader may accept.
"""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import chain, islice
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.board.fens import exchanged_fen
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.find.formulas import (
    QuestionPart,
    boards_of,
    encode_most_pieces,
    encode_part,
    encode_unpromoted,
    parts_of,
)
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import Pattern, Question
from sanproof.proofs.find.refuted import search_part_refutation
from sanproof.proofs.find.scene import Scene
from sanproof.proofs.find.terms import holds
from sanproof.proofs.games.game import check_game
from sanproof.proofs.rules.cubes import BLACK, WHITE, exchanged_ranks
from sanproof.proofs.rules.squares import SQUARES, square_name
from sanproof.proofs.search import Disagreement
from sanproof.proofs.search.board import encode_not_in_check
from sanproof.proofs.search.decide import witnesses_by_king
from sanproof.proofs.search.exact import read_model
from sanproof.proofs.search.material import Material, materials_of
from sanproof.proofs.search.moves import EN_PASSANT_RANK
from sanproof.proofs.search.solvers import CadicalSession

KNOWN: Final = ("sanproof.proofs.find", "known.txt")
"""The package and the file name of the known games."""
MOST_POSITIONS: Final = 8
"""The number of positions of each material for which a game is searched."""
FEW_PIECES: Final = 4
"""The number of pieces besides the king of each side in an answer that people can read."""
SOME_PIECES: Final = 8
"""The number of pieces besides the king that is tried if few are not enough."""
_DRAWN: Final = "PNBRQpnbrq"
_MAX_DRAWN: Final = 6
"""The number of pieces drawn besides the kings for a random answer; those that fit are kept."""


class Hit(NamedTuple):
    """A position that answers a question, and the move in it, in SAN and in UCI.

    ``game`` is a legal game that reaches the position, in SAN from the initial position; it ends
    with the move or goes on to mate. It is empty if no game was wanted or found.
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
    """There are no more answers. If there was none at all, the certificates prove it."""

    certificates: tuple[str, ...] = ()


def search(
    question: Question, count: int, seed: int | None, game: bool
) -> Iterator[Hit | SearchEnd]:
    """Yield answers as :func:`proofs.find.asking.find` wants them, and a SearchEnd if that is all.

    Raises:
        Disagreement: Two programs contradict each other, so that nothing follows.
        EvidenceError: A refutation does not hold.
    """
    boards = {part.colour: part for part in boards_of(question)}

    @cache  # a player is only asked about if the other has too few answers
    def refuted(colour: str) -> str | None:
        return search_part_refutation(question, boards[colour]) if colour in boards else None

    found, all_parts = 0, parts_of(question)
    parts = (part for part in all_parts if refuted(part.colour) is None)
    for answer in answers(question, parts, seed, game=game):
        yield answer
        found += 1
        if found == count:
            return
    certificates = [] if found else list(filter(None, map(refuted, boards)))
    for part in [] if found else [part for part in all_parts if refuted(part.colour) is None]:
        certificate = search_part_refutation(question, part)
        if certificate is None:
            raise Disagreement(f"CaDiCaL contradicts itself over {part.name}")
        certificates.append(certificate)
    yield SearchEnd(tuple(certificates))


def answers(
    question: Question, parts: Iterable[QuestionPart], seed: int | None, *, game: bool = False
) -> Iterator[Hit]:
    """Yield the answers in some parts, no two with the same board and side to move.

    If games are wanted, those of known games come first. Then follows part after part, or with a
    seed one answer of each in turn.

    Raises:
        Disagreement: python-chess does not confirm an answer.
    """
    seen = set()
    for hit in _all_hits(question, parts, seed, game):
        placement_and_side = tuple(hit.fen.split(" ")[:2])
        if placement_and_side not in seen:
            seen.add(placement_and_side)
            yield hit


def _all_hits(
    question: Question, parts: Iterable[QuestionPart], seed: int | None, game: bool
) -> Iterator[Hit]:
    if game:
        known = known_positions(question.pattern)
        yield from (hit for hit in known if _wrong(question, hit) is None)
    hits_of_parts = (_hits(question, part, seed, game) for part in parts)
    if seed is None:
        yield from chain.from_iterable(hits_of_parts)
        return
    pending = list(hits_of_parts)
    random.Random(seed).shuffle(pending)
    while pending:
        for hits in pending.copy():
            if (hit := next(hits, None)) is None:
                pending.remove(hits)
            else:
                yield hit


def _hits(question: Question, part: QuestionPart, seed: int | None, game: bool) -> Iterator[Hit]:
    """Yield all answers in a part, those with a game first, then those with few pieces."""
    if game:
        reached = search_game_positions(part)
        yield from (hit for hit in reached if _wrong(question, hit) is None)
    rng = None if seed is None else random.Random(f"{seed} {part.colour} {part.cube}")
    for hit in _models(part, rng):
        if (wrong := _wrong(question, hit)) is not None:
            raise Disagreement(f"python-chess says of {hit.uci} in {hit.fen}: {wrong}")
        yield hit


def _wrong(question: Question, hit: Hit) -> str | None:
    """Return what is wrong with an answer, or None if it is right."""
    board, move, san = hit.board, chess.Move.from_uci(hit.uci), hit.san
    if not board.is_valid():
        return f"not valid, {board.status()!r}"
    if not board.is_legal(move):
        return "not legal"
    if board.san(move) != san:
        return f"written {board.san(move)}"
    if not Pattern(question.pattern).takes(san):
        return f"{san} does not match"
    case = PlayedMove(board, move)
    return next((f"not so: {c}" for c in question.criteria if not holds(c, case)), None)


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
            hit = _read(scene, session.holds)
            yield hit if part.colour == WHITE else _exchanged(hit)
            pieces = hit.board.piece_map()
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


def _read(scene: Scene, is_true: Callable[[Literal], bool]) -> Hit:
    """Return the model just found, with the castling rights and passed square asked for."""
    san, fen, uci = read_model(scene.encoding, is_true)
    fields = fen.split(" ")
    if scene.has("rights"):
        fields[2] = "".join(letter for letter, x in scene.rights.items() if is_true(x)) or "-"
    if scene.has("passed"):
        passed = [8 * EN_PASSANT_RANK + file for file, x in scene.passed.items() if is_true(x)]
        fields[3] = square_name(passed[0]) if passed else "-"
    return Hit(" ".join(fields), san, uci)


# Positions that a game reaches, which may answer a question: it is still to be asked


def known_games() -> Iterator[tuple[list[str], str]]:
    """Yield the known games that have a text, which may denote no move, or be non-standard."""
    package, name = KNOWN
    for line in files(package).joinpath(name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            *_, text, moves = line.split(" | ")
            if text != "-":
                yield moves.split(), json.loads(text)


def known_positions(pattern: str) -> Iterator[Hit]:
    """Yield the positions of known games whose text is a move and matches the pattern."""
    takes = Pattern(pattern).takes
    for moves, text in known_games():
        if takes(text):
            board, sans = chess.Board(), []
            for uci in moves:
                sans.append(board.san(board.parse_uci(uci)))
                board.push_uci(uci)
            try:
                move = board.parse_san(text)
            except ValueError:  # it denotes no move there, or several
                continue
            yield Hit(board.fen(), text, move.uci(), (*sans, text))


def search_game_positions(part: QuestionPart) -> Iterator[Hit]:
    """Yield positions of checked games, with the castling rights that the game has left.

    They may answer the part; the caller has to test whether they do. They have the pieces of hubs,
    White is not in check, and the move does not capture in passing.
    """
    from sanproof.proofs.games.search import search_games  # noqa: PLC0415 - loads numba

    for material in [] if part.cube is None else materials_of(part.cube):
        for games in filter(None, map(search_games, _witnesses(part, material))):
            for game in games:  # White's, and Black's of the string that mirrors it
                if game.colour == part.colour:
                    checked = check_game(game)
                    yield Hit(checked.witness.fen, game.san, checked.witness.uci, checked.sans)


def _witnesses(part: QuestionPart, material: Material) -> Iterator[Witness]:
    """Positions with these pieces, Black's king on another square in each."""
    scene = encode_part(part, material)
    encode_not_in_check(scene.cnf, scene.board, BLACK, scene.white_king)
    scene.cnf.add(-scene.move.en_passant)
    return islice(witnesses_by_king(scene.encoding), MOST_POSITIONS)
