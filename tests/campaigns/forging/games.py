"""Forged games: against the Laws of Chess, against the form of a line, and in PGN."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Final

import chess

from sanproof.proofs.kernel.files import GAMES
from sanproof.reports.tables.names import GAMES_PGN, WITNESSES
from sanproof.reports.tables.pgn import PgnGame, read_pgn, write_pgn
from tests.campaigns.forging.damage import BYTE_CHANGES
from tests.campaigns.forging.model import Forgery, Kind, Scene, of_text, text_of, with_text
from tests.campaigns.forging.parts import Game, games_of, is_sound, read_games, replay, write_games

Games = list[Game]
Lie = Callable[[Games, Random], Iterable[Game]]

SHUFFLE: Final = ("g1f3", "g8f6", "f3g1", "f6g8")
SLOW_OPENING: Final = ("e2e4", "g7g5", "a2a3", "f7f6", "d2d4")
QUEENSIDE: Final = chess.BB_FILE_A | chess.BB_FILE_B | chess.BB_FILE_C
STALEMATE: Final = (
    *("e2e3", "a7a5", "d1h5", "a8a6", "h5a5", "h7h5", "h2h4", "a6h6", "a5c7", "f7f6"),
    *("c7d7", "e8f7", "d7b7", "d8d3", "b7b8", "d3h7", "b8c8", "f7g6", "c8e6"),
)
STALEMATE_WITH_A3: Final = ("a2a3", "a7a6", "e2e3", "a6a5", *STALEMATE[2:])
WHITE_TOUR: Final = ("b1a3", "a3c4", "c4e3", "e3d5", "d5c3", "c3b1")
BLACK_TOUR: Final = (
    *("g8h6", "h6f5", "f5h4", "h4g6", "g6f4"),
    *("f4h5", "h5g3", "g3e4", "e4f6", "f6g8"),
)
"""Two knights' ways back to where they began: both are there again after 30 moves each."""
CASTLED: Final[dict[str, str]] = {
    "after the king moved": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1e2 a7a6 e2e1 a6a5 e1g1",
    "after the rook moved": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 h1g1 a7a6 g1h1 a6a5 e1g1",
    "with the bishop between": "e2e4 e7e5 g1f3 b8c6 e1g1",
    "without the rook": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 h2h4 a7a6 h1h3 a6a5 e1g1",
    "out of check": "e2e4 e7e5 g1f3 c7c6 f1e2 a7a6 d2d3 d8a5 e1g1",
    "through check": "e2e4 b7b6 g1f3 c8a6 g2g3 e7e6 f1h3 b8c6 d2d3 h7h6 d3d4 h6h5 e1g1",
    "into check": "e2e4 e7e5 f2f4 f8c5 g1f3 g8h6 f1e2 h6g4 f4e5 a7a6 e1g1",
}


@cache
def wander(opening: Sequence[str], plies: int, squares: chess.Bitboard) -> tuple[str, ...]:
    """Return the opening, then moves of pieces back and forth, seldom to the same position."""
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


# --- Lies about one game, or about all ---


def of_one_game(change: Callable[[Game, Random], Game]) -> Lie:
    """Change one of the games."""

    def changed(games: Games, random: Random) -> Games:
        at = random.randrange(len(games))
        return [*games[:at], change(games[at], random), *games[at + 1 :]]

    return changed


def of_two_games(change: Callable[[Game, Game], Game]) -> Lie:
    """Put together one game from two."""

    def changed(games: Games, random: Random) -> Games:
        a, b = random.sample(range(len(games)), 2)
        return [*games[:a], change(games[a], games[b]), *games[a + 1 :]]

    return changed


def one_missing(games: Games, random: Random) -> Games:
    at = random.randrange(len(games))
    return [*games[:at], *games[at + 1 :]]


def one_twice(games: Games, random: Random) -> Games:
    return [*games, random.choice(games)]


def one_player_missing(games: Games, random: Random) -> Games:
    parity = random.randrange(2)
    return [game for game in games if game.ply % 2 == parity]


