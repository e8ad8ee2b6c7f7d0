"""Writes the published list and games as Coq, for the theorem.

Nothing here is trusted. Coq replays every game, and the proof does not depend on where the list and
the games come from. The session ``formal`` checks that the list is the published one.

* ``Published.v``: ``san_strings_with_symbols.txt``, byte for byte, in parts.
* ``Moves.v``: a name for each move, such as ``e2e4``.
* ``Cover000.v`` and so on: the games of the cover as trees, with the strings that each claims.
* ``Rest000.v`` and so on: a game for each string of a player that is not in the cover.
* ``Games.v``: all of these together.
* ``Long000.v`` and so on: games whose positions are needed for the long form alone.
* ``Sample.v``: a sample of the shortest games known, each with its string and ply.
* ``Noted.v``: all notes in these games: moves that are possible there, in the long form.
"""

from __future__ import annotations

import csv
import itertools
import lzma
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from sanproof.proofs.formal.coq import NotProvedError
from sanproof.proofs.shortest.table import PUBLISHED, ShortestRow, earliest, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Item = TypeVar("Item")
LIST = "san_strings_with_symbols.txt"
PLAYERS = ("white", "black")
GAMES_PER_TREE = {"cover": 640, "rest": 1800, "long": 960}  # about as long each
STRINGS_PER_PART = 1000
IMPORTS = "From Coq Require Import List.\nFrom Sanproof Require Import {}.\nImport ListNotations.\n"
KINDS = {"N": "Knight", "B": "Bishop", "R": "Rook", "Q": "Queen", "K": "King"}
PIECES = {"": "None"} | {letter.lower(): f"(Some {kind})" for letter, kind in KINDS.items()}
MARKS = {"+": "Check", "#": "Mate"}
FAMOUS = ("Qh4#", "O-O#", "O-O-O#", "Qb6e3#")
UCI = re.compile("(?:[a-h][1-8]){2}[qrbn]?")
TEXT = re.compile("[A-Za-z0-9=+#-]+")


def checked(text: str, pattern: re.Pattern[str]) -> str:
    """Return a move or a string, which goes into a file of Coq.

    Raises:
        NotProvedError: It does not match, so that it might end a literal of Coq.
    """
    if not pattern.fullmatch(text):
        raise NotProvedError(f"{text!r} is not a move: nothing else may go into a file of Coq.")
    return text


def read_lines(path: Path) -> list[str]:
    """Return the lines of a data file, which may be packed."""
    with (lzma.open if path.suffix == ".xz" else open)(path, "rt", encoding="ascii") as file:
        return file.read().splitlines()


# Games


@dataclass
class PublishedGame:
    """The moves of a game in UCI, with claims and notes by ply, from 1.

    A claim is the string of the move at the ply, a note another move that is possible there.
    """

    moves: list[str]
    claims: dict[int, str] = field(default_factory=dict)
    notes: dict[int, list[tuple[str, str]]] = field(default_factory=dict)


def player(ply: int) -> str:
    """Return the player who moves at a ply, from 1."""
    return PLAYERS[(ply - 1) % 2]


def claims(games: Iterable[PublishedGame]) -> set[tuple[str, str]]:
    """Return the players and strings that these games claim."""
    return {(player(ply), san) for game in games for ply, san in game.claims.items()}


def read_cover(data: Path) -> list[PublishedGame]:
    """Read the games of the cover. Each string is claimed where ``cover.csv.xz`` has it first."""
    lines = [line.split() for line in read_lines(data / "cover.txt.xz")]
    by_mate = {words[-1]: PublishedGame(words[:-2]) for words in lines}
    games = [by_mate[san] for san in read_lines(data / LIST) if san in by_mate]  # their numbers
    for row in csv.DictReader(read_lines(data / "cover.csv.xz")):
        games[int(row["game"]) - 1].claims[int(row["ply"])] = row["san"]
    return games


def read_rest(data: Path, shown: set[tuple[str, str]]) -> list[PublishedGame]:
    """Read the published games of the players and strings that are not in ``shown``."""
    games = []
    for line in read_lines(data / "games.txt.xz"):
        *moves, ply, san = line.split()
        if (player(int(ply)), san) not in shown:
            games.append(PublishedGame(moves, {int(ply): san}))
    return games


def starts(moves: Iterable[str]) -> Iterator[str]:
    """Yield the positions of a game, each as the text of the moves that lead to it."""
    return itertools.accumulate(moves, "{} {}".format, initial="")


