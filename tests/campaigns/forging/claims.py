"""Whole forged runs: one lie, told alike in all files. Only the evidence does not bear it.

What a run claims is taken apart, changed, and put together without any check, so that it can hold
games that cannot be played.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

import chess

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS
from sanproof.proofs.rules.cubes import Cube, cube_of, exchanged_san
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.refute import closing_certificate
from sanproof.proofs.theory.rulings import Findings
from sanproof.reports.tables.names import (
    COVER,
    COVER_INDEX,
    COVER_PGN,
    FULL_LIST,
    GAMES_PGN,
    IMPOSSIBLE,
    SUMMARY,
    SUMMARY_TEXT,
    WITNESSES,
)
from sanproof.reports.tables.outputs import cover_index, games_pgn, lists, packed, tables
from sanproof.reports.tables.pgn import PgnGame, number_games
from sanproof.reports.tables.places import ShownString, find_places
from sanproof.reports.tables.summary import summary, to_json, to_markdown
from sanproof.reports.tables.survey import survey
from tests.campaigns.forging.damage import BYTE_CHANGES, damaging
from tests.campaigns.forging.games import LIES, SHUFFLE, Games, Lie, another_way, until_false
from tests.campaigns.forging.model import (
    Files,
    Forgery,
    Kind,
    Scene,
    of_text,
    sealed,
    selected,
    text_of,
    with_text,
)
from tests.campaigns.forging.parts import (
    REMEMBERED,
    Certificate,
    Game,
    certificates_of,
    games_of,
    is_refutation,
    without_open_string,
    write_games,
)

# --- What a run claims ---


@dataclass
class Claims:
    """The claims of a run.

    Attributes:
        witnesses: The witnesses of a run without games.
        certificates: Its certificates, by cube.
        games: The games of a run with games; None if it has none.
        cover: Its cover; None if it has none.
        summary: Its summary, whose counts are counted again.
        impossible: The strings that it calls impossible.
    """

    witnesses: dict[str, Witness]
    certificates: dict[Cube, Certificate]
    games: list[Game] | None
    cover: list[Game] | None
    summary: dict[str, Any]
    impossible: list[str]

    @property
    def played(self) -> list[Game]:
        """The games of a run with games."""
        if self.games is None:
            raise TypeError("a run without games")
        return self.games

    @classmethod
    def of(cls, files: Files) -> "Claims":
        """Return what a sound run claims."""
        rows = [row.split(",") for row in text_of(files, WITNESSES).split("\n")[1:-1]]
        return cls(
            {row[0]: Witness(*row[:4]) for row in rows},
            {CUBES_BY_NAME[c.cube]: c for c in certificates_of(files)},
            games_of(files) if GAMES in files else None,
            games_of(files, COVER) if COVER in files else None,
            json.loads(files[SUMMARY]),
            [row.split(",")[0] for row in text_of(files, IMPOSSIBLE).split("\n")[1:-1]],
        )

    def files(self) -> Files:
        """Return the run that claims this."""
        findings = Findings(left_open={cube: c.left_open for cube, c in self.certificates.items()})
        if self.games is None:
            findings.witnesses = self.witnesses
        else:
            findings.add_witnesses(map(witness_of, self.games))
        part = selected(self.summary["only"])
        found = survey(findings.rulings(part.cubes), part.selected)
        games = None if self.games is None else published(self.games)
        cover = None if self.cover is None else published(self.cover)
        shown = None if games is None else _shown(self.played, games)
        generator = self.summary["generator"]
        counts = summary(
            *(self.summary["only"], found, len(self.certificates), games, generator), cover=cover
        )
        text = "".join(map(str, self.certificates.values()))
        files = lists(found) | tables(found, findings.witnesses, shown)
        files |= {CERTIFICATES: text.encode("ascii")}
        if games is not None:
            counts["search"] = self.summary["search"]
            files |= {GAMES: write_games(self.played).encode(), GAMES_PGN: games_pgn(games)}
        if self.cover is not None and cover is not None:
            index = cover_index(cover, found.reachable)
            files |= {COVER: write_games(self.cover).encode(), COVER_INDEX: index}
            files[COVER_PGN] = games_pgn(cover)
        told = self.summary | counts
        return sealed(packed(files) | {SUMMARY: to_json(told), SUMMARY_TEXT: to_markdown(told)})


def _shown(lines: Iterable[Game], games: Sequence[PgnGame]) -> dict[str, ShownString]:
    """Return what is shown of each string, in games that may be impossible."""
    moves = {(line.san, (line.ply - 1) % 2): line.moves for line in lines}
    shown = {}
    for san, places in find_places(games).items():
        number, ply = places[0]
        own = games[number - 1]
        line = Game(moves[own.san, own.ply % 2], ply + 1, san)
        shown[san] = ShownString(witness_of(line), places)
    return shown


def published(games: Iterable[Game]) -> list[PgnGame]:
    """Return the games in their published order, legal or not."""
    in_order = sorted(games, key=str)
    return number_games((game.san, game.ply - 1, sans_of(game)) for game in in_order)


@lru_cache(maxsize=REMEMBERED)
def sans_of(game: Game) -> tuple[str, ...]:
    """Return the moves in SAN; what cannot be played as it was written."""
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
def witness_of(game: Game) -> Witness:
    """Return the position before and after the move at the game's ply, as far as there is one."""
    board = chess.Board()
    before = board.fen()
    for text in game.moves[: max(game.ply, 0)]:
        before = board.fen()
        try:
            board.push(board.parse_uci(text))
        except ValueError:
            continue
    uci = game.moves[min(max(game.ply, 1), len(game.moves)) - 1]
    return Witness(game.san, before, uci, board.fen())


