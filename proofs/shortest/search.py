"""Searches shorter games by changing known ones, and keeps those with earlier strings. Untrusted.

For each *goal*, a player and a string, the search keeps the shortest game known, up to the string's
move. It takes that game, or the other player's with the colours exchanged, or another string's with
this one's last moves. It leaves out moves or replaces them by random ones, and plays the rest; a
move that is not legal yet waits until it is. At each position on the way the strings of *all* legal
moves count, so a game with one earlier string mostly has others too.

A round consists of a fixed number of units of work, each with a seed of its own and the games known
when the round began. Their results are combined in order, so the same seed and number of rounds
find the same games with any number of workers.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import product
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import ZERO, Bytes, Ints, compiled
from sanproof.proofs.rules.cubes import COLOURS, exchanged_ranks
from sanproof.proofs.shortest.states import (
    CHECK,
    CODES,
    MATE,
    SIDE,
    after,
    code_of,
    codes_of,
    initial_state,
    legal_moves,
    make,
    read_uci,
    write_uci,
)
from sanproof.proofs.shortest.table import ShortestRow, packed_game

UNITS: Final = 4
"""The number of units in a round, fixed so that the result does not depend on the machine."""
UNIT_GAMES: Final = 250_000
MOST_PLIES: Final = 96
"""The number of plies of the longest games that are kept."""
LONGEST_ENDING: Final = 60
"""The most plies that may be added up to a mate."""
_TRIES: Final = (64, 400, 2000, 10_000, 60_000)
_ANY: Final = -1
"""Stands for a random move."""
_AS_IT_IS: Final = -1
"""In place of a seed: nothing is random, and of games that are as short the first stays."""
_DRIFT: Final = 12
"""One in this many equally short games replaces the known one, so that the search drifts."""
_REACH: Final = 60
"""Strings that are so near in the list are alike, as `Qa1b2+` and `Qa1b3+` are."""
_INITIAL: Final = initial_state()

Moves = NDArray[np.uint16]
Changed = tuple[Ints, Ints, Moves]
"""The goals that a unit of work has changed, with the ply and the game of each."""


class KnownGames(NamedTuple):
    """The games known: for each player and string the ply, and the moves up to it.

    Attributes:
        plies: The ply of the string's move, from 1, or 0 for strings that the player never plays.
        games: The moves.
        bounds: The lower bounds on the plies.
        numbers: The string of each code, or -1 for codes of strings that are not in the list.
        goals: The strings that are searched. Others are found on the way.
        exchanged: For each string, the one with the colours exchanged, or -1 if there is none.
    """

    plies: Ints
    games: Moves
    bounds: Ints
    numbers: Ints
    goals: Ints
    exchanged: Ints

    def game(self, side: int, string: int) -> list[int]:
        """Return the moves up to a string, its own being the last. Empty if no game has it."""
        return self.games[side, string, : self.plies[side, string]].tolist()


class ShortestGames:
    """The shortest games known of a list of strings, and the state of the search.

    It begins with the rows of a table, and searches for the selected strings.
    """

    def __init__(
        self,
        strings: Sequence[str],
        rows: Iterable[ShortestRow],
        seed: int = 0,
        selected: Callable[[str], bool] = bool,
    ) -> None:
        self.strings = strings
        self.seed = seed
        self.rounds = 0
        number = {san: n for n, san in enumerate(strings)}
        shape = (2, len(strings))
        numbers = np.full(CODES, -1, np.int64)
        numbers[[code_of(san) for san in strings]] = np.arange(len(strings))
        self.known = KnownGames(
            np.zeros(shape, np.int64),
            np.zeros((*shape, MOST_PLIES), np.uint16),
            np.ones(shape, np.int64),
            numbers,
            np.array([n for n, san in enumerate(strings) if selected(san)]),
            np.array([number.get(exchanged_ranks(san), -1) for san in strings]),
        )
        self._rows = {(row.player, row.san): row for row in rows}
        for (player, san), row in self._rows.items():
            goal = COLOURS.index(player), number[san]
            if row.ply <= MOST_PLIES:
                self.known.plies[goal] = row.ply
                self.known.games[goal][: row.ply] = list(map(read_uci, row.moves[: row.ply]))
            self.known.bounds[goal] = row.bound

    def add(self, moves: Sequence[str]) -> int:
        """Play a game of legal moves (UCI), and keep it for each string that it has earlier.

        The strings of all legal moves on its way count, not only of those that it plays.

        Returns:
            The number of strings that are earlier than in any game before.
        """
        game = [read_uci(move) for move in moves[:MOST_PLIES]]
        return _play(self.known, *_queues([game[::2], game[1::2]]), 0, len(game), _AS_IT_IS)

    def make_round(self, submit: Callable[..., Future[Changed]], games: int = UNIT_GAMES) -> None:
        """Search a round. Its units, of ``games`` games each, are submitted to an executor."""
        seed = f"{self.seed} {self.known.plies.sum()} {self.rounds}"
        # All are found before the first changes what is known, which others may not have read yet.
        units = [submit(search_unit, self.known, f"{seed} {i}", games) for i in range(UNITS)]
        for found in [unit.result() for unit in units]:
            for (side, string), ply, game in zip(*found, strict=True):
                known = self.known.plies[side, string]
                if not known or ply <= known:
                    self.known.plies[side, string] = ply
                    self.known.games[side, string] = game
        self.rounds += 1

    def rows(self) -> Iterator[ShortestRow]:
        """Yield the rows of the table, with the shorter games that were found, extended to mate."""
        for side, (number, san) in product((0, 1), enumerate(self.strings)):
            before = self._rows.get((COLOURS[side], san))
            moves = self.known.game(side, number)
            if moves and (before is None or len(moves) < before.ply) and (whole := finish(moves)):
                text = packed_game(map(write_uci, whole))
                yield ShortestRow(san, len(moves), int(self.known.bounds[side, number]), text)
            elif before:
                yield before

    def __str__(self) -> str:
        """Say what is known so far, of strings for which there is a game."""
        plies, bounds = self.known.plies, self.known.bounds
        shown = (plies > 0).any(axis=0)
        earliest, lowest = (
            np.where(plies, numbers, 1 << 20).min(axis=0)[shown] for numbers in (plies, bounds)
        )
        average = float(earliest.mean()) if len(earliest) else 0.0
        exact = int((earliest == lowest).sum())
        return (
            f"{len(earliest):,} strings at ply {average:.2f} on average, {exact:,} of them "
            "proved to be the earliest possible"
        )


def search_unit(known: KnownGames, seed: str, games: int) -> Changed:
    """Change ``games`` games, and return the earlier ones found. ``known`` is not changed."""
    own = known._replace(plies=known.plies.copy(), games=known.games.copy())
    random = Random(seed)
    for _ in range(games):
        side, string = _choose(own, random)
        if plies := int(own.plies[side, string]):
            wishes, same = _changed(own, side, string, random)
            limit = min(plies + 1, MOST_PLIES)
            _play(own, *_queues(wishes), same, limit, random.getrandbits(31))
    goals = np.argwhere((own.games != known.games).any(axis=2))
    sides, strings = goals.T
    return goals, own.plies[sides, strings], own.games[sides, strings]


def _choose(known: KnownGames, random: Random) -> tuple[int, int]:
    """Choose a goal: of some, the one that is farthest from its bound."""
    some = [
        (random.randrange(2), int(known.goals[random.randrange(len(known.goals))]))
        for _ in range(random.randint(1, 5))
    ]
    return max(some, key=lambda goal: known.plies[goal] - known.bounds[goal])


def _changed(
    known: KnownGames, side: int, string: int, random: Random
) -> tuple[list[list[int]], int]:
    """Return what both players want to play instead, and how many plies are those of a known game.

    What other moves those plies have is known already.
    """
    game = known.game(side, string)
    games, wishes = [game], [game[::2], game[1::2]]
    for _ in range(1 + (random.randrange(3) == 0) + (random.randrange(6) == 0)):
        way = random.randrange(4)
        if way == 0 and (other := known.game(side, _neighbour(known, string, random))):
            last, drop = random.randint(1, 4), random.randrange(3)
            games.append(other)
            for i in (0, 1):
                others = other[i::2]
                wishes[i] = others[: max(0, len(others) - drop)] + wishes[i][-last:]
        elif way == 1 and (other := known.game(1 - side, known.exchanged[string])):
            turned = [move ^ 0o7070 for move in other]
            wishes = [[_ANY] * random.randrange(2) + turned[1::2], turned[::2]]
        elif min(map(len, wishes)) >= 3:
            i = random.randrange(2)
            at = random.randrange(len(wishes[i]))
            if way == 2:
                wishes[i][at] = _ANY
            elif way == 3:
                theirs = wishes[1 - i]
                beside = min(at, len(theirs) - 1)
                del theirs[random.choice((beside, random.randrange(len(theirs))))]
                del wishes[i][at]
    return wishes, max(_shared(wishes, game) for game in games)


def _neighbour(known: KnownGames, string: int, random: Random) -> int:
    """Return another string: mostly one that is near in the list."""
    if random.randrange(3) == 0:
        return random.randrange(known.plies.shape[1])
    return min(max(string + random.randrange(-_REACH, _REACH), 0), known.plies.shape[1] - 1)


def _shared(wishes: list[list[int]], game: list[int]) -> int:
    """Return in how many plies the players want to play as in a game."""
    for ply, move in enumerate(game):
        if wishes[ply % 2][ply // 2 : ply // 2 + 1] != [move]:
            return ply
    return len(game)


def _queues(wishes: list[list[int]]) -> tuple[Ints, Ints]:
    """Return what both players want to play as an array, and how much it is."""
    queues, sizes = np.zeros((2, 2 * MOST_PLIES), np.int64), np.zeros(2, np.int64)
    for side, wanted in enumerate(wishes):
        sizes[side] = len(wanted)
        queues[side, : len(wanted)] = wanted
    return queues, sizes


@compiled
def _play(known: KnownGames, queues: Ints, sizes: Ints, same: int, limit: int, seed: int) -> int:
    """Play what both players want, and keep what any legal move shows earlier; how much that is.

    Args:
        known: The games known.
        queues: What each player wants to play, in this order.
        sizes: How much it is.
        same: The plies of a known game, after which there is something to find.
        limit: The most plies.
        seed: What is random.
    """
    state = _INITIAL.copy()
    line = np.zeros(MOST_PLIES, np.int64)
    at = np.zeros(2, np.int64)
    found, rest, waits = ZERO, ZERO, True
    if seed != _AS_IT_IS:
        np.random.seed(seed)
        waits = np.random.randint(2) == 0
        rest = max(np.random.randint(-11, 4), ZERO)
    for ply in range(limit):
        side = ply % 2
        if ply < same:
            line[ply] = queues[side, at[side]]
            at[side] += 1
        else:
            moves = legal_moves(state)
            found += _keep(known, state, moves, line, ply, seed != _AS_IT_IS)
            if at[0] >= sizes[0] and at[1] >= sizes[1]:
                rest -= 1
            if len(moves) == 0 or rest < 0:
                break
            line[ply] = _next_move(state, queues[side], sizes[side], at, moves, waits)
        make(state, line[ply])
    return found


@compiled
def _keep(known: KnownGames, state: Bytes, moves: Ints, line: Ints, ply: int, drifts: bool) -> int:
    """Keep the game for each string of a legal move that it shows earlier; how many they are."""
    side = np.int64(state[SIDE])
    found = ZERO
    codes = codes_of(state, moves)
    for move, code in zip(moves, codes):  # noqa: B905 - compiled
        string = known.numbers[code]
        if string < 0:
            continue
        best = known.plies[side, string]
        if best and ply + 1 > best:
            continue
        if ply + 1 == best and (not drifts or np.random.randint(_DRIFT)):
            continue
        # After any move but a mate the game must go on.
        if code % 3 != MATE and len(legal_moves(after(state, move))) == 0:
            continue
        for i in range(ply):
            known.games[side, string, i] = line[i]
        known.games[side, string, ply] = move
        found += ply + 1 != best
        known.plies[side, string] = ply + 1
    return found


@compiled
def _next_move(state: Bytes, queue: Ints, size: int, at: Ints, moves: Ints, waits: bool) -> int:
    """Return the first wish of a player that is legal, or a random move.

    The wishes before it wait, or are given up.
    """
    side = np.int64(state[SIDE])
    for i in range(at[side], size):
        if queue[i] == _ANY:
            at[side] += 1
            return _any_move(state, moves)
        for move in moves:
            if move == queue[i]:
                for j in range(i, at[side], -1):
                    queue[j] = queue[j - 1]
                at[side] = at[side] + 1 if waits else i + 1
                return move
    at[side] += not waits
    return _any_move(state, moves)


@compiled
def _any_move(state: Bytes, moves: Ints) -> int:
    """Return a random legal move, with a liking for promotions and for captures by pawns."""
    move = moves[np.random.randint(len(moves))]
    for _ in range(np.random.randint(4)):
        takes = state[move & 63] in (1, 7) and (move ^ move >> 6) & 7
        if move >> 12 or takes:
            break
        move = moves[np.random.randint(len(moves))]
    return move


# A game counts as evidence when it ends in mate. Random moves find one soon, if one player likes
# checks, and the other one leaves his pieces where they are.


def finish(moves: Sequence[int]) -> list[int] | None:
    """Return the moves of a game with some added so that the last one mates, or None.

    If the last move mates already, nothing is added.
    """
    state = initial_state()
    for move in moves:
        make(state, move)
    if len(legal_moves(state)) == 0:
        return list(moves)
    for seed, tries in enumerate(_TRIES):
        if ending := _find_mate(state, tries, seed).tolist():
            return [*moves, *ending]
    return None


@compiled
def _find_mate(start: Bytes, tries: int, seed: int) -> Ints:
    """Search a mate at random, so many times; the shortest way to one, empty if none is found."""
    np.random.seed(seed)
    line = np.zeros(LONGEST_ENDING, np.int64)
    best = np.zeros(LONGEST_ENDING, np.int64)
    plies = ZERO
    for attempt in range(tries):
        state = start.copy()
        for ply in range(plies - 1 if plies else min(12 + attempt, LONGEST_ENDING)):
            moves = legal_moves(state)
            if len(moves) == 0:
                break
            codes = codes_of(state, moves)
            i = _helpful(state, moves, codes, state[SIDE] == attempt % 2)
            line[ply] = moves[i]
            if codes[i] % 3 == MATE:
                plies = ply + 1
                for k in range(plies):
                    best[k] = line[k]
                break
            make(state, moves[i])
        if 1 <= plies <= 2:
            break
    return best[:plies]


@compiled
def _helpful(state: Bytes, moves: Ints, codes: Ints, attacks: bool) -> int:
    """Choose a mate, or a random move that rather checks or comes nearer, or changes little."""
    for i, code in enumerate(codes):
        if code % 3 == MATE:
            return i
    chosen = np.random.randint(len(moves))
    for _ in range(3):
        i = np.random.randint(len(moves))
        if attacks and codes[i] % 3 == CHECK and np.random.randint(2):
            return i
        if attacks:
            useful = state[moves[i] & 63] in (1, 7, 6, 12)
        else:
            useful = state[moves[i] >> 6 & 63] != 0
        if useful:
            chosen = i
    return chosen
