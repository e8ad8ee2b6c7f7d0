"""Forged games: the file that the kernel reads, and the PGN that is published of it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import cycle, islice
from random import Random
from typing import Final, NamedTuple

import chess

from sanproof.proofs.kernel.files import GAMES
from sanproof.reports.tables.names import GAMES_PGN, WITNESSES
from sanproof.reports.tables.pgn import PgnGame, read_pgn, write_pgn
from tests.forgeries.damage import BYTE_CHANGES
from tests.forgeries.model import Files, Forgery, Kind, Scene, text_of, with_text


class Line(NamedTuple):
    """A line of the file of games, taken apart and not checked."""

    moves: tuple[str, ...]
    ply: int
    san: str

    @classmethod
    def read(cls, line: str) -> "Line":
        """The game on a line."""
        *moves, ply, san = line.split(" ")
        return cls(tuple(moves), int(ply), san)

    def __str__(self) -> str:
        return " ".join([*self.moves, str(self.ply), self.san])


Lines = list[Line]
Lie = Callable[[Lines, Random], Iterable[Line]]

SHUFFLE: Final = ("g1f3", "g8f6", "f3g1", "f6g8")
WHITE_TOUR: Final = ("b1a3", "a3c4", "c4e3", "e3d5", "d5c3", "c3b1")
BLACK_TOUR: Final = (
    *("g8h6", "h6f5", "f5h4", "h4g6", "g6f4"),
    *("f4h5", "h5g3", "g3e4", "e4f6", "f6g8"),
)
"""Two knights' ways back to where they began: both are there again after 30 moves each."""

REMEMBERED: Final = 1024
"""Games of which it is remembered how they go: most are the sound runs', and come with each lie."""


def read_lines(text: str) -> Lines:
    """The games of a file's text."""
    return list(map(Line.read, text.splitlines()))


def write_lines(games: Iterable[Line]) -> str:
    """A file's text with these games, in this order."""
    return "".join(f"{game}\n" for game in games)


@lru_cache(maxsize=REMEMBERED)
def is_played(game: Line) -> bool:
    """Whether python-chess plays the game to its mate, and writes the move at the ply so."""
    board = chess.Board()
    for number, text in enumerate(game.moves, 1):
        try:
            move = board.parse_uci(text)
        except ValueError:
            return False
        if move.uci() != text or (number == game.ply and board.san(move) != game.san):
            return False
        board.push(move)
    return board.is_checkmate() and 1 <= game.ply <= len(game.moves)


@lru_cache(maxsize=REMEMBERED)
def is_over_early(game: Line) -> bool:
    """Whether it is drawn before its end: a position for the fifth time, or 75 moves each."""
    board = chess.Board()
    seen = Counter[str]()
    for text in game.moves:
        epd = board.epd()
        seen[epd] += 1
        if seen[epd] == 5 or board.halfmove_clock >= 150:
            return True
        board.push_uci(text)
    return False


def is_sound(game: Line) -> bool:
    """Whether the game is one that the audit may pass."""
    return is_played(game) and not is_over_early(game)


# Lies


def of_one_game(change: Callable[[Line, Random], Line]) -> Lie:
    """A change of one of the games."""

    def changed(games: Lines, random: Random) -> Lines:
        at = random.randrange(len(games))
        return [*games[:at], change(games[at], random), *games[at + 1 :]]

    return changed


def one_missing(games: Lines, random: Random) -> Lines:
    at = random.randrange(len(games))
    return [*games[:at], *games[at + 1 :]]


def one_twice(games: Lines, random: Random) -> Lines:
    at = random.randrange(len(games))
    return [*games[:at], games[at], *games[at:]]


def one_for_another(games: Lines, random: Random) -> Lines:
    a, b = random.sample(range(len(games)), 2)
    return [*games[:a], games[b], *games[a + 1 :]]


def one_player_missing(games: Lines, random: Random) -> Lines:
    parity = random.randrange(2)
    return [game for game in games if game.ply % 2 == parity]


def moves_of_another(games: Lines, random: Random) -> Lines:
    a, b = random.sample(range(len(games)), 2)
    return [*games[:a], games[a]._replace(moves=games[b].moves), *games[a + 1 :]]


def string_of_another(games: Lines, random: Random) -> Lines:
    a, b = random.sample(range(len(games)), 2)
    return [*games[:a], games[a]._replace(san=games[b].san), *games[a + 1 :]]


def another_way(games: Lines, random: Random) -> Lines:
    """A second game for a string that has one already: true, and padding."""
    return [*games, after(SHUFFLE, random.choice(games))]


def another_ply(game: Line, random: Random) -> Line:
    return game._replace(ply=game.ply + random.choice((-2, -1, 1, 2)))


def no_ply(game: Line, random: Random) -> Line:
    beyond = len(game.moves) + 2 - (len(game.moves) - game.ply) % 2  # still the same player's
    return game._replace(ply=random.choice((game.ply % 2 - 2, beyond, 0, 10**6, 10**3000)))