def another_way(games: Games, random: Random) -> Games:
    """A second game for a string that has one already: true, and padding."""
    return [*games, random.choice(games).after(SHUFFLE)]


def another_ply(game: Game, random: Random) -> Game:
    return game._replace(ply=game.ply + random.choice((-2, -1, 1, 2)))


def no_ply(game: Game, random: Random) -> Game:
    beyond = len(game.moves) + 2 - (len(game.moves) - game.ply) % 2  # still the same player's
    return game._replace(ply=random.choice((game.ply % 2 - 2, beyond, 0, 10**6, 10**3000)))


def another_suffix(game: Game, random: Random) -> Game:
    bare = game.san.rstrip("+#")
    others = {bare + suffix for suffix in ("", "+", "#", "!", "++")} | {bare.lower(), "", "--"}
    return game._replace(san=random.choice(sorted(others - {game.san})))


def another_legal_move(game: Game, random: Random) -> Game:
    at = random.randrange(len(game.moves))
    return game.with_move(at, random.choice(list(replay(game.moves[:at]).legal_moves)).uci())


def an_illegal_move(game: Game, random: Random) -> Game:
    at = random.randrange(len(game.moves))
    legal = {move.uci() for move in replay(game.moves[:at]).legal_moves}
    a, b = random.sample(chess.SQUARE_NAMES, 2)
    strange = ["0000", "e1e1", "a9a1", "e4", "N@e4", "e2e4e5", "x" * 80, a + b, *game.moves]
    return game.with_move(at, random.choice([text for text in strange if text not in legal]))


def into_check(game: Game, random: Random) -> Game:
    """A move that is legal but for the king's safety, if there is one."""
    unsafe = [
        (at, move.uci())
        for at in range(len(game.moves))
        for board in [replay(game.moves[:at])]
        for move in board.generate_pseudo_legal_moves()
        if not board.is_legal(move)
    ]
    return game.with_move(*random.choice(unsafe)) if unsafe else an_illegal_move(game, random)


def inserted(*texts: str) -> Callable[[Game, Random], Game]:
    """Insert moves, or a move of the player whose turn it is not, if none are given."""

    def change(game: Game, random: Random) -> Game:
        at = random.randrange(1, len(game.moves))
        more = texts or (game.moves[at - 1],)
        moves = (*game.moves[:at], *more, *game.moves[at:])
        return game._replace(moves=moves, ply=game.ply + len(texts) * (at < game.ply))

    return change


def not_canonical(game: Game, random: Random) -> Game:
    """A move written as any reader understands it, and as UCI does not."""
    at = random.randrange(len(game.moves))
    text = game.moves[at]
    san = replay(game.moves[:at]).san(chess.Move.from_uci(text))
    spellings = [text.upper(), f"{text[:2]}-{text[2:]}", f"{text[:2]}x{text[2:]}", f"{text}q", san]
    return game.with_move(at, random.choice(spellings))


def pawn_left_on_the_last_rank(game: Game, random: Random) -> Game:
    promotions = [i for i, text in enumerate(game.moves) if len(text) == 5]
    at = random.choice(promotions or [0])
    return game.with_move(at, game.moves[at][:4] + random.choice(("", "k", "p")))


def replaced(pattern: str, text: str) -> Lie:
    """Change the first move that looks so, in some game that has one; if none has, any game."""

    def changed(games: Games, random: Random) -> Games:
        fit = [i for i, game in enumerate(games) if re.search(pattern, " ".join(game.moves))]
        if not fit:
            return list(of_one_game(an_illegal_move)(games, random))
        at = random.choice(fit)
        moves = re.sub(pattern, text, " ".join(games[at].moves), count=1).split(" ")
        return [*games[:at], games[at]._replace(moves=tuple(moves)), *games[at + 1 :]]

    return changed


