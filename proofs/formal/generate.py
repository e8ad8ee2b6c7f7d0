"""Writes the published list and games as Coq, for the theorem.

Nothing here is trusted. Coq replays every game, and what is proved does not depend on where the
list and the games come from; that the list is the published one, the session ``formal`` compares.

* ``Published.v``: ``san_strings_with_symbols.txt``, byte for byte, in parts.
* ``Moves.v``: a name for each move, ``e2e4``.
* ``Cover000.v`` and so on: the covering set of games as trees, with the strings that each claims.
* ``Rest000.v`` and so on: a game for each string that a player writes, but not in the cover.
* ``Games.v``: all of these together.
* ``Long000.v`` and so on: games whose positions are needed for the long form alone.
* ``Sample.v``: of the shortest games known a sample, each with its string and ply.
* ``Noted.v``: what is noted in all of these: moves that could be made, in the long form.
"""

from __future__ import annotations

import csv
import itertools
import lzma
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from sanproof.proofs.shortest.table import PUBLISHED, ShortestRow, earliest, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Item = TypeVar("Item")
PLAYERS = ("white", "black")
GAMES_PER_TREE = {"cover": 640, "rest": 1800, "long": 960}  # about as long each
STRINGS_PER_PART = 1000
IMPORTS = "From Coq Require Import List.\nFrom Sanproof Require Import {}.\nImport ListNotations.\n"
PIECES = {"": "None", "q": "(Some Queen)", "r": "(Some Rook)", "b": "(Some Bishop)"}
PIECES["n"] = "(Some Knight)"
KINDS = {"N": "Knight", "B": "Bishop", "R": "Rook", "Q": "Queen", "K": "King"}
MARKS = {"+": "Check", "#": "Mate"}
FAMOUS = ("Qh4#", "O-O#", "O-O-O#", "Qb6e3#")
UCI = re.compile("(?:[a-h][1-8]){2}[qrbn]?")
TEXT = re.compile("[A-Za-z0-9=+#-]+")


class UnsafeTextError(Exception):
    """The published data hold a text that cannot go into a file of Coq as it is."""


def checked(text: str, pattern: re.Pattern[str]) -> str:
    """Return a move or a string that is nothing but one.

    Raises:
        UnsafeTextError: it holds something else, such as a quote that would end a literal of Coq.
    """
    if not pattern.fullmatch(text):
        raise UnsafeTextError(f"{text!r} is not a move: nothing else may go into a file of Coq.")
    return text


def note(player: str, uci: str, lan: str) -> str:
    """Return in Coq, without what follows, that a player could make a move, in the long form."""
    mark = MARKS.get(lan[-1], "Quiet")
    if lan.startswith("O"):
        side = "Long" if lan.startswith("O-O-O") else "Short"
        return f"C {player.title()} {uci} {side} {mark} "
    takes = "true" if "x" in lan else "false"
    return f"N {player.title()} {KINDS.get(lan[0], 'Pawn')} {takes} {uci} {mark} "


@dataclass
class PublishedGame:
    """A game's moves in UCI, and the strings that it is to show, by ply (from 1).

    Besides, by ply, other moves that could be made there, each with its note.
    """

    moves: list[str]
    claims: dict[int, str] = field(default_factory=dict)
    notes: dict[int, list[tuple[str, str]]] = field(default_factory=dict)


def read_lines(path: Path) -> list[str]:
    """Return the lines of a packed file."""
    with lzma.open(path, "rt", encoding="ascii", newline="\n") as file:
        return file.read().splitlines()


def read_cover(data: Path) -> list[PublishedGame]:
    """Read the covering set of games; claim each string where ``cover.csv.xz`` says it is first."""
    order = (data / "san_strings_with_symbols.txt").read_text(encoding="ascii").splitlines()
    by_mate = {
        line.split()[-1]: PublishedGame(line.split()[:-2])
        for line in read_lines(data / "cover.txt.xz")
    }
    games = [by_mate[san] for san in order if san in by_mate]  # as they are numbered
    for row in csv.DictReader(read_lines(data / "cover.csv.xz")):
        games[int(row["game"]) - 1].claims[int(row["ply"])] = row["san"]
    return games