def another_legal_move(game: Line, random: Random) -> Line:
    at = random.randrange(len(game.moves))
    move = random.choice(list(position(game.moves[:at]).legal_moves))
    return with_move(game, at, move.uci())


def an_illegal_move(game: Line, random: Random) -> Line:
    at = random.randrange(len(game.moves))
    legal = {move.uci() for move in position(game.moves[:at]).legal_moves}
    strange = ["0000", "e1e1", "a9a1", "e4", "Nf3", "e1g1", "e2e4e5", "x" * 80, *game.moves]
    return with_move(game, at, random.choice([text for text in strange if text not in legal]))


def not_canonical(game: Line, random: Random) -> Line:
    """A move written as any reader understands it, and as UCI does not."""
    at = random.randrange(len(game.moves))
    text = game.moves[at]
    spellings = [text.upper(), f"{text[:2]}-{text[2:]}", f"{text[:2]}x{text[2:]}", f"{text}q"]
    return with_move(game, at, random.choice(spellings))


def pawn_left_on_the_last_rank(game: Line, random: Random) -> Line:
    promotions = [i for i, text in enumerate(game.moves) if len(text) == 5]
    at = random.choice(promotions or [0])
    return with_move(game, at, game.moves[at][:4] + random.choice(("", "k", "p")))


def no_mate(game: Line, random: Random) -> Line:
    if game.ply == len(game.moves):
        return game._replace(moves=game.moves[:-1])
    return game._replace(moves=game.moves[: random.randrange(game.ply, len(game.moves))])


def on_after_mate(game: Line, random: Random) -> Line:
    return game._replace(moves=(*game.moves, random.choice(game.moves)))


def drawn_by_repetition(game: Line, _: Random) -> Line:
    return after(SHUFFLE * 4, game)


def drawn_by_75_moves(game: Line, _: Random) -> Line:
    tours = zip(cycle(WHITE_TOUR), cycle(BLACK_TOUR), strict=False)
    return after([move for pair in islice(tours, 90) for move in pair], game)


def after(moves: Sequence[str], game: Line) -> Line:
    """The game after moves that lead back to its beginning."""
    return game._replace(ply=game.ply + len(moves), moves=(*moves, *game.moves))


def with_move(game: Line, at: int, text: str) -> Line:
    return game._replace(moves=(*game.moves[:at], text, *game.moves[at + 1 :]))


def position(moves: Sequence[str]) -> chess.Board:
    board = chess.Board()
    for text in moves:
        board.push_uci(text)
    return board


LIES: Final[dict[str, Lie]] = {
    "one missing": one_missing,
    "one twice": one_twice,
    "one for another": one_for_another,
    "one player's missing": one_player_missing,
    "none": lambda *_: [],
    "moves of another": moves_of_another,
    "string of another": string_of_another,
    "a second game": another_way,
    "another ply": of_one_game(another_ply),
    "no ply": of_one_game(no_ply),
    "another legal move": of_one_game(another_legal_move),
    "an illegal move": of_one_game(an_illegal_move),
    "not canonical": of_one_game(not_canonical),
    "a pawn on the last rank": of_one_game(pawn_left_on_the_last_rank),
    "no mate": of_one_game(no_mate),
    "on after mate": of_one_game(on_after_mate),
    "drawn by repetition": of_one_game(drawn_by_repetition),
    "drawn by 75 moves": of_one_game(drawn_by_75_moves),
}


def lying(lie: Lie) -> Kind:
    """A lie about the games, in the file that the kernel reads; its lines are sorted."""

    def forge(scene: Scene) -> Forgery:
        told = until_false(lie, read_lines(text_of(scene.played, GAMES)), scene.random)
        return Forgery(with_text(scene.played, GAMES, write_lines(told)), (GAMES,))

    return forge


def until_false(lie: Lie, games: Lines, random: Random) -> Lines:
    """What the lie makes of the games, sorted; it is told again while it changes nothing."""
    told = games
    while len(set(told)) == len(told) == len(games) and all(map(is_sound, told)):
        told = sorted(lie(games, random), key=str)
    return told


def another_order(scene: Scene) -> Forgery:
    lines = text_of(scene.played, GAMES).splitlines()
    a, b = scene.random.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    return Forgery(with_text(scene.played, GAMES, "\n".join([*lines, ""])), (GAMES,), ("sorted",))


def another_spelling(scene: Scene) -> Forgery:
    """The same games, not as a run writes them."""
    lines = text_of(scene.played, GAMES).splitlines()
    at = scene.random.randrange(len(lines))
    moves, ply, san = lines[at].rsplit(" ", 2)
    spellings = [f"0{ply}", f"+{ply}", f"{ply}_0", f" {ply}", ply.rjust(4, "0"), f"{ply}.0"]
    lines[at] = f"{moves} {scene.random.choice(spellings)} {san}"
    text = "".join(f"{line}\n" for line in sorted(lines))
    return Forgery(with_text(scene.played, GAMES, text), (GAMES,))


def damaged(change: Callable[[bytes, Random], bytes]) -> Kind:
    """A damage to the text of the games; what is honest all the same is no longer the PGN's."""

    def forge(scene: Scene) -> Forgery:
        old = new = text_of(scene.played, GAMES).encode()
        while new == old:
            new = change(old, scene.random)
        return Forgery(with_text(scene.played, GAMES, new), (GAMES, GAMES_PGN, WITNESSES))

    return forge


