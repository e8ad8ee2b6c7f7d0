"""What a run claims, taken apart, so that a lie can be told in all its files alike.

It is put together without any check, so that it can hold games that nobody can play.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import chess

from sanproof.proofs.kernel.certificates import CUBES_BY_NAME
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.verdicts.rulings import Findings
from sanproof.proofs.verdicts.witness import CheckedWitness
from sanproof.reports.tables.names import (
    COVER,
    COVER_INDEX,
    COVER_PGN,
    SUMMARY,
    SUMMARY_TEXT,
    WITNESSES,
)
from sanproof.reports.tables.outputs import cover_index, games_pgn, lists, packed, tables
from sanproof.reports.tables.pgn import PgnGame, number_games
from sanproof.reports.tables.places import Shown, find_places
from sanproof.reports.tables.summary import summary, to_json, to_markdown
from sanproof.reports.tables.survey import survey
from tests.forgeries.certificates import Certificate, certificates_of
from tests.forgeries.games import REMEMBERED, Line, read_lines, write_lines
from tests.forgeries.model import Files, sealed, selected, text_of


@dataclass
class Claims:
    """What a run claims.

    Attributes:
        witnesses: The witnesses of a run without games.
        certificates: Its certificates, by cube.
        games: The games of a run with games; None if it has none.
        cover: Its cover; None if it has none.
        summary: Its summary, whose counts are counted again.
    """

    witnesses: dict[str, CheckedWitness]
    certificates: dict[Cube, Certificate]
    games: list[Line] | None
    cover: list[Line] | None
    summary: dict[str, Any]

    @classmethod
    def of(cls, files: Files) -> "Claims":
        """What a sound run claims."""
        rows = [row.split(",") for row in text_of(files, WITNESSES).split("\n")[1:-1]]
        return cls(
            {row[0]: CheckedWitness(*row[:4]) for row in rows},
            {CUBES_BY_NAME[c.cube]: c for c in certificates_of(files)},
            read_lines(text_of(files, GAMES)) if GAMES in files else None,
            read_lines(text_of(files, COVER)) if COVER in files else None,
            json.loads(files[SUMMARY]),
        )

    def files(self) -> Files:
        """The run that claims this."""
        findings = Findings(left_open={cube: c.left_open for cube, c in self.certificates.items()})
        if self.games is None:
            findings.witnesses = self.witnesses
        else:
            findings.add_witnesses(map(witness_of, self.games))
        part = selected(self.summary["only"])
        found = survey(findings.rulings(part.cubes), part.selected)
        games = None if self.games is None else published(self.games)
        cover = None if self.cover is None else published(self.cover)
        shown = None
        if self.games is not None and games is not None:
            shown = _shown(self.games, games)
        generator = self.summary["generator"]
        counts = summary(self.summary["only"], found, games, generator, cover=cover)
        text = "".join(map(str, self.certificates.values()))
        files = lists(found) | tables(found, findings.witnesses, shown)
        files |= {CERTIFICATES: text.encode("ascii")}
        if self.games is not None and games is not None:
            counts["search"] = self.summary["search"]
            files |= _of_games(self.games)
        if self.cover is not None and cover is not None:
            index = cover_index(cover, found.reachable)
            files |= {COVER: write_lines(self.cover).encode(), COVER_INDEX: index}
            files[COVER_PGN] = games_pgn(cover)
        told = self.summary | counts
        return sealed(packed(files) | {SUMMARY: to_json(told), SUMMARY_TEXT: to_markdown(told)})


def _shown(lines: Iterable[Line], games: Sequence[PgnGame]) -> dict[str, Shown]:
    """What is shown of each string, in games that nobody may be able to play."""
    moves = {(line.san, (line.ply - 1) % 2): line.moves for line in lines}
    shown = {}
    for san, places in find_places(games).items():
        number, ply = places[0]
        own = games[number - 1]
        line = Line(moves[own.san, own.ply % 2], ply + 1, san)
        shown[san] = Shown(witness_of(line), places)
    return shown


def _of_games(games: Sequence[Line]) -> Files:
    in_order = sorted(games, key=str)
    return {GAMES: write_lines(in_order).encode(), "games.pgn.gz": games_pgn(published(in_order))}


def published(games: Iterable[Line]) -> list[PgnGame]:
    """The games in their published order, legal or not."""
    return number_games((game.san, game.ply - 1, sans_of(game)) for game in games)


@lru_cache(maxsize=REMEMBERED)
def sans_of(game: Line) -> tuple[str, ...]:
    """The moves in SAN; what cannot be played as it was written."""
    board, sans = chess.Board(), []
    for text in game.moves:
        try:
            move = board.parse_uci(text)
        except ValueError:
            sans.append(text)
        else:
            sans.append(board.san_and_push(move))
    return tuple(sans)


@lru_cache(maxsize=REMEMBERED)
def witness_of(game: Line) -> CheckedWitness:
    """The position before and after the move at the game's ply, as far as there is one."""
    board = chess.Board()
    before = board.fen()
    for text in game.moves[: max(game.ply, 0)]:
        before = board.fen()
        try:
            board.push(board.parse_uci(text))
        except ValueError:
            continue
    uci = game.moves[min(max(game.ply, 1), len(game.moves)) - 1]
    return CheckedWitness(game.san, before, uci, board.fen())