def read_rest(data: Path, shown: set[tuple[str, str]]) -> list[PublishedGame]:
    """For each string and player that the cover does not show, the published game."""
    games = []
    for line in read_lines(data / "games.txt.xz"):
        *moves, ply, san = line.split()
        if (PLAYERS[(int(ply) - 1) % 2], san) not in shown:
            games.append(PublishedGame(moves, {int(ply): san}))
    return games


class Positions:
    """Positions of games, by the moves that lead to them, and a game that has each."""

    def __init__(self, games: Iterable[PublishedGame]) -> None:
        self._next: dict[tuple[int, str], int] = {}
        self._games: list[PublishedGame] = []
        for game in games:
            self.add(game)

    def add(self, game: PublishedGame) -> None:
        """Note the positions that no game before has."""
        place = 0
        for move in game.moves:
            place = self._next.setdefault((place, move), len(self._games) + 1)
            if place > len(self._games):
                self._games.append(game)

    def game_with(self, moves: Iterable[str]) -> PublishedGame | None:
        """Return a game that begins with these moves; None otherwise."""
        place = 0
        for move in moves:
            if not (place := self._next.get((place, move), 0)):
                return None
        return self._games[max(place, 1) - 1]


def note_long_form(data: Path, games: list[PublishedGame]) -> list[PublishedGame]:
    """Note every text of ``long_form`` where it can be written; returns games needed besides."""
    positions = Positions(games)
    long_games = [line.split() for line in read_lines(data / "long_form" / "games.txt.xz")]
    besides = []
    for row in csv.DictReader(read_lines(data / "long_form" / "rows.csv.xz")):
        moves, ply = long_games[int(row["game"]) - 1], int(row["ply"])
        game = positions.game_with(moves[: ply - 1])
        if game is None:
            game = PublishedGame(moves)
            besides.append(game)
            positions.add(game)
        player, uci = PLAYERS[PLAYERS.index(row["player"])], checked(row["uci"], UCI)
        noted = note(player, uci, checked(row["lan"], TEXT))
        game.notes.setdefault(ply, []).append((uci, noted))
    return besides


def claims(games: Iterable[PublishedGame]) -> set[tuple[str, str]]:
    """Return the players and strings that these games are to show."""
    return {(PLAYERS[(ply - 1) % 2], san) for game in games for ply, san in game.claims.items()}


class Tree:
    """Games as a tree of moves, written as a term; and what it claims, in the order of replay.

    ``notes`` is a term of the same shape.
    """

    def __init__(self, games: list[PublishedGame]) -> None:
        self.claimed: list[tuple[str, str]] = []
        self.term = self._fork(games, 0)
        self.notes = self._notes(games, 0)

    def _fork(self, games: list[PublishedGame], depth: int) -> str:
        """Return the games, which agree in their first ``depth`` moves, from there on."""
        if len(games) == 1:
            return self._line(games, depth, len(games[0].moves))
        agreed = depth
        while len({game.moves[agreed] for game in games}) == 1:
            agreed += 1
        if agreed > depth:
            return self._line(games, depth, agreed)
        groups = itertools.groupby(games, key=lambda game: game.moves[depth])
        *first, last = [list(group) for _, group in groups]
        terms = [f"F ({self._line(group, depth, depth + 1)}) (" for group in first]
        return "".join(terms) + self._line(last, depth, depth + 1) + ")" * len(terms)

    def _line(self, games: list[PublishedGame], start: int, stop: int) -> str:
        """Write the moves from ``start`` to ``stop``, which all the games have, then the rest."""
        words = []
        for ply in range(start + 1, stop + 1):
            found = {game.claims[ply] for game in games if ply in game.claims}
            self.claimed += [(PLAYERS[(ply - 1) % 2], san) for san in found]
            words.append(f"{'S' if found else 'H'} {games[0].moves[ply - 1]} ")
        end = stop == len(games[0].moves)
        rest = "Stop" if end else self._fork(games, stop)
        return "(".join(words) + ("" if end else "(") + rest + ")" * (len(words) - end)

    def _notes(self, games: list[PublishedGame], depth: int) -> str:
        """Return the notes at the games' common position after ``depth`` moves, and beyond."""
        terms = [term for game in games for _, term in game.notes.get(depth + 1, [])]
        return "(".join([*terms, self._beyond(games, depth)]) + ")" * len(terms)

    def _beyond(self, games: list[PublishedGame], depth: int) -> str:
        """Return the notes beyond this position."""
        if max(max(game.notes, default=0) for game in games) <= depth + 1:
            return "Done"
        groups = [
            list(group) for _, group in itertools.groupby(games, key=lambda game: game.moves[depth])
        ]
        if len(groups) > 1:
            *first, last = [self._beyond(group, depth) for group in groups]
            return "".join(f"Both ({term}) (" for term in first) + last + ")" * len(first)
        to = depth + 1
        while (
            not any(to + 1 in game.notes for game in games)
            and len({game.moves[to] for game in games}) == 1
        ):
            to += 1
        return f"Go {to - depth} ({self._notes(games, to)})"

    def shown(self, player: str) -> list[str]:
        """Return the claimed SANs of this player's moves; replay lists the latest first."""
        return [san for by, san in reversed(self.claimed) if by == player]