def no_mate(game: Game, random: Random) -> Game:
    if game.ply == len(game.moves):
        return game._replace(moves=game.moves[:-1])
    return game._replace(moves=game.moves[: random.randrange(game.ply, len(game.moves))])


def on_after_mate(game: Game, random: Random) -> Game:
    more = random.choice((game.moves, ("a7a6",), ("e8e7",), ("e1e2",), game.moves[-1:]))
    return game._replace(moves=(*game.moves, *more))


def drawn_by_75_moves(game: Game, _: Random) -> Game:
    tours = zip(cycle(WHITE_TOUR), cycle(BLACK_TOUR), strict=False)
    return game.after([move for pair in islice(tours, 90) for move in pair])


def in_place_of(moves: Sequence[str], san: str, ply: int) -> Lie:
    """A game in place of all that show this string for this player, or in place of any."""

    def changed(games: Games, random: Random) -> Games:
        white = ply % 2 == 1
        kept = [game for game in games if not (game.san == san and game.white == white)]
        kept = kept if len(kept) < len(games) else one_missing(games, random)
        return [*kept, Game(tuple(moves), ply, san)]

    return changed


def slow(plies: int) -> Lie:
    """White's a3, and then so many plies without progress before the one that mates."""

    def changed(games: Games, random: Random) -> Iterable[Game]:  # it takes a while to wander
        moves = (*wander(SLOW_OPENING, plies, QUEENSIDE), "d1h5")
        return in_place_of(moves, "a3", 3)(games, random)

    return changed


LIES: Final[dict[str, Lie]] = {
    "one missing": one_missing,
    "one twice": one_twice,
    "one for another": of_two_games(lambda _, other: other),
    "one player's missing": one_player_missing,
    "none": lambda *_: [],
    "moves of another": of_two_games(lambda game, other: game._replace(moves=other.moves)),
    "string of another": of_two_games(lambda game, other: game._replace(san=other.san)),
    "a second game": another_way,
    "another ply": of_one_game(another_ply),
    "no ply": of_one_game(no_ply),
    "another legal move": of_one_game(another_legal_move),
    "an illegal move": of_one_game(an_illegal_move),
    "not canonical": of_one_game(not_canonical),
    "a pawn on the last rank": of_one_game(pawn_left_on_the_last_rank),
    "no mate": of_one_game(no_mate),
    "on after mate": of_one_game(on_after_mate),
    "drawn by repetition": of_one_game(lambda game, _: game.after(SHUFFLE * 4)),
    "drawn by 75 moves": of_one_game(drawn_by_75_moves),
}
"""They are also told of a cover, and in all files of a run alike."""
LAWS: Final[dict[str, Lie]] = {
    "a king left in check": of_one_game(into_check),
    "a move of the other player": of_one_game(inserted()),
    "null moves": of_one_game(inserted("0000", "0000")),
    "another suffix": of_one_game(another_suffix),
    "a game without moves": of_one_game(lambda game, _: game._replace(moves=())),
    "a game that ends in stalemate": in_place_of(STALEMATE_WITH_A3, "a3", 1),
    "to stalemate and beyond": in_place_of((*STALEMATE_WITH_A3, "g6h5"), "a3", 1),
    "151 plies without progress": slow(151),
    "153 plies without progress": slow(153),
    "the first position six times": of_one_game(lambda game, _: game.after(SHUFFLE * 5)),
    "more than 10,000 plies": of_one_game(lambda game, _: game.after(SHUFFLE * 2500)),
    **{
        f"castling {how}": in_place_of(moves.split(), "O-O", len(moves.split()))
        for how, moves in CASTLED.items()
    },
    "castling onto the rook": replaced(r"\be1g1\b", "e1h1"),
    "castling as O-O": replaced(r"\be1g1\b", "O-O"),
    "promotion to another piece": replaced(r"(\w+)q\b", r"\1n"),
    "promotion on the way": replaced(r"\b([a-h]2[a-h]4)\b", r"\1q"),
    "a knight that promotes": replaced(r"\bg1f3\b", "g1f3q"),
}
"""What else the Laws and the form of moves forbid."""
HARMLESS: Final[dict[str, Lie]] = {
    "149 plies without progress, and mate": slow(149),
    "the first position four times": of_one_game(lambda game, _: game.after(SHUFFLE * 3)),
}
"""Just short of a draw: the kernel may accept it, and the audit misses it in the PGN."""


