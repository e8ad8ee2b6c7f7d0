"""Makes ``data/long_form``: for each text of the long form and each player, a game that shows it.

    python -m tests.campaigns.long_form DIR

First the games of the cover are looked through, every legal move of every position; then each
proof game that plays something new; then games are searched for what is left, but for what never
gives check. A text without a game is only *not found*. Untrusted: Coq replays what is written, and
so do the tests. It takes hours.
"""

import argparse
import hashlib
import json
import lzma
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Final

import chess

from sanproof.proofs.find.formulas import parts_of
from sanproof.proofs.find.games import search_proof_games
from sanproof.proofs.find.words import read_question
from sanproof.proofs.kernel.files import GAMES as PROOF_GAMES
from sanproof.proofs.kernel.files import text_of
from sanproof.proofs.kernel.games import common_length
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.san import SUFFIXES, list_order
from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.reports.exports import long_form
from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import COVER

_OTHER_SIDE: Final = str.maketrans("abcdefgh", "hgfedcba")
Text = tuple[str, str]
"""A text, and who plays it."""
Place = tuple[tuple[str, ...], int, str]
"""A game, a ply from 1, and a move in UCI."""
MOST_GAMES: Final = 3
"""The number of games that are looked at for one text, and for each of the tries."""
EXTREME: Final = 9 | lzma.PRESET_EXTREME
CORNERS: Final = {"a1", "a8", "h1", "h8"}
EDGE: Final = [square for square in chess.SQUARE_NAMES if square[0] in "ah" or square[1] in "18"]
"""The squares on which Black's king is put if games to other positions were not found."""


class Collector:
    """Looks through games and notes where each text is shown first.

    ``shown`` has for each text and player the game, the ply and the move. Two collectors may note
    the same texts.
    """

    def __init__(self, other: "Collector | None" = None) -> None:
        self.shown: dict[Text, Place] = other.shown if other else {}
        self.suffixes: dict[Text, set[str]] = other.suffixes if other else {}
        self._board = chess.Board()
        self._moves: list[str] = []

    def look_through(self, game: Sequence[str]) -> None:
        """Note every legal move of every position; what the last game had too is not seen again."""
        for ply in self._replay(game):
            for move in self._board.generate_pseudo_legal_moves():
                self._note(move, tuple(game), ply)

    def plays_something_new(self, game: Sequence[str]) -> bool:
        """Check whether a move of the game itself, new in it, was not noted yet."""
        before = len(self.shown)
        for ply in self._replay(game):
            self._note(chess.Move.from_uci(game[ply - 1]), tuple(game), ply)
        return len(self.shown) > before

    def note(self, text: Text, place: Place) -> None:
        """Note where a text is shown."""
        bare = text[0].rstrip("+#")
        self.shown[text] = place
        self.suffixes.setdefault((bare, text[1]), set()).add(text[0][len(bare) :])

    def missing(self) -> list[str]:
        """List White's texts that were not shown, or whose mirror image by Black was not.

        They are like one that was: with another suffix, by the other player, or on the files from
        the other side.
        """
        bare = {lan if player == WHITE else mirrored(lan) for lan, player in self.suffixes}
        bare |= {lan.translate(_OTHER_SIDE) for lan in bare}
        texts = [lan + x for lan in bare for x in SUFFIXES if not (x and never_checks(lan))]
        return sorted(filter(self.lacks, texts), key=list_order)

    def lacks(self, lan: str) -> bool:
        """Check whether White's text, or its mirror image, was not shown."""
        return not ((lan, WHITE) in self.shown and (mirrored(lan), BLACK) in self.shown)

    def _replay(self, game: Sequence[str]) -> Iterator[int]:
        """Yield the plies of the game, from 1, with the board before each; not of the last game."""
        kept = common_length(self._moves, game)
        while len(self._moves) > kept:
            self._moves.pop()
            self._board.pop()
        for ply, uci in enumerate(game[kept:], kept + 1):
            yield ply
            self._board.push_uci(uci)
            self._moves.append(uci)

    def _note(self, move: chess.Move, game: tuple[str, ...], ply: int) -> None:
        board = self._board
        bare = bare_lan(board, move)
        player = WHITE if board.turn else BLACK
        known = self.suffixes.get((bare, player), set())
        if len(known) < len(SUFFIXES) and board.is_legal(move):
            written = suffix(board, move)
            if written not in known:
                self.note((bare + written, player), (game, ply, move.uci()))


def mirrored(text: str) -> str:
    """Return the same text for the other player: the ranks counted from the other side."""
    return "".join(str(9 - int(x)) if x.isdigit() else x for x in text)


def bare_lan(board: chess.Board, move: chess.Move) -> str:
    """Return a legal move without its suffix."""
    if board.is_castling(move):
        return "O-O" if move.to_square > move.from_square else "O-O-O"
    piece = board.piece_at(move.from_square)
    letter = piece.symbol().upper().removeprefix("P") if piece else ""
    uci = move.uci()
    promotion = f"={uci[4].upper()}" if move.promotion else ""
    return f"{letter}{uci[:2]}{'x' if board.is_capture(move) else '-'}{uci[2:4]}{promotion}"