def literal(strings: Iterable[str]) -> str:
    """Return the strings as the bytes of a file, a line each."""
    return '"' + "".join(f"{checked(san, TEXT)}\n" for san in strings) + '"'


def in_parts(items: list[Item], size: int) -> list[list[Item]]:
    """Return the items in lists of this size, the last of which may be shorter."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def tree_file(games: list[PublishedGame]) -> str:
    """One tree, what it claims, its notes, and the proofs."""
    tree = Tree(games)
    literals = "".join(
        f"Definition {player} := lines_of {literal(tree.shown(player))}.\n" for player in PLAYERS
    )
    return (
        IMPORTS.format("Chess Forms Words Replay Notes Moves")
        + "Notation S m t := (Ply m true t) (only parsing).\n"
        + "Notation H m t := (Ply m false t) (only parsing).\n"
        + "Notation F := Fork (only parsing).\n"
        + "Notation N c k x m s n := (Note c m (LanMoved k x m s) n) (only parsing).\n"
        + "Notation C c m e s n := (Note c m (LanCastled e s) n) (only parsing).\n"
        + f"Definition t : tree := {tree.term}.\n"
        + f"Definition n : notes := {tree.notes}.\n"
        + f"Open Scope bytes_scope.\n{literals}"
        + "Lemma replayed : replays t white black = true.\n"
        + "Proof. vm_cast_no_check (eq_refl true). Qed.\n"
        + "Lemma proof : shows t white black.\n"
        + "Proof. exact (replays_shows t white black replayed). Qed.\n"
        + "Lemma true_notes : all_true n.\n"
        + "Proof. apply (confirmed t white black n replayed).\n"
        + "vm_cast_no_check (eq_refl true). Qed.\n"
    )


def published_file(data: Path) -> str:
    """Return the list of strings, as bytes."""
    text = (data / "san_strings_with_symbols.txt").read_text(encoding="ascii")
    parts = [literal(part) for part in in_parts(text.splitlines(), STRINGS_PER_PART)]
    definitions = "".join(f"Definition part{k} := {part}.\n" for k, part in enumerate(parts))
    names = "; ".join(f"part{k}" for k in range(len(parts)))
    return (
        IMPORTS.format("Words")
        + f"Open Scope bytes_scope.\n{definitions}"
        + f"Definition language := flat_map lines_of [{names}].\n"
    )


def square(name: str) -> str:
    """Return a square's name as Coq writes it."""
    return f"(L{'abcdefgh'.index(name[0]) + 1}, L{name[1]})"


def moves_file(games: Iterable[PublishedGame]) -> str:
    """Return a name for each move of these games."""
    names = set()
    for game in games:
        names |= {*game.moves, *(uci for notes in game.notes.values() for uci, _ in notes)}
    return IMPORTS.format("Chess") + "".join(
        f"Definition {name} := Move {square(name)} {square(name[2:])} {PIECES[name[4:]]}.\n"
        for name in sorted(checked(name, UCI) for name in names)
    )


