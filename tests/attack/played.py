"""Forged games: against the Laws of Chess, against python-chess, and against the form of a line."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Final

import chess

from tests.attack.forgery import (
    Forgeries,
    Forgery,
    Game,
    Scene,
    change_game,
    games,
    sorted_games,
    with_games,
)
from tests.proofs.kernel.evidence import Evidence

SHUFFLE: Final = ("g1f3", "g8f6", "f3g1", "f6g8")
SLOW_OPENING: Final = ("e2e4", "g7g5", "a2a3", "f7f6", "d2d4")
QUEENSIDE: Final = chess.BB_FILE_A | chess.BB_FILE_B | chess.BB_FILE_C
STALEMATE: Final = [
    *("e2e3", "a7a5", "d1h5", "a8a6", "h5a5", "h7h5", "h2h4", "a6h6", "a5c7", "f7f6"),
    *("c7d7", "e8f7", "d7b7", "d8d3", "b7b8", "d3h7", "b8c8", "f7g6", "c8e6"),
]


def replay(moves: Sequence[str]) -> chess.Board:
    """The position after some moves, whether they are legal or not."""
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return board


@cache
def wander(opening: Sequence[str], plies: int, squares: chess.Bitboard) -> tuple[str, ...]:
    """The opening, and then moves of pieces back and forth, seldom to the same position."""
    board = replay(opening)
    seen = Counter([board.board_fen()])

    def visits(move: chess.Move) -> int:
        board.push(move)
        fen = board.board_fen()
        board.pop()
        return seen[fen]

    for _ in range(plies):
        moves = board.generate_legal_moves(squares & ~board.pawns, squares & ~board.occupied)
        board.push(min(moves, key=lambda move: (visits(move), move.uci())))
        seen[board.board_fen()] += 1
    assert max(seen.values()) < 5
    return tuple(move.uci() for move in board.move_stack)


# --- Against the Laws ---


def in_place_of(
    moves: Callable[[], Sequence[str]], san: str, ply: int
) -> Callable[[Scene], Evidence]:
    """A game in place of all that show this string for this player."""

    def make(scene: Scene) -> Evidence:
        white = ply % 2 == 1
        kept = [g for g in games(scene.evidence) if not (g.san == san and g.white == white)]
        return with_games(scene.evidence, [*kept, Game(list(moves()), ply, san)])

    return make


def drawn_by_75_moves(plies: int) -> Callable[[Scene], Evidence]:
    """White's a3, and then so many plies without progress before the one that mates."""
    return in_place_of(lambda: (*wander(SLOW_OPENING, plies, QUEENSIDE), "d1h5"), "a3", 3)


def after_shuffles(times: int) -> Callable[[Scene], Evidence]:
    """A game that begins with knights that go out and come home, several times."""
    return change_game(
        lambda game, _: Game([*SHUFFLE * times, *game.moves], game.ply + 4 * times, game.san)
    )


def _illegal(game: Game, random: Random) -> Game:
    """A move in the middle is replaced by one that nobody may play there."""
    at = random.randrange(len(game.moves))
    board = replay(game.moves[:at])
    legal = {move.uci() for move in board.legal_moves}
    squares = chess.SQUARE_NAMES
    while (uci := random.choice(squares) + random.choice(squares)) in legal or uci[:2] == uci[2:]:
        pass
    return game._replace(moves=[*game.moves[:at], uci, *game.moves[at + 1 :]])


def _into_check(game: Game, random: Random) -> Game:
    """A move that is legal but for the king's safety."""
    boards = [(at, replay(game.moves[:at])) for at in range(len(game.moves))]
    unsafe = [
        (at, move.uci())
        for at, board in boards
        for move in board.generate_pseudo_legal_moves()
        if not board.is_legal(move)
    ]
    if not unsafe:
        return _illegal(game, random)
    at, uci = random.choice(unsafe)
    return game._replace(moves=[*game.moves[:at], uci, *game.moves[at + 1 :]])


def _other_player(game: Game, random: Random) -> Game:
    """A move of the player whose turn it is not."""
    at = random.randrange(1, len(game.moves))
    return game._replace(moves=[*game.moves[:at], game.moves[at - 1], *game.moves[at:]])


def put(uci: str) -> Callable[[Game, Random], Game]:
    """A text in place of some move."""

    def change(game: Game, random: Random) -> Game:
        at = random.randrange(len(game.moves))
        return game._replace(moves=[*game.moves[:at], uci, *game.moves[at + 1 :]])

    return change


