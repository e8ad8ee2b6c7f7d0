"""Lies about games, for the corruptions: each changes a run's games in one way."""

import re
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from random import Random
from typing import Final

import chess

from reports.tables.pgn import PgnGame, read_pgn, split_pgn, write_pgn

Games = list[PgnGame]
Lie = Callable[[Games, Random], Games]

SHUFFLE: Final = ("Nf3", "Nf6", "Ng1", "Ng8")
WHITE_TOUR: Final = ("Na3", "Nc4", "Ne3", "Nd5", "Nc3", "Nb1")
BLACK_TOUR: Final = ("Nh6", "Nf5", "Nh4", "Ng6", "Nf4", "Nh5", "Ng3", "Ne4", "Nf6", "Ng8")
"""Two knights' ways back to where they began: both are there again after 30 moves each."""


def read_games(text: bytes) -> Games:
    """The games of a file's text."""
    return [read_pgn(game) for game in split_pgn(text.decode("ascii"))]


def write_games(games: Games) -> bytes:
    """A file's text with these games."""
    return "".join(map(write_pgn, games)).encode("ascii")


def is_honest(text: bytes, before: Games) -> bool:
    """Whether all games are legal and show what they did before: then nothing is a lie."""
    try:
        games = read_games(text)
    except ValueError:
        return False
    tags = [(game.number, game.san, game.ply) for game in games]
    return tags == [(game.number, game.san, game.ply) for game in before] and all(
        game in before or is_played(game) for game in games
    )


def is_played(game: PgnGame) -> bool:
    """Whether python-chess plays the game, as it is written, to its mate and past its string."""
    board = chess.Board()
    for san in game.sans:
        try:
            move = board.parse_san(san)
        except ValueError:
            return False
        if board.san(move) != san:
            return False
        board.push(move)
    return board.is_checkmate() and game.sans[game.ply : game.ply + 1] == (game.san,)


def renumbered(games: Games) -> Games:
    """The games with numbers as they follow one another."""
    return [game._replace(number=i) for i, game in enumerate(games, 1)]


def of_one_game(change: Callable[[PgnGame, Random], PgnGame]) -> Lie:
    """A change of one of the games."""

    def changed(games: Games, random: Random) -> Games:
        at = random.randrange(len(games))
        return [*games[:at], change(games[at], random), *games[at + 1 :]]

    return changed


def one_missing(games: Games, random: Random) -> Games:
    at = random.randrange(len(games))
    return renumbered([*games[:at], *games[at + 1 :]])


def one_twice(games: Games, random: Random) -> Games:
    at = random.randrange(len(games))
    return renumbered([*games[:at], games[at], *games[at:]])


def one_for_another(games: Games, random: Random) -> Games:
    a, b = random.sample(range(len(games)), 2)
    return renumbered([*games[:a], games[b], *games[a + 1 :]])


def exchanged(games: Games, random: Random) -> Games:
    a, b = sorted(random.sample(range(len(games)), 2))
    return [*games[:a], games[b], *games[a + 1 : b], games[a], *games[b + 1 :]]


def exchanged_and_renumbered(games: Games, random: Random) -> Games:
    return renumbered(exchanged(games, random))


def one_player_missing(games: Games, random: Random) -> Games:
    colour = random.choice(("white", "black"))
    return renumbered([game for game in games if game.colour != colour])


def moves_of_another(games: Games, random: Random) -> Games:
    a, b = random.sample(range(len(games)), 2)
    return [*games[:a], games[a]._replace(sans=games[b].sans), *games[a + 1 :]]


def string_of_another(games: Games, random: Random) -> Games:
    a, b = random.sample(range(len(games)), 2)
    return [*games[:a], games[a]._replace(san=games[b].san), *games[a + 1 :]]


def another_ply(game: PgnGame, random: Random) -> PgnGame:
    return game._replace(ply=game.ply + random.choice((-2, -1, 1, 2)))


def no_ply(game: PgnGame, random: Random) -> PgnGame:
    beyond = len(game.sans) + len(game.sans) % 2 + game.ply % 2  # still the same player's
    return game._replace(ply=random.choice((game.ply % 2 - 2, beyond)))


def another_legal_move(game: PgnGame, random: Random) -> PgnGame:
    ply = random.randrange(len(game.sans))
    board = position(game.sans[:ply])
    return with_move(game, ply, board.san(random.choice(list(board.legal_moves))))


