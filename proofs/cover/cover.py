"""Holds the games of the cover found so far, and the types that its plan and its search exchange.

Parts of the work are seen from White's side; Black's games have the colours exchanged. Untrusted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

import chess

from sanproof.proofs.games.game import CheckedGame, ProofGame, in_san, quiet_replies
from sanproof.proofs.games.hubs import Line, load_hubs, with_tempo_loss
from sanproof.proofs.games.pieces import LETTERS, PAWN, read_setting
from sanproof.proofs.rules.cubes import COLOURS, WHITE, exchanged_ranks
from sanproof.proofs.rules.san import CASTLINGS, list_order, parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.search.material import bishop_letter


class Station(NamedTuple):
    """A position that tours begin at or pass: the witness of a string, or one on the way to a hub.

    Its name is the string, or begins with the hub's family. White is to move. A witness has the
    move ``uci``. ``sans`` are the moves that lead there, as White would write them.
    """

    name: str
    fen: str
    uci: str
    sans: tuple[str, ...]


class Tour(NamedTuple):
    """The moves of a game from its start, through witnesses of strings, to a mate, in UCI and SAN.

    ``start`` is the name of the station where it starts, or the string with which it begins.
    """

    start: str
    moves: tuple[str, ...]
    sans: tuple[str, ...]

    @property
    def mate(self) -> str:
        """The string of its last move, which is mate."""
        return self.sans[-1]


class MatesPart(NamedTuple):
    """A piece of work: find games of ``colour`` that end in ``mates`` and contain ``strings``.

    Its tours are stored under its name, which also seeds its random choices. A tour begins with one
    of ``firsts``, from the witness of its own proof game, or at one of ``starts``.
    """

    name: str
    colour: str
    firsts: tuple[Station, ...]
    strings: tuple[Station, ...]
    mates: tuple[Station, ...]
    starts: tuple[Station, ...]


def as_white(text: str, colour: str) -> str:
    """Exchange the colours of a string or move if ``colour`` is Black, which also undoes it."""
    return text if colour == WHITE else exchanged_ranks(text)


def ends(san: str) -> bool:
    """Check whether a game ends with this string, because it is mate."""
    return san.endswith("#")


@cache
def begins(san: str) -> bool:
    """Check whether the witness has pieces that no tour brings there: pawns, or a king at home."""
    return parse_san(san).piece in {"", *CASTLINGS}


@cache
def family_of(text: str) -> str:
    """Return the family of a string. The witnesses of a family have similar pieces."""
    san = parse_san(text)
    if san.piece == "B":
        return {"L": "B light", "D": "B dark"}[bishop_letter(parse_square(san.destination))]
    return san.piece if san.piece in {"Q", "N"} else "R"


def pieces_after(first: Station) -> Counter[int]:
    """Count White's pieces by kind after the station's move."""
    board = chess.Board(first.fen)
    board.push(chess.Move.from_uci(first.uci))
    return read_setting(board.board_fen()).white_pieces


def can_follow(san: str, pieces: Mapping[int, int]) -> bool:
    """Check whether these pieces can play the string with the twins its discriminator needs."""
    kind, number = _needed_pieces(san)
    return pieces.get(kind, 0) >= number


@cache
def _needed_pieces(text: str) -> tuple[int, int]:
    san = parse_san(text)
    if begins(text):
        return PAWN, 1
    return LETTERS.index(san.piece), 1 + bool(san.file) + bool(san.rank)


@cache
def starts(colour: str) -> Mapping[str, tuple[Station, Line]]:
    """Return the stations where tours start, by name, with the player's moves (UCI) up to them.

    These are the hubs, and positions where Black has one piece more, so that two can be captured
    before mate. A station is left out if its line does not lead there with the colours exchanged.
    """
    found = {}
    for family, hubs in load_hubs().items():
        for number, (line, placement) in enumerate(hubs.items()):
            for name, fen, begun in _starts_on(line, placement, f"{family} {number}"):
                moves = begun if colour == WHITE else with_tempo_loss(begun)
                if moves is not None:
                    sans = tuple([as_white(san, colour) for san in in_san(moves)])
                    found[name] = Station(name, fen, "", sans), moves
    return found


def _starts_on(line: Line, placement: str, name: str) -> Iterator[tuple[str, str, Line]]:
    """Yield the last position with one more piece on White's line to a hub, and the hub.

    Each has its name, its FEN, and the moves that lead there.
    """
    wanted, before, board = Counter(filter(str.isalpha, placement)), None, chess.Board()
    for ply, uci in enumerate(line):
        pieces = Counter(filter(str.isalpha, board.board_fen()))
        has_one_more = wanted <= pieces and [*(pieces - wanted).elements()] in [*map(list, "qrbn")]
        if board.turn and not board.is_check() and has_one_more:
            before = f"{name} before", board.fen(), line[:ply]
        board.push_uci(uci)
    if before is not None:
        yield before
    yield name, board.fen(), line


class Cover:
    """The cover as found so far: a tour for each mate, and the strings that its games contain.

    A mate that no tour leads to, because it begins a game, is there from the beginning.

    Args:
        played: The proof game of each string and player.

    Attributes:
        strings: All strings, in list order.
        tours: For each mate the player of its tour, and the tour as White plays it, in the order in
            which the mates got their first tour.
        games_with: The number of games that contain each string.
    """

    def __init__(self, played: Mapping[tuple[str, str], CheckedGame]) -> None:
        self._played = played
        self.strings = sorted({san for san, _ in played}, key=list_order)
        self.tours: dict[str, tuple[str, Tour]] = {}
        self.games_with: Counter[str] = Counter()
        self._shown: dict[str, list[str]] = {}
        for san in self.strings:
            if ends(san) and begins(san):
                colour = self.player(san)
                mate = self.station(san, colour)
                self.put(san, colour, Tour(mate.name, (mate.uci,), (mate.name,)))

    @cached_property
    def firsts(self) -> frozenset[str]:
        """The strings, other than mates, that begin a game.

        They are pawn moves, castling, and checks to which there is no quiet reply.
        """
        return frozenset(
            san
            for san in self.strings
            if not ends(san) and (begins(san) or (san.endswith("+") and self._is_loud(san)))
        )

    def _is_loud(self, check: str) -> bool:
        after = chess.Board(self._played[check, self.player(check)].after_fen)
        return not any(quiet_replies(after))

    @cached_property
    def families(self) -> dict[str, list[str]]:
        """The strings that do not begin a game of the cover, grouped by family."""
        families: dict[str, list[str]] = {}
        for san in self.strings:
            if san not in self.firsts and not begins(san):
                families.setdefault(family_of(san), []).append(san)
        return families

    def player(self, san: str) -> str:
        """Return the player of a string in the cover, which is White if White can play it."""
        return next(colour for colour in COLOURS if self.can_play(san, colour))

    def can_play(self, san: str, colour: str) -> bool:
        """Check whether the string has a proof game by this player."""
        return (san, colour) in self._played

    def station(self, san: str, colour: str) -> Station:
        """Return the witness of a string as White plays it. Black's has the colours exchanged."""
        played = self._played[as_white(san, colour), WHITE]
        shown = played.witness
        return Station(shown.san, shown.fen, shown.uci, played.sans[: played.game.ply])

    def put(self, mate: str, colour: str, tour: Tour) -> None:
        """Give a mate a tour, seen from White's side, in a game where ``colour`` plays the mate."""
        self.games_with.subtract(self._shown.get(mate, ()))
        self.tours[mate] = (colour, tour)
        _, sans = self.game(colour, tour)
        self._shown[mate] = list(dict.fromkeys(sans))
        self.games_with.update(self._shown[mate])

    def take(self, parts: Sequence[MatesPart], tours: Iterable[Sequence[Tour]]) -> None:
        """Put in the tours found for each part, unless the games then contain fewer strings."""
        for part, found in zip(parts, tours, strict=True):
            shown = sum(map(bool, self.games_with.values()))
            named = {as_white(tour.mate, part.colour): tour for tour in found}
            before = {mate: self.tours[mate] for mate in named if mate in self.tours}
            for mate, tour in named.items():
                self.put(mate, part.colour, tour)
            if sum(map(bool, self.games_with.values())) < shown:
                for mate, old in before.items():
                    self.put(mate, *old)

    def missing(self) -> list[str]:
        """Return the strings, other than mates, that no game contains."""
        return [san for san in self.strings if not self.games_with[san] and not ends(san)]

    def only_in(self, mate: str) -> list[str]:
        """Return the strings that only the game of this mate contains, including the mate."""
        return [san for san in self._shown[mate] if self.games_with[san] == 1]

    def is_idle(self, mate: str) -> bool:
        """Check whether the mate has no game yet, or only its own proof game."""
        return mate not in self.tours or (begins(mate) and self._starts_itself(mate))

    def is_free(self, mate: str) -> bool:
        """Check whether the game of the mate does not begin with another string."""
        colour, tour = self.tours[mate]
        return tour.start in starts(colour) or self._starts_itself(mate)

    def _starts_itself(self, mate: str) -> bool:
        colour, tour = self.tours[mate]
        return tour.start == as_white(mate, colour)

    def game(self, colour: str, tour: Tour) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the whole game of a tour, in UCI and SAN."""
        if tour.start in starts(colour):
            start, moves = starts(colour)[tour.start]
            sans = [as_white(san, colour) for san in start.sans]
        else:
            played = self._played[as_white(tour.start, colour), colour]
            ply = played.game.ply
            moves, sans = played.game.moves[:ply], list(played.sans[:ply])
        moves += tuple([as_white(move, colour) for move in tour.moves])
        return moves, (*sans, *[as_white(san, colour) for san in tour.sans])

    def games(self) -> list[ProofGame]:
        """Return the games in list order of their mates, each as a proof game of its mate."""
        found = []
        for mate in sorted(self.tours, key=list_order):
            moves, _ = self.game(*self.tours[mate])
            found.append(ProofGame(mate, len(moves) - 1, moves))
        return found