def games_file(names: dict[str, list[str]]) -> str:
    """All trees of the cover and of the rest, and what they show together."""
    text = IMPORTS.format("Chess Words Replay")
    for kind, modules in names.items():
        text += f"From Sanproof Require {' '.join(modules)}.\n"
        text += f"Definition {kind}_trees := [{'; '.join(f'{name}.t' for name in modules)}].\n"
        for player in PLAYERS:
            lists = " ++ ".join(f"{name}.{player}" for name in modules)
            text += f"Definition {kind}_{player} := {lists} ++ [].\n"
        steps = "".join(f"apply one_more; [exact {name}.proof|]. " for name in modules)
        text += f"Lemma {kind}_all_show : all_show {kind}_trees {kind}_white {kind}_black.\n"
        text += f"Proof. {steps}exact none_shows. Qed.\n"
    return text


def noted_file(modules: list[str]) -> str:
    """Return the notes of all trees."""
    steps = "".join(f"constructor; [exact {name}.true_notes|]. " for name in modules)
    return (
        IMPORTS.format("Notes")
        + f"From Sanproof Require {' '.join(modules)}.\n"
        + f"Definition all_notes := [{'; '.join(f'{name}.n' for name in modules)}].\n"
        + "Definition all_noted := flat_map noted all_notes.\n"
        + "Lemma all_noted_true : Forall true_note all_noted.\n"
        + f"Proof. apply all_of_them. {steps}constructor. Qed.\n"
    )


def sample(data: Path) -> list[ShortestRow]:
    """Of the shortest games known that of each 512th string, by length, and those of ``FAMOUS``."""
    games = earliest(read_rows(data / PUBLISHED))
    strings = (data / "san_strings_with_symbols.txt").read_text(encoding="ascii").splitlines()
    return [games[san] for san in sorted({*strings[::512], *FAMOUS})]


def sample_file(rows: Iterable[ShortestRow]) -> str:
    """Write these games, and that each shows its string at its ply."""
    terms = ";\n".join(
        f'("{checked(row.san, TEXT)}", {row.ply}, [{"; ".join(row.moves)}])' for row in rows
    )
    return (
        IMPORTS.format("Chess Statements Facts Words Sampled Moves")
        + "From Coq Require Import String.\nOpen Scope string_scope.\n"
        + f"Definition short_games : list short_game := [{terms}]%nat.\n"
        + "Definition plies := map fst short_games.\n"
        + "Lemma replayed : each_of is_shown short_games = true.\n"
        + "Proof. vm_cast_no_check (eq_refl true). Qed.\n"
        + "Theorem shown : shown_at_plies plies.\n"
        + "Proof. exact (sample_shown short_games replayed). Qed.\n"
    )


def generated_files(data: Path) -> Iterator[tuple[str, str]]:
    """Each file's name and text."""
    short = sample(data)
    cover = sorted(read_cover(data), key=lambda game: game.moves)
    rest = sorted(read_rest(data, claims(cover)), key=lambda game: game.moves)
    besides = sorted(note_long_form(data, [*cover, *rest]), key=lambda game: game.moves)
    yield "Published.v", published_file(data)
    short_games = (PublishedGame(list(row.moves)) for row in short)
    yield "Moves.v", moves_file(itertools.chain(cover, rest, besides, short_games))
    yield "Sample.v", sample_file(short)
    names: dict[str, list[str]] = {"cover": [], "rest": [], "long": []}
    for kind, games in (("cover", cover), ("rest", rest), ("long", besides)):
        for number, part in enumerate(in_parts(games, GAMES_PER_TREE[kind])):
            names[kind].append(f"{kind.capitalize()}{number:03}")
            yield f"{names[kind][-1]}.v", tree_file(part)
    yield "Noted.v", noted_file([name for modules in names.values() for name in modules])
    del names["long"]
    yield "Games.v", games_file(names)