# PGN


def read_games(text: str) -> list[PgnGame]:
    """The games of a PGN file's text."""
    """Each ends with its second empty line."""
    return [read_pgn(part) for part in re.findall(r"(?s).+?\n\n.+?\n\n", text)]


def pgn_lie(lie: Callable[[list[PgnGame], Random], Iterable[PgnGame]]) -> Kind:
    """Other games in PGN than in the file that the kernel reads."""

    def forge(scene: Scene) -> Forgery:
        before = read_games(text_of(scene.played, GAMES_PGN))
        text = _written(lie(before, scene.random))
        return _with_pgn(scene.played, text)

    return forge


def _written(games: Iterable[PgnGame]) -> str:
    return "".join(map(write_pgn, games))


def _with_pgn(files: Files, text: str) -> Forgery:
    assert text != text_of(files, GAMES_PGN)
    return Forgery(with_text(files, GAMES_PGN, text), (GAMES_PGN,), ("line ",))


def pgn_missing(games: list[PgnGame], random: Random) -> list[PgnGame]:
    at = random.randrange(len(games))
    left = [*games[:at], *games[at + 1 :]]
    return [game._replace(number=number) for number, game in enumerate(left, 1)]


def pgn_exchanged(games: list[PgnGame], random: Random) -> list[PgnGame]:
    a, b = random.sample(range(len(games)), 2)
    games[a], games[b] = games[b], games[a]
    return games


def pgn_move_changed(games: list[PgnGame], random: Random) -> list[PgnGame]:
    at = random.randrange(len(games))
    sans = list(games[at].sans)
    ply = random.randrange(len(sans))
    san = sans[ply]
    spellings = [san + "!", san + "+", "--", "0-0", "e4" * 3, san.swapcase(), "", "a3"]
    sans[ply] = random.choice([text for text in spellings if text != san])
    games[at] = games[at]._replace(sans=tuple(sans))
    return games


def move_of_80_characters(scene: Scene) -> Forgery:
    """It does not fit on a line of PGN."""
    text = text_of(scene.played, GAMES_PGN)
    found = scene.random.choice(list(re.finditer(r"(?<= )[a-h][1-8](?= )", text)))
    length = scene.random.choice((80, 81, 300, 30_000))
    return _with_pgn(scene.played, text[: found.start()] + "Q" * length + text[found.end() :])


def tag_changed(scene: Scene) -> Forgery:
    """One value changed, given to a tag of another name, or left out with its tag."""
    text, random = text_of(scene.played, GAMES_PGN), scene.random
    found = random.choice(list(re.finditer(r'\[(\w+) "([^"]*)"\]\n', text)))
    name, value = found.groups()
    number = str(int(value) + random.choice((-1, 1))) if value.isdigit() else "1/2-1/2"
    others = [
        f'[{name} "{number}"]\n',
        f'[{name} "{value} "]\n',
        f'[{name} "0{value}"]\n',
        f'[{name} "{"9" * 5000}"]\n',
        f'[{name} "<b>"]\n',
        f'[{name.swapcase()} "{value}"]\n',
        f"[{name} '{value}']\n",
        f'[ECO "A00"]\n{found[0]}',
        found[0] * 2,
        "",
    ]
    return _with_pgn(
        scene.played, text[: found.start()] + random.choice(others) + text[found.end() :]
    )


def words_inserted(scene: Scene) -> Forgery:
    """What PGN knows besides tags and moves, between two words."""
    text, random = text_of(scene.played, GAMES_PGN), scene.random
    found = random.choice(list(re.finditer(r"[ \n]", text)))
    words = ("{a comment}", "; a comment\n", "$1", "(1. e4)", "1...", "*", "%escaped", " ", "\n")
    return _with_pgn(
        scene.played, f"{text[: found.end()]}{random.choice(words)} {text[found.end() :]}"
    )


def lines_broken_elsewhere(scene: Scene) -> Forgery:
    text = text_of(scene.played, GAMES_PGN)
    found = scene.random.choice(list(re.finditer(r" \d+\. ", text)))
    return _with_pgn(scene.played, f"{text[: found.start()]}\n{text[found.start() + 1 :]}")


KINDS: Final[dict[str, Kind]] = {
    **{f"games: {name}": lying(lie) for name, lie in LIES.items()},
    "games: order": another_order,
    "games: spelling": another_spelling,
    **{f"games, text: {name}": damaged(change) for name, change in BYTE_CHANGES.items()},
    "PGN: one missing": pgn_lie(pgn_missing),
    "PGN: two exchanged": pgn_lie(pgn_exchanged),
    "PGN: a move changed": pgn_lie(pgn_move_changed),
    "PGN: a move of 80 characters": move_of_80_characters,
    "PGN: a tag changed": tag_changed,
    "PGN: words inserted": words_inserted,
    "PGN: lines broken elsewhere": lines_broken_elsewhere,
}