def note(row: dict[str, str]) -> str:
    """Return the beginning of Coq's note that a player can make the move of a long-form row."""
    uci, lan = checked(row["uci"], UCI), checked(row["lan"], TEXT)
    who = PLAYERS[PLAYERS.index(row["player"])].title()
    mark = MARKS.get(lan[-1], "Quiet")
    if lan.startswith("O"):
        side = "Long" if lan.startswith("O-O-O") else "Short"
        return f"C {who} {uci} {side} {mark} "
    takes = "true" if "x" in lan else "false"
    return f"N {who} {KINDS.get(lan[0], 'Pawn')} {takes} {uci} {mark} "


def note_long_form(data: Path, games: Iterable[PublishedGame]) -> list[PublishedGame]:
    """Add a note for each text of ``long_form``, and return the additional games needed."""
    by_start = {start: game for game in reversed([*games]) for start in starts(game.moves)}
    long_games = [line.split() for line in read_lines(data / "long_form" / "games.txt.xz")]
    besides = []
    for row in csv.DictReader(read_lines(data / "long_form" / "rows.csv.xz")):
        moves, ply = long_games[int(row["game"]) - 1], int(row["ply"])
        here = list(starts(moves[: ply - 1]))[-1]
        if here not in by_start:
            besides.append(PublishedGame(moves))
            for start in starts(moves):
                by_start.setdefault(start, besides[-1])
        by_start[here].notes.setdefault(ply, []).append((row["uci"], note(row)))
    return besides


class Tree:
    """Sorted games as a tree of moves, with the claimed strings in the order of replay.

    ``term`` and ``notes`` are terms of Coq that have the same shape.
    """

    def __init__(self, games: list[PublishedGame]) -> None:
        self.claimed: list[tuple[str, str]] = []
        self.term = self._fork(games, 0)
        self.notes = noted_at(games, 0)

    def _fork(self, games: list[PublishedGame], depth: int) -> str:
        """Return the games, which agree in their first ``depth`` moves, from there on."""
        if len(games) == 1:
            return self._line(games[0], depth)
        return nested("F", [self._ply(group, depth) for group in by_move(games, depth)])

    def _line(self, game: PublishedGame, depth: int) -> str:
        """Return the rest of one game."""
        self.claimed += [(player(at), san) for at, san in sorted(game.claims.items()) if at > depth]
        moves = enumerate(game.moves[depth:], depth + 1)
        plies = " (".join(f"{'S' if ply in game.claims else 'H'} {move}" for ply, move in moves)
        return f"{plies} Stop" + ")" * (len(game.moves) - depth - 1)

    def _ply(self, games: list[PublishedGame], depth: int) -> str:
        """Return the move that all the games have next, and what follows."""
        found = {game.claims[depth + 1] for game in games if depth + 1 in game.claims}
        self.claimed += [(player(depth + 1), san) for san in found]
        is_last = depth + 1 == len(games[0].moves)
        rest = "Stop" if is_last else f"({self._fork(games, depth + 1)})"
        return f"{'S' if found else 'H'} {games[0].moves[depth]} {rest}"

    def shown(self, player: str) -> list[str]:
        """Return the claimed strings of this player, the latest first, as replay lists them."""
        return [san for by, san in reversed(self.claimed) if by == player]


def by_move(games: list[PublishedGame], depth: int) -> list[list[PublishedGame]]:
    """Group the games by the move after the first ``depth`` moves."""
    groups = itertools.groupby(games, key=lambda game: game.moves[depth])
    return [list(group) for _, group in groups]


def nested(pair: str, terms: list[str]) -> str:
    """Combine terms into one term of pairs: each but the last is paired with all that follow."""
    *first, last = terms
    return "".join(f"{pair} ({term}) (" for term in first) + last + ")" * len(first)


def noted_at(games: list[PublishedGame], depth: int) -> str:
    """Return the notes at the position that the games share after ``depth`` moves, and beyond."""
    terms = [term for game in games for _, term in game.notes.get(depth + 1, [])]
    return "(".join([*terms, noted_beyond(games, depth)]) + ")" * len(terms)


def noted_beyond(games: list[PublishedGame], depth: int) -> str:
    """Return the notes beyond the position that the games share after ``depth`` moves."""
    if max(max(game.notes, default=0) for game in games) <= depth + 1:
        return "Done"
    if len(groups := by_move(games, depth)) > 1:
        return nested("Both", [noted_beyond(group, depth) for group in groups])
    to = depth + 1
    while not any(to + 1 in game.notes for game in games) and len(by_move(games, to)) == 1:
        to += 1
    return f"Go {to - depth} ({noted_at(games, to)})"


# Files


def literal(strings: Iterable[str]) -> str:
    """Return the strings as a literal of Coq, each on a line."""
    return '"' + "".join(f"{checked(san, TEXT)}\n" for san in strings) + '"'


def in_parts(items: list[Item], size: int) -> list[list[Item]]:
    """Cut the items into lists of ``size`` items, the last of which may be shorter."""
    return [items[start : start + size] for start in range(0, len(items), size)]