# --- Covers ---

NAMED: Final = (COVER, COVER_PGN, COVER_INDEX)


def with_cover(files: Files) -> Files:
    """Return a run with games, and a cover that is put together from them."""
    claims = Claims.of(files)
    games = games_of(files)
    strings = text_of(files, FULL_LIST).split("\n")
    chosen = {game.san: game for game in games if game.san.endswith("#")}
    shown = {san for game in chosen.values() for san in sans_of(game)}
    for game in games:
        if game.san in strings and game.san not in shown:
            chosen[game.san] = game
            shown |= set(sans_of(game))
    claims.cover = sorted(chosen.values(), key=str)
    return claims.files()


def about_cover(lie: Lie, *named: str) -> Kind:
    """Return a lie about the cover, in its file and in what is made of it."""

    def forge(scene: Scene) -> Forgery:
        claims = Claims.of(scene.played)
        claims.cover = told = until_false(lie, claims.cover or [], scene.random)
        try:
            files = claims.files()
        except KeyError:  # a string that is shown no longer has no place in the index
            files = with_text(scene.played, COVER, write_games(told))
        return Forgery(files, named or NAMED)

    return forge


def padded(cover: Games, random: Random) -> Games:
    """Add true games that show nothing new."""
    return [*cover, *(game.after(SHUFFLE) for game in random.sample(cover, 2))]


def without_cover(scene: Scene) -> Forgery:
    """Leave out the cover, which a run cannot hide if its summary counts it."""
    files = {name: text for name, text in scene.played.items() if name not in NAMED}
    return Forgery(sealed(files), (SUMMARY,))


COVERS: Final[dict[str, Kind]] = {
    **{f"cover: {name}": about_cover(x) for name, x in LIES.items() if x is not another_way},
    "cover: padded": about_cover(padded, COVER),
    "cover: order": of_text(COVER, lambda text, _: "".join(text.splitlines(keepends=True)[::-1])),
    "cover: spelling": of_text(COVER, lambda text, _: re.sub(r" (\d+ )", r" 0\1", text, count=1)),
    "cover: hidden": without_cover,
    **{f"cover, text: {name}": damaging(COVER, NAMED, x) for name, x in BYTE_CHANGES.items()},
}


# --- Runs ---

Item = tuple[str, ...]
"""The file that the audit must name, and what else its message must hold: one of these."""


def of_run(change: Callable[[Claims, Random], Item], *, played: bool = True) -> Kind:
    """Change what a run claims, in all of its files."""

    def forge(scene: Scene) -> Forgery:
        claims = Claims.of(scene.played if played else scene.run)
        claims.cover = None
        name, *items = change(claims, scene.random)
        return Forgery(claims.files(), (name,), tuple(items) or ("",))

    return forge


def opened(claims: Claims, san: str) -> None:
    """Leave a string open in its cube's certificate, which holds all the same."""
    cube = cube_of(parse_san(san))
    left_open = sorted({*claims.certificates[cube].left_open, san}, key=list_order)
    claims.certificates[cube] = Certificate.read(closing_certificate(cube, left_open))
    assert is_refutation(claims.certificates[cube])