def never_checks(lan: str) -> bool:
    """Check for a king's step out of a corner or along the edge, or a bishop's between corners.

    Such a move never gives check: proved in Coq (``never_checks`` in `Lan.v`).
    """
    if lan[0] not in "BK":
        return False
    origin, target = lan[1:3], lan[4:6]
    if lan[0] == "B":
        return {origin, target} <= CORNERS
    edge = any(a == b and a in "ah18" for a, b in zip(origin, target, strict=True))
    return origin in CORNERS or edge


def suffix(board: chess.Board, move: chess.Move) -> str:
    """Return what is written of check and mate; the board is as before when this returns."""
    board.push(move)
    try:
        if not board.is_check():
            return ""
        return "+" if any(board.generate_legal_moves()) else "#"
    finally:
        board.pop()


def read_games(directory: Path | None = None) -> list[list[str]]:
    """Return the games, each as its moves in UCI.

    Raises:
        ArchiveError: They are missing or damaged.
    """
    return [line.split(" ") for line in long_form.read_lines(directory, long_form.GAMES)]


def make_manifest(files: Mapping[str, bytes], games: int, rows: int) -> bytes:
    """Make the manifest: the digests of the packed files by name, and how many games and rows."""
    digests = {
        name: hashlib.sha256(files[name]).hexdigest() for name in (long_form.GAMES, long_form.ROWS)
    }
    entries = {"games": games, "rows": rows, "files": digests}
    return (json.dumps(entries, indent=2) + "\n").encode("ascii")


def search(lan: str) -> list[tuple[str, ...]]:
    """Search games in which White plays a text and Black its mirror image; none if not found."""
    letter = lan[0] if lan[0].isupper() else ""
    origin, sign, target = lan[len(letter) :][:2], lan[len(letter) + 2], lan[len(letter) + 3 :]
    pattern = f"{letter}*{'x' if sign == 'x' else ''}{target}"
    capture = ("capture",) if sign == "x" else ("not", "capture")
    words = (pattern, f"{origin}={letter or 'P'}", "white-to-move", *capture)
    alone = (f"{letter or 'P'}=1",)  # then no other piece of the kind can be the one that moves
    tries = [(), alone, ("white-men=5",), *((f"{square}=k",) for square in EDGE)]
    for more in tries:
        for part in parts_of(read_question((*words, *more))):
            for games in islice(search_proof_games(part), MOST_GAMES):
                if games[0].moves[games[0].ply].startswith(origin):
                    return [game.moves for game in games]
    return []


def search_missing(collector: Collector, workers: int) -> Iterator[tuple[str, bool]]:
    """Search games for what is missing; yields each text that was tried, and if it was found."""
    waiting = iter(collector.missing())
    with ProcessPoolExecutor(workers) as pool:
        running: dict[Future[list[tuple[str, ...]]], str] = {}
        while True:
            for lan in islice(filter(collector.lacks, waiting), 2 * workers - len(running)):
                running[pool.submit(search, lan)] = lan
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                lan = running.pop(future)
                for game in future.result():
                    collector.look_through(game)
                yield lan, not collector.lacks(lan)


def write(collector: Collector, folder: Path) -> None:
    """Write the games and the rows to a folder."""
    games = sorted({place[0] for place in collector.shown.values()})
    numbers = {game: number for number, game in enumerate(games, 1)}
    rows = ["lan,player,game,ply,uci"]
    for (lan, player), (game, ply, uci) in sorted(
        collector.shown.items(), key=lambda item: (list_order(item[0][0]), item[0][1] == BLACK)
    ):
        rows.append(f"{lan},{player},{numbers[game]},{ply},{uci}")
    lines = {long_form.GAMES: map(" ".join, games), long_form.ROWS: rows}
    files = {
        name: lzma.compress("".join(f"{line}\n" for line in each).encode("ascii"), preset=EXTREME)
        for name, each in lines.items()
    }
    files[long_form.MANIFEST] = make_manifest(files, len(games), len(rows) - 1)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, content)


def published_games(name: str) -> Iterator[list[str]]:
    """Yield the moves of the games of a file of the published data, in UCI."""
    for line in text_of(name, open_complete().content(name)).splitlines():
        yield line.split(" ")[:-2]  # the ply and the string that the game shows


def look_through_published(collector: Collector) -> None:
    """Note what the published games show."""
    for game in published_games(COVER):
        collector.look_through(game)
    player = Collector(collector)
    for game in published_games(PROOF_GAMES):
        if player.plays_something_new(game):
            collector.look_through(game)


def main() -> None:
    """Make the folder ``long_form`` in a directory; says what was not found."""
    parser = argparse.ArgumentParser(description="Makes data/long_form.")
    parser.add_argument("directory", type=Path, metavar="DIR")
    options = parser.parse_args()
    collector = Collector()
    try:
        look_through_published(collector)
        for lan, found in search_missing(collector, os.cpu_count() or 1):
            if not found:
                sys.stdout.write(f"{lan}: no game was found\n")
        write(collector, options.directory)
    except (ArchiveError, OSError) as error:
        sys.exit(f"{error}.")


if __name__ == "__main__":
    main()