def until_false(lie: Lie, games: Games, random: Random) -> Games:
    """Return what the lie makes of the games; it is told again while it changes nothing."""
    while True:
        told = sorted(lie(games, random), key=str)
        is_alike = len(set(told)) == len(told) == len(games)
        if not (is_alike and all(map(is_sound, set(told).difference(games)))):
            return told


def lying(lie: Lie, *named: str) -> Kind:
    """Tell a lie in the file that the kernel reads; its lines are sorted."""

    def forge(scene: Scene) -> Forgery:
        told = until_false(lie, games_of(scene.played), scene.random)
        harmless = lie is another_way  # the kernel may, the audit may not: its PGN differs
        files = with_text(scene.played, GAMES, write_games(told))
        return Forgery(files, (GAMES, *named), harmless=harmless)

    return forge


def harmless_lie(lie: Lie) -> Kind:
    """Tell a lie that may be none."""

    def change(text: str, random: Random) -> str:
        return write_games(lie(read_games(text), random))

    return of_text(GAMES, change, GAMES_PGN, WITNESSES, harmless=True)


# --- Against the form ---


def of_line(change: Callable[[str, Random], str]) -> Kind:
    """Change the text of one line; the lines are sorted again."""

    def changed(text: str, random: Random) -> str:
        lines = text.splitlines()
        at = random.randrange(len(lines))
        lines[at] = change(lines[at], random)
        return "".join(f"{line}\n" for line in sorted(lines))

    return of_text(GAMES, changed)


def ply_as(text: str) -> Kind:
    """Write a ply otherwise; ``{}`` stands for the right one."""

    def change(line: str, _: Random) -> str:
        *moves, number, san = line.split(" ")
        return " ".join([*moves, text.format(number), san])

    return of_line(change)


def of_lines(change: Callable[[list[str], Random], str]) -> Kind:
    """Change the text of the whole file, given as lines with their ends."""
    return of_text(GAMES, lambda text, random: change(text.splitlines(keepends=True), random))


PLIES: Final = (
    *("0", "-1", "-{}", "+{}", "0{}", "{}.0", "1e1", "0x{}", "{}0000", "99999", "x", "", "1_0"),
    " {}",
)
FORM: Final[dict[str, Kind]] = {
    **{f"a ply written as {text!r}": ply_as(text) for text in PLIES},
    "an empty line in front": of_text(GAMES, lambda text, _: "\n" + text),
    "an empty line at the end": of_text(GAMES, lambda text, _: text + "\n"),
    "the last line end missing": of_text(GAMES, lambda text, _: text[:-1]),
    "one line end for all": of_text(GAMES, lambda *_: "\n"),
    "order": of_lines(lambda lines, random: "".join(random.sample(lines, len(lines)))),
    "from back to front": of_lines(lambda lines, _: "".join(lines[::-1])),
    "all twice": of_text(GAMES, lambda text, _: text * 2),
    "all on one line": of_lines(lambda lines, _: " ".join(map(str.rstrip, lines)) + "\n"),
    "a space before a line": of_line(lambda line, _: f" {line}"),
    "a space after a line": of_line(lambda line, _: f"{line} "),
    "two spaces in a line": of_line(lambda line, _: line.replace(" ", "  ", 1)),
    "a line without its string": of_line(lambda line, _: line.rpartition(" ")[0]),
    "a line without spaces": of_line(lambda line, _: line.replace(" ", "")),
    "a move more in front": of_line(lambda line, _: f"a2a3 {line}"),
    "a line of spaces": of_line(lambda *_: " " * 60_000),
    "a comment after a line": of_line(lambda line, _: f"{line} ; best"),
}