def an_illegal_move(game: PgnGame, random: Random) -> PgnGame:
    ply = random.randrange(len(game.sans))
    board = position(game.sans[:ply])
    legal = {board.san(move) for move in board.legal_moves}
    strange = ["--", "0-0", "Qa9", "e2e4", "Kxe1", "O-O-O#", *game.sans]
    return with_move(game, ply, random.choice([san for san in strange if san not in legal]))


def not_canonical(game: PgnGame, random: Random) -> PgnGame:
    """A move written as any reader understands it, and as the PGN standard does not."""
    ply = random.randrange(len(game.sans))
    board = position(game.sans[:ply])
    san, move = game.sans[ply], board.parse_san(game.sans[ply])
    spellings = [san + "!", san.rstrip("+#"), san + "+", san.lower(), board.lan(move), move.uci()]
    return with_move(game, ply, random.choice(spellings))


def stops_before_mate(game: PgnGame, random: Random) -> PgnGame:
    return game._replace(sans=game.sans[: random.randrange(game.ply + 1, len(game.sans) + 1)])


def goes_on_after_mate(game: PgnGame, random: Random) -> PgnGame:
    return game._replace(sans=(*game.sans, random.choice(game.sans)))


def drawn_by_repetition(game: PgnGame, _: Random) -> PgnGame:
    return after(SHUFFLE * 4, game)


def drawn_by_75_moves(game: PgnGame, _: Random) -> PgnGame:
    tours = zip(cycle(WHITE_TOUR), cycle(BLACK_TOUR), strict=False)
    return after([san for pair in islice(tours, 90) for san in pair], game)


def after(moves: Sequence[str], game: PgnGame) -> PgnGame:
    """The game after moves that lead back to its beginning."""
    return game._replace(ply=game.ply + len(moves), sans=(*moves, *game.sans))


def with_move(game: PgnGame, ply: int, san: str) -> PgnGame:
    return game._replace(sans=(*game.sans[:ply], san, *game.sans[ply + 1 :]))


def position(sans: Sequence[str]) -> chess.Board:
    board = chess.Board()
    for san in sans:
        board.push_san(san)
    return board


LIES: Final[dict[str, Lie]] = {
    "one missing": one_missing,
    "one twice": one_twice,
    "one for another": one_for_another,
    "two exchanged": exchanged,
    "two exchanged and renumbered": exchanged_and_renumbered,
    "one player's missing": one_player_missing,
    "none": lambda *_: [],
    "moves of another": moves_of_another,
    "string of another": string_of_another,
    "another ply": of_one_game(another_ply),
    "no ply": of_one_game(no_ply),
    "another legal move": of_one_game(another_legal_move),
    "an illegal move": of_one_game(an_illegal_move),
    "not canonical": of_one_game(not_canonical),
    "no mate": of_one_game(stops_before_mate),
    "on after mate": of_one_game(goes_on_after_mate),
    "drawn by repetition": of_one_game(drawn_by_repetition),
    "drawn by 75 moves": of_one_game(drawn_by_75_moves),
}


def change_tag(text: bytes, random: Random) -> bytes:
    """One value changed, given to a tag of another name, or left out with its tag."""
    found = random.choice(list(re.finditer(rb'\[(\w+) "([^"]*)"\]\n', text)))
    name, value = found.groups()
    number = str(int(value) + random.choice((-1, 1))).encode() if value.isdigit() else b"1/2-1/2"
    others = [
        b'[%b "%b"]\n' % (name, number),
        b'[%b "%b "]\n' % (name, value),
        b'[%b "0%b"]\n' % (name, value),
        b'[%b "%b"]\n' % (name.swapcase(), value),
        b"[%b '%b']\n" % (name, value),
        found[0] * 2,
        b"",
    ]
    return text[: found.start()] + random.choice(others) + text[found.end() :]


def insert_words(text: bytes, random: Random) -> bytes:
    """What PGN knows besides tags and moves, between two words."""
    found = random.choice(list(re.finditer(rb"[ \n]", text)))
    words = (b"{a comment}", b"; a comment\n", b"$1", b"(1. e4)", b"1...", b"*", b"%escaped", b" ")
    return text[: found.end()] + random.choice(words) + b" " + text[found.end() :]


TEXT_CHANGES: Final[dict[str, Callable[[bytes, Random], bytes]]] = {
    "a tag changed": change_tag,
    "words inserted": insert_words,
}