def insert(uci: str) -> Callable[[Game, Random], Game]:
    """A text between two moves, twice: so that the players still take turns."""

    def change(game: Game, random: Random) -> Game:
        at = random.randrange(len(game.moves))
        ply = game.ply + 2 * (at < game.ply)
        return Game([*game.moves[:at], uci, uci, *game.moves[at:]], ply, game.san)

    return change


def replaced(pattern: str, text: str) -> Callable[[Scene], Evidence]:
    """A change of the first move that looks so, in some game that has one."""
    return change_game(
        lambda game, _: game._replace(
            moves=re.sub(pattern, text, " ".join(game.moves), count=1).split(" ")
        ),
        lambda game: bool(re.search(pattern, " ".join(game.moves))),
    )


CASTLED: Final[dict[str, str]] = {
    "after the king moved": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1e2 a7a6 e2e1 a6a5 e1g1",
    "after the rook moved": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 h1g1 a7a6 g1h1 a6a5 e1g1",
    "with the bishop between": "e2e4 e7e5 g1f3 b8c6 e1g1",
    "without the rook": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 h2h4 a7a6 h1h3 a6a5 e1g1",
    "out of check": "e2e4 e7e5 g1f3 c7c6 f1e2 a7a6 d2d3 d8a5 e1g1",
    "through check": "e2e4 b7b6 g1f3 c8a6 g2g3 e7e6 f1h3 b8c6 d2d3 h7h6 d3d4 h6h5 e1g1",
    "into check": "e2e4 e7e5 f2f4 f8c5 g1f3 g8h6 f1e2 h6g4 f4e5 a7a6 e1g1",
}


def castled(moves: str) -> Callable[[Scene], Evidence]:
    """White's O-O in a game in which there is no right to it."""
    return in_place_of(moves.split, "O-O", len(moves.split()))


LAWS: Final[Forgeries] = [
    Forgery("an illegal move", change_game(_illegal)),
    Forgery("a king left in check", change_game(_into_check)),
    Forgery("a move of the other player", change_game(_other_player)),
    Forgery("null moves", change_game(insert("0000"))),
    Forgery("a null move for a move", change_game(put("0000"))),
    Forgery("a piece dropped", change_game(put("N@e4"))),
    Forgery("a move to its own square", change_game(put("e1e1"))),
    Forgery("mate is not reached", change_game(lambda g, _: g._replace(moves=g.moves[:-1]))),
    Forgery(
        "the game goes on after mate",
        change_game(lambda g, r: g._replace(moves=[*g.moves, r.choice(["a7a6", "e8e7", "e1e2"])])),
    ),
    Forgery(
        "a second game after mate",
        change_game(lambda g, _: g._replace(moves=[*g.moves, *g.moves])),
    ),
    Forgery(
        "a game that stops after its string",
        change_game(
            lambda g, _: g._replace(moves=g.moves[: g.ply]), lambda g: not g.san.endswith("#")
        ),
    ),
    Forgery("a game without moves", change_game(lambda g, _: g._replace(moves=[]))),
    Forgery("a game that ends in stalemate", in_place_of(lambda: STALEMATE, "a3", 1)),
    Forgery(
        "a game to stalemate and beyond",
        in_place_of(lambda: [*STALEMATE, "a7a6", "a2a3"], "a3", len(STALEMATE) + 2),
    ),
    Forgery("151 plies without progress", drawn_by_75_moves(151)),
    Forgery("153 plies without progress", drawn_by_75_moves(153)),
    Forgery("149 plies without progress, and mate", drawn_by_75_moves(149), harmless=True),
    Forgery("the first position five times", after_shuffles(4)),
    Forgery("the first position six times", after_shuffles(5)),
    Forgery("the first position four times", after_shuffles(3), harmless=True),
    *(Forgery(f"castling {how}", castled(moves)) for how, moves in CASTLED.items()),
    Forgery("promotion without a piece", replaced(r"([a-h]7[a-h]8)[qrbn]", r"\1")),
    Forgery("promotion to a king", replaced(r"([a-h]7[a-h]8)[qrbn]", r"\1k")),
    Forgery("promotion to a pawn", replaced(r"([a-h]7[a-h]8)[qrbn]", r"\1p")),
    Forgery("promotion to another piece", replaced(r"(\w+)q\b", r"\1n"), harmless=True),
    Forgery("promotion on the way", replaced(r"\b([a-h]2[a-h]4)\b", r"\1q")),
    Forgery("a knight that promotes", replaced(r"\bg1f3\b", "g1f3q")),
]


# --- Against the form ---