TREE = """\
Notation S m t := (Ply m true t) (only parsing).
Notation H m t := (Ply m false t) (only parsing).
Notation F := Fork (only parsing).
Notation N c k x m s n := (Note c m (LanMoved k x m s) n) (only parsing).
Notation C c m e s n := (Note c m (LanCastled e s) n) (only parsing).
Definition t : tree := {}.
Definition n : notes := {}.
Open Scope bytes_scope.
Definition white := lines_of {}.
Definition black := lines_of {}.
Lemma replayed : replays t white black = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma proof : shows t white black.
Proof. exact (replays_shows t white black replayed). Qed.
Lemma true_notes : all_true n.
Proof. apply (confirmed t white black n replayed).
vm_cast_no_check (eq_refl true). Qed.
"""


def tree_file(games: list[PublishedGame]) -> str:
    """Return the file of a tree, with its claims, its notes, and the proofs."""
    tree = Tree(games)
    shown = [literal(tree.shown(player)) for player in PLAYERS]
    return IMPORTS.format("Chess Forms Words Replay Notes Moves") + TREE.format(
        tree.term, tree.notes, *shown
    )


def published_file(data: Path) -> str:
    """Return the file with the published list of strings, as bytes."""
    parts = in_parts(read_lines(data / LIST), STRINGS_PER_PART)
    text = IMPORTS.format("Words") + "Open Scope bytes_scope.\n"
    for number, part in enumerate(parts):
        text += f"Definition part{number} := {literal(part)}.\n"
    names = "; ".join(f"part{number}" for number in range(len(parts)))
    return f"{text}Definition language := flat_map lines_of [{names}].\n"


def square(name: str) -> str:
    """Return the name of a square as Coq writes it."""
    return f"(L{'abcdefgh'.index(name[0]) + 1}, L{name[1]})"


def moves_file(games: Iterable[PublishedGame]) -> str:
    """Return the file that defines a name for each move of these games."""
    names = set()
    for game in games:
        names |= {*game.moves, *(uci for notes in game.notes.values() for uci, _ in notes)}
    return IMPORTS.format("Chess") + "".join(
        f"Definition {name} := Move {square(name)} {square(name[2:])} {PIECES[name[4:]]}.\n"
        for name in sorted(checked(name, UCI) for name in names)
    )


def games_file(names: dict[str, list[str]]) -> str:
    """Return the file with all trees of the cover and of the rest, and what they prove together."""
    text = IMPORTS.format("Chess Words Replay")
    for kind in ("cover", "rest"):
        modules = names[kind]
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
    """Return the file with the notes of all trees."""
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
    """Choose the shortest games of each 512th string, by length, and those of ``FAMOUS``."""
    games = earliest(read_rows(data / PUBLISHED))
    return [games[san] for san in sorted({*read_lines(data / LIST)[::512], *FAMOUS})]


SAMPLE = """\
From Coq Require Import String.
Open Scope string_scope.
Definition short_games : list short_game := [{}]%nat.
Definition plies := map fst short_games.
Lemma replayed : each_of is_shown short_games = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem shown : shown_at_plies plies.
Proof. exact (sample_shown short_games replayed). Qed.
"""


def sample_file(rows: Iterable[ShortestRow]) -> str:
    """Return the file which says that each of these games has its string at its ply."""
    terms = ";\n".join(
        f'("{checked(row.san, TEXT)}", {row.ply}, [{"; ".join(row.moves)}])' for row in rows
    )
    return IMPORTS.format("Chess Statements Facts Words Sampled Moves") + SAMPLE.format(terms)


def generated_files(data: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each generated file."""

    def by_moves(games: Iterable[PublishedGame]) -> list[PublishedGame]:
        return sorted(games, key=lambda game: game.moves)

    short = sample(data)
    cover = by_moves(read_cover(data))
    rest = by_moves(read_rest(data, claims(cover)))
    long = by_moves(note_long_form(data, [*cover, *rest]))
    yield "Published.v", published_file(data)
    short_games = (PublishedGame(list(row.moves)) for row in short)
    yield "Moves.v", moves_file(itertools.chain(cover, rest, long, short_games))
    yield "Sample.v", sample_file(short)
    names: dict[str, list[str]] = {}
    for kind, games in (("cover", cover), ("rest", rest), ("long", long)):
        parts = in_parts(games, GAMES_PER_TREE[kind])
        names[kind] = [f"{kind.capitalize()}{number:03}" for number in range(len(parts))]
        for name, part in zip(names[kind], parts, strict=True):
            yield f"{name}.v", tree_file(part)
    yield "Noted.v", noted_file(list(itertools.chain(*names.values())))
    yield "Games.v", games_file(names)
