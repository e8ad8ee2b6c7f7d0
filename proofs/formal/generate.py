"""Writes the published list and games as Coq, for the theorem.

``python -m sanproof.proofs.formal.generate DATA OUT``

Nothing here is trusted. Coq replays every game, and what is proved does not depend on where the
list and the games come from; that the list is the published one, the session ``formal`` compares.

* ``Published.v``: ``san_strings_with_symbols.txt``, byte for byte, in parts.
* ``Moves.v``: a name for each move, ``e2e4``.
* ``Cover000.v`` and so on: the covering set of games as trees, with the strings that each claims.
* ``Rest000.v`` and so on: a game for each string that a player writes, but not in the cover.
* ``Games.v``: all of these together.
* ``Uci000.v`` and so on: games in which each player plays every move in UCI; ``UciGames.v``: all.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import lzma
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Item = TypeVar("Item")
PLAYERS = ("white", "black")
GAMES_PER_TREE = {"cover": 320, "rest": 900, "uci": 320}  # about as long each
STRINGS_PER_PART = 1000
IMPORTS = "From Coq Require Import List.\nFrom Sanproof Require Import {}.\nImport ListNotations.\n"
PIECES = {"": "None", "q": "(Some Queen)", "r": "(Some Rook)", "b": "(Some Bishop)"}
PIECES["n"] = "(Some Knight)"


@dataclass
class PublishedGame:
    """A game's moves in UCI, and the strings that it is to show, by ply (from 1)."""

    moves: list[str]
    claims: dict[int, str] = field(default_factory=dict)


def read_lines(path: Path) -> list[str]:
    """The lines of a packed file."""
    with lzma.open(path, "rt", encoding="ascii", newline="\n") as file:
        return file.read().splitlines()


def read_cover(data: Path) -> list[PublishedGame]:
    """The covering set of games; each string is claimed where ``cover.csv.xz`` says it is first."""
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


def with_each_move(games: Iterable[PublishedGame]) -> list[PublishedGame]:
    """Some of the games: each move that a player makes in any of them is made in one of these.

    The second time they are asked backwards, and those are left out that later ones made needless.
    """
    kept = list(games)
    for _ in range(2):
        seen: set[tuple[int, str]] = set()
        needed = []
        for game in kept:
            if new := {(ply % 2, move) for ply, move in enumerate(game.moves)} - seen:
                needed.append(game)
                seen |= new
        kept = needed[::-1]
    return [PublishedGame(game.moves) for game in kept]


def claims(games: Iterable[PublishedGame]) -> set[tuple[str, str]]:
    """The players and strings that these games are to show."""
    return {(PLAYERS[(ply - 1) % 2], san) for game in games for ply, san in game.claims.items()}


class Tree:
    """Games as a tree of moves, written as a term; and what it claims, in the order of replay."""

    def __init__(self, games: list[PublishedGame]) -> None:
        self.claimed: list[tuple[str, str]] = []
        self.term = self._fork(games, 0)

    def _fork(self, games: list[PublishedGame], depth: int) -> str:
        """The games, which agree in their first ``depth`` moves, from there on."""
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
        """The moves from ``start`` to ``stop``, which all of the games have, and then the rest."""
        words = []
        for ply in range(start + 1, stop + 1):
            found = {game.claims[ply] for game in games if ply in game.claims}
            self.claimed += [(PLAYERS[(ply - 1) % 2], san) for san in found]
            words.append(f"{'S' if found else 'H'} {games[0].moves[ply - 1]} ")
        end = stop == len(games[0].moves)
        rest = "Stop" if end else self._fork(games, stop)
        return "(".join(words) + ("" if end else "(") + rest + ")" * (len(words) - end)

    def shown(self, player: str) -> list[str]:
        """What this player's moves are claimed to be written as; replay lists the latest first."""
        return [san for by, san in reversed(self.claimed) if by == player]


def literal(strings: Iterable[str]) -> str:
    """The strings as the bytes of a file, a line each."""
    return '"' + "".join(f"{san}\n" for san in strings) + '"'