def _line(change: Callable[[str, Random], str]) -> Callable[[Scene], Evidence]:
    """Change the text of one line."""

    def make(scene: Scene) -> Evidence:
        lines = scene.evidence.games.splitlines()
        at = scene.random.randrange(len(lines))
        lines[at] = change(lines[at], scene.random)
        return scene.evidence._replace(games=sorted_games(lines))

    return make


def _text(change: Callable[[list[str], Random], str]) -> Callable[[Scene], Evidence]:
    """Change the text of the whole file."""
    return lambda scene: scene.evidence._replace(
        games=change(scene.evidence.games.splitlines(keepends=True), scene.random)
    )


def ply(text: str) -> Callable[[Scene], Evidence]:
    """Another ply; ``{}`` stands for the right one."""

    def change(line: str, _: Random) -> str:
        *moves, number, san = line.split(" ")
        return " ".join([*moves, text.format(number), san])

    return _line(change)


def _in_san(game: Game, random: Random) -> Game:
    at = random.randrange(len(game.moves))
    board = replay(game.moves[:at])
    san = board.san(chess.Move.from_uci(game.moves[at]))
    return game._replace(moves=[*game.moves[:at], san, *game.moves[at + 1 :]])


def _moved_ply(game: Game, random: Random) -> Game:
    other = [i + 1 for i in range(len(game.moves)) if i + 1 != game.ply]
    return game._replace(ply=random.choice(other))


def _another_san(game: Game, random: Random) -> Game:
    bare = game.san.rstrip("+#")
    others = {bare + suffix for suffix in ("", "+", "#", "!", "++")} | {bare.lower(), "", "--"}
    return game._replace(san=random.choice(sorted(others - {game.san})))


PLIES: Final = ("0", "-1", "-{}", "+{}", "{}.0", "1e1", "0x{}", "{}0000", "99999", "x", "", "1_0")
LINES: Final[Forgeries] = [
    Forgery("another ply", change_game(_moved_ply)),
    *(Forgery(f"a ply written as {text!r}", ply(text)) for text in PLIES),
    Forgery("a ply with a leading zero", ply("0{}")),
    Forgery("another string at the ply", change_game(_another_san)),
    Forgery("a move in SAN", change_game(_in_san)),
    Forgery("moves in capitals", change_game(lambda g, _: g._replace(
        moves=[move.upper() for move in g.moves]))),
    Forgery("moves with dashes", change_game(lambda g, _: g._replace(
        moves=[f"{move[:2]}-{move[2:]}" for move in g.moves]))),
    Forgery("castling onto the rook", replaced(r"\be1g1\b", "e1h1")),
    Forgery("castling as O-O", replaced(r"\be1g1\b", "O-O")),
    Forgery("a game of more than 10,000 plies", change_game(
        lambda g, _: Game([*SHUFFLE * 2500, *g.moves], g.ply + 10_000, g.san))),
    Forgery("an empty line among the games", _text(lambda lines, _: "\n" + "".join(lines))),
    Forgery("an empty line after the games", _text(lambda lines, _: "".join(lines) + "\n")),
    Forgery("the last game without its line end", _text(lambda lines, _: "".join(lines)[:-1])),
    Forgery("no games", _text(lambda _lines, _: "")),
    Forgery("one line end for all games", _text(lambda _lines, _: "\n")),
    Forgery("the games from back to front", _text(lambda lines, _: "".join(lines[::-1]))),
    Forgery("games in any order", _text(
        lambda lines, random: "".join(random.sample(lines, len(lines))))),
    Forgery("a game twice", _text(
        lambda lines, random: "".join(sorted([*lines, random.choice(lines)])))),
    Forgery("all games twice", _text(lambda lines, _: "".join(lines * 2))),
    Forgery("all games on one line", _text(
        lambda lines, _: " ".join(line.rstrip() for line in lines) + "\n")),
    Forgery("a space before a line", _line(lambda line, _: f" {line}")),
    Forgery("a space after a line", _line(lambda line, _: f"{line} ")),
    Forgery("two spaces in a line", _line(lambda line, _: line.replace(" ", "  ", 1))),
    Forgery("a line without its string", _line(lambda line, _: line.rpartition(" ")[0])),
    Forgery("a line without spaces", _line(lambda line, _: line.replace(" ", ""))),
    Forgery("a line with a move more in front", _line(lambda line, _: f"a2a3 {line}")),
    Forgery("a line of spaces", _line(lambda _line, _: " " * 60_000)),
    Forgery("a comment after a line", _line(lambda line, _: f"{line} ; best")),
]  # fmt: skip