def closed(claims: Claims, san: str) -> bool:
    """Leave a string open no longer, if it was, the numbers made to fit; return whether it was."""
    cube = cube_of(parse_san(san))
    if san not in claims.certificates[cube].left_open:
        return False
    claims.certificates[cube] = without_open_string(claims.certificates[cube], san)
    return True


def exchanged(san: str) -> str:
    """Return the string that the other player writes for the same move."""
    return str(exchanged_san(parse_san(san)))


def some_check(strings: Iterable[str], random: Random) -> str:
    """Return a string with a suffix, for whose impossibility a reason is always found."""
    return random.choice(sorted(san for san in strings if san[-1] in "+#"))


def denied_without_games(claims: Claims, random: Random) -> Item:
    """Drop a witness of White's and exclude its string: only the refutation does not hold."""
    white = [san for san, witness in claims.witnesses.items() if " w " in witness.fen]
    san = some_check(white, random)
    del claims.witnesses[san]
    assert closed(claims, san)
    return CERTIFICATES, str(cube_of(parse_san(san)))


def denied(claims: Claims, random: Random) -> Item:
    """Drop all games of a string, and exclude the string in all files."""
    san = some_check({game.san for game in claims.played}, random)
    claims.games = [game for game in claims.played if game.san != san]
    closed(claims, san)
    closed(claims, exchanged(san))
    return CERTIFICATES, "does not follow"


def claimed_without_games(claims: Claims, random: Random) -> Item:
    """Return a string too many in every file, with the witness of another."""
    san = random.choice(claims.impossible)
    claims.witnesses[san] = random.choice(list(claims.witnesses.values()))._replace(san=san)
    opened(claims, san)
    return WITNESSES, san


def claimed(claims: Claims, random: Random) -> Item:
    """Return a string too many in every file, with the game of another."""
    san, model = random.choice(claims.impossible), random.choice(claims.played)
    claims.played.append(model._replace(san=san))
    opened(claims, san if model.white else exchanged(san))
    return GAMES, san


def left_undecided(scene: Scene) -> Forgery:
    """Return a string that is neither played nor refuted, and stands among the impossible ones."""
    claims = Claims.of(scene.played)
    san = scene.random.choice(claims.impossible)
    opened(claims, san)
    text = "".join(map(str, claims.certificates.values()))
    files = with_text(scene.played, CERTIFICATES, text)
    return Forgery(files, (GAMES,), (san, exchanged(san)))


def given_to_the_other_player(claims: Claims, random: Random) -> Item:
    """Return a game of Black's as White's, in all files."""
    at = random.randrange(len(claims.played))
    game = claims.played[at]
    claims.played[at] = game._replace(ply=game.ply - 1 if game.ply > 1 else game.ply + 1)
    return GAMES, game.san


def lying(lie: Lie, *items: str) -> Kind:
    """Tell a lie about the games alike in all files, or in as many as can be written."""

    def forge(scene: Scene) -> Forgery:
        claims = Claims.of(scene.played)
        claims.games, claims.cover = until_false(lie, claims.played, scene.random), None
        try:
            files = claims.files()
        except Exception:  # noqa: BLE001 - no reason is found for something
            files = with_text(scene.played, GAMES, write_games(claims.games))
        return Forgery(files, (GAMES,), items or ("",))

    return forge


def games_hidden(scene: Scene) -> Forgery:
    """Return a manifest that lists no games, though the witnesses are from games."""
    names = (GAMES, GAMES_PGN, *NAMED)
    files = {name: text for name, text in scene.played.items() if name not in names}
    return Forgery(sealed(files), (WITNESSES,))


RUNS: Final[dict[str, Kind]] = {
    "run: reachable string denied, without games": of_run(denied_without_games, played=False),
    "run: reachable string denied": of_run(denied),
    "run: string denied to a player": lying(
        lambda games, random: random.sample(games, len(games) - 1),
        "neither a game nor a refutation",
    ),
    "run: impossible string claimed, without games": of_run(claimed_without_games, played=False),
    "run: impossible string claimed": of_run(claimed),
    "run: string left undecided": left_undecided,
    "run: string given to the other player": of_run(given_to_the_other_player),
    "run: games hidden": games_hidden,
    "run: list of another run": lambda scene: Forgery(
        sealed(scene.played | {STRINGS: scene.run[STRINGS]}), (STRINGS,)
    ),
    **{f"run, games: {name}": lying(lie) for name, lie in LIES.items()},
}
KINDS: Final[dict[str, Kind]] = {**COVERS, **RUNS}