def in_parts(items: list[Item], size: int) -> list[list[Item]]:
    """The items in lists of this size, the last of which may be shorter."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def tree_lines(modules: str, tree: Tree) -> str:
    """One tree as Coq."""
    return (
        IMPORTS.format(f"Chess Words Replay Moves{modules}")
        + "Notation S m t := (Ply m true t) (only parsing).\n"
        + "Notation H m t := (Ply m false t) (only parsing).\n"
        + "Notation F := Fork (only parsing).\n"
        + f"Definition t : tree := {tree.term}.\n"
    )


def tree_file(games: list[PublishedGame]) -> str:
    """One tree, what it claims, and the proof."""
    tree = Tree(games)
    literals = "".join(
        f"Definition {player} := lines_of {literal(tree.shown(player))}.\n" for player in PLAYERS
    )
    return (
        tree_lines("", tree)
        + f"Open Scope bytes_scope.\n{literals}"
        + "Lemma proof : shows t white black.\n"
        + "Proof. apply replays_shows. vm_cast_no_check (eq_refl true). Qed.\n"
    )


def uci_tree_file(games: list[PublishedGame]) -> str:
    """One tree, and the proof that its games are legal."""
    return (
        tree_lines(" Uci", Tree(games))
        + "Lemma proof : all_played t.\n"
        + "Proof. apply replays_played. vm_cast_no_check (eq_refl true). Qed.\n"
    )


def published_file(data: Path) -> str:
    """The list of strings, as bytes."""
    text = (data / "san_strings_with_symbols.txt").read_text(encoding="ascii")
    parts = ["".join(part) for part in in_parts(text.splitlines(keepends=True), STRINGS_PER_PART)]
    definitions = "".join(f'Definition part{k} := "{part}".\n' for k, part in enumerate(parts))
    names = "; ".join(f"part{k}" for k in range(len(parts)))
    return (
        IMPORTS.format("Words")
        + f"Open Scope bytes_scope.\n{definitions}"
        + f"Definition language := flat_map lines_of [{names}].\n"
    )


def square(name: str) -> str:
    """A square's name as Coq writes it."""
    return f"(L{'abcdefgh'.index(name[0]) + 1}, L{name[1]})"


def moves_file(games: Iterable[PublishedGame]) -> str:
    """A name for each move of these games."""
    names = sorted({move for game in games for move in game.moves})
    return IMPORTS.format("Chess") + "".join(
        f"Definition {name} := Move {square(name)} {square(name[2:])} {PIECES[name[4:]]}.\n"
        for name in names
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


def uci_games_file(modules: list[str]) -> str:
    """All trees of moves in UCI together."""
    steps = "".join(f"constructor; [exact {name}.proof|]. " for name in modules)
    return (
        IMPORTS.format("Chess Replay Uci")
        + f"From Sanproof Require {' '.join(modules)}.\n"
        + f"Definition uci_trees := [{'; '.join(f'{name}.t' for name in modules)}].\n"
        + "Lemma uci_played : Forall all_played uci_trees.\n"
        + f"Proof. {steps}constructor. Qed.\n"
    )


def generated_files(data: Path) -> Iterator[tuple[str, str]]:
    """Each file's name and text."""
    cover = sorted(read_cover(data), key=lambda game: game.moves)
    rest = sorted(read_rest(data, claims(cover)), key=lambda game: game.moves)
    uci = sorted(with_each_move([*cover, *rest]), key=lambda game: game.moves)
    yield "Published.v", published_file(data)
    yield "Moves.v", moves_file(itertools.chain(cover, rest))
    names: dict[str, list[str]] = {"cover": [], "rest": [], "uci": []}
    for kind, games in (("cover", cover), ("rest", rest), ("uci", uci)):
        make = uci_tree_file if kind == "uci" else tree_file
        for number, part in enumerate(in_parts(games, GAMES_PER_TREE[kind])):
            names[kind].append(f"{kind.capitalize()}{number:03}")
            yield f"{names[kind][-1]}.v", make(part)
    yield "UciGames.v", uci_games_file(names.pop("uci"))
    yield "Games.v", games_file(names)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="the folder of the published data")
    parser.add_argument("out", type=Path, help="the folder to write into")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name, text in generated_files(options.data):
        (options.out / name).write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