def damaged(change: Callable[[bytes, Random], bytes]) -> Kind:
    """Damage the text of the games; what is honest all the same is no longer the PGN's."""

    def forge(scene: Scene) -> Forgery:
        old = new = text_of(scene.played, GAMES).encode()
        while new == old:
            new = change(old, scene.random)
        named = (GAMES, GAMES_PGN, WITNESSES)
        return Forgery(with_text(scene.played, GAMES, new), named, harmless=True)

    return forge


# --- PGN ---


def of_pgn(change: Callable[[list[PgnGame], Random], Iterable[PgnGame]]) -> Kind:
    """Write other games in PGN than in the file that the kernel reads."""

    def changed(text: str, random: Random) -> str:
        # Each game ends with its second empty line.
        games = [read_pgn(part) for part in re.findall(r"(?s).+?\n\n.+?\n\n", text)]
        return "".join(map(write_pgn, change(games, random)))

    return of_pgn_text(changed)


def of_pgn_text(change: Callable[[str, Random], str]) -> Kind:
    """Change the text of the PGN."""

    def forge(scene: Scene) -> Forgery:
        return of_text(GAMES_PGN, change)(scene)._replace(items=("line ",))

    return forge


def pgn_missing(games: list[PgnGame], random: Random) -> list[PgnGame]:
    games.pop(random.randrange(len(games)))
    return [game._replace(number=number) for number, game in enumerate(games, 1)]


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


def at_some(pattern: str, put: Callable[[re.Match[str], Random], str]) -> Kind:
    """Put something in the place of some match."""

    def change(text: str, random: Random) -> str:
        found = random.choice(list(re.finditer(pattern, text)))
        return text[: found.start()] + put(found, random) + text[found.end() :]

    return of_pgn_text(change)


def another_tag(found: re.Match[str], random: Random) -> str:
    """A value changed, given to a tag of another name, or left out with its tag."""
    name, value = found.groups()
    number = str(int(value) + random.choice((-1, 1))) if value.isdigit() else "1/2-1/2"
    values = (number, f"{value} ", f"0{value}", "9" * 5000, "<b>")
    others = [f'[{name.swapcase()} "{value}"]\n', f"[{name} '{value}']\n", found[0] * 2, ""]
    tags = [f'[{name} "{other}"]\n' for other in values]
    return random.choice([*tags, *others, f'[ECO "A00"]\n{found[0]}'])


WORDS: Final = ("{a comment}", "; a comment\n", "$1", "(1. e4)", "1...", "*", "%escaped", " ", "\n")
PGN: Final[dict[str, Kind]] = {
    "one missing": of_pgn(pgn_missing),
    "two exchanged": of_pgn(pgn_exchanged),
    "a move changed": of_pgn(pgn_move_changed),
    "a move of 80 characters": at_some(
        r"(?<= )[a-h][1-8](?= )", lambda _, random: "Q" * random.choice((80, 81, 300, 30_000))
    ),
    "a tag changed": at_some(r'\[(\w+) "([^"]*)"\]\n', another_tag),
    "words inserted": at_some(r"[ \n]", lambda m, random: f"{m[0]}{random.choice(WORDS)} "),
    "lines broken elsewhere": at_some(r" (?=\d+\. )", lambda *_: "\n"),
}
EVIDENCE: Final[dict[str, Kind]] = {
    **{f"games: {name}": lying(lie, GAMES_PGN, WITNESSES) for name, lie in LIES.items()},
    **{f"games: {name}": lying(lie) for name, lie in LAWS.items()},
    **{f"games: {name}": harmless_lie(lie) for name, lie in HARMLESS.items()},
    **{f"games: {name}": kind for name, kind in FORM.items()},
    **{f"games, text: {name}": damaged(change) for name, change in BYTE_CHANGES.items()},
}
KINDS: Final[dict[str, Kind]] = {f"PGN: {name}": kind for name, kind in PGN.items()}
