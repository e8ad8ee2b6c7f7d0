"""Whole forged runs: one lie, told alike in all files. Only the evidence does not bear it.

What a run claims is taken apart, changed, and put together without any check, so that it can hold
games that nobody can play.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

import chess

from sanproof.proofs.kernel.certificates import CUBES_BY_NAME
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS
from sanproof.proofs.rules.cubes import Cube, cube_of, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.refute import closing_certificate
from sanproof.proofs.verdicts.rulings import Findings
from sanproof.proofs.verdicts.witness import CheckedWitness
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
from sanproof.reports.tables.places import Shown, find_places
from sanproof.reports.tables.summary import summary, to_json, to_markdown
from sanproof.reports.tables.survey import survey
from tests.campaigns.forging.damage import BYTE_CHANGES
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
    until_changed,
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
    games: list[Game] | None
    cover: list[Game] | None
    summary: dict[str, Any]

    @classmethod
    def of(cls, files: Files) -> "Claims":
        """What a sound run claims."""
        rows = [row.split(",") for row in text_of(files, WITNESSES).split("\n")[1:-1]]
        return cls(
            {row[0]: CheckedWitness(*row[:4]) for row in rows},
            {CUBES_BY_NAME[c.cube]: c for c in certificates_of(files)},
            games_of(files) if GAMES in files else None,
            games_of(files, COVER) if COVER in files else None,
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
            files |= {COVER: write_games(self.cover).encode(), COVER_INDEX: index}
            files[COVER_PGN] = games_pgn(cover)
        told = self.summary | counts
        return sealed(packed(files) | {SUMMARY: to_json(told), SUMMARY_TEXT: to_markdown(told)})


def _shown(lines: Iterable[Game], games: Sequence[PgnGame]) -> dict[str, Shown]:
    """What is shown of each string, in games that nobody may be able to play."""
    moves = {(line.san, (line.ply - 1) % 2): line.moves for line in lines}
    shown = {}
    for san, places in find_places(games).items():
        number, ply = places[0]
        own = games[number - 1]
        line = Game(moves[own.san, own.ply % 2], ply + 1, san)
        shown[san] = Shown(witness_of(line), places)
    return shown


def _of_games(games: Sequence[Game]) -> Files:
    in_order = sorted(games, key=str)
    return {GAMES: write_games(in_order).encode(), "games.pgn.gz": games_pgn(published(in_order))}


def published(games: Iterable[Game]) -> list[PgnGame]:
    """The games in their published order, legal or not."""
    return number_games((game.san, game.ply - 1, sans_of(game)) for game in games)


@lru_cache(maxsize=REMEMBERED)
def sans_of(game: Game) -> tuple[str, ...]:
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
def witness_of(game: Game) -> CheckedWitness:
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


# --- Covers ---

NAMED: Final = (COVER, COVER_PGN, COVER_INDEX)


def with_cover(files: Files) -> Files:
    """A run with games, and a cover that is put together from them."""
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
    """A lie about the cover, in its file and in what is made of it."""

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
    """True games that show nothing new."""
    return [*cover, *(game.after(SHUFFLE) for game in random.sample(cover, 2))]


def padded_with_other_strings(cover: Games, random: Random) -> Games:
    """The same games, said to show other moves of theirs."""
    game = random.choice(cover)
    ply = random.choice([n for n in range(1, len(game.moves) - 1) if n != game.ply])
    return [*cover, game._replace(ply=ply, san=sans_of(game)[ply - 1])]


def another_run_without_it(scene: Scene) -> Forgery:
    """A run cannot hide a cover that its summary counts."""
    files = {name: text for name, text in scene.played.items() if name not in NAMED}
    claims = json.loads(files["summary.json"])
    assert claims["cover"]
    return Forgery(with_text(files, "summary.json", files["summary.json"]), ("summary.json",))


def damaged(change: Callable[[bytes, Random], bytes]) -> Kind:
    """Damage the text of the cover."""

    def forge(scene: Scene) -> Forgery:
        old = text_of(scene.played, COVER).encode()
        text = until_changed(old, lambda content: change(content, scene.random))
        return Forgery(with_text(scene.played, COVER, text), NAMED)

    return forge


COVERS: Final[dict[str, Kind]] = {
    **{f"cover: {name}": about_cover(x) for name, x in LIES.items() if x is not another_way},
    "cover: padded": about_cover(padded, COVER),
    "cover: padded with other strings": about_cover(padded_with_other_strings),
    "cover: order": of_text(COVER, lambda text, _: "".join(text.splitlines(keepends=True)[::-1])),
    "cover: spelling": of_text(COVER, lambda text, _: re.sub(r" (\d+ )", r" 0\1", text, count=1)),
    "cover: hidden": another_run_without_it,
    **{f"cover, text: {name}": damaged(change) for name, change in BYTE_CHANGES.items()},
}


# --- Runs ---


def opened(claims: Claims, san: str) -> None:
    """Leave a string open in its cube's certificate, which holds all the same."""
    cube = cube_of(parse_san(san))
    left_open = sorted({*claims.certificates[cube].left_open, san}, key=list_order)
    claims.certificates[cube] = Certificate.read(closing_certificate(cube, left_open))
    assert is_refutation(claims.certificates[cube])


def some_check(strings: Iterable[str], random: Random) -> str:
    """A string with a suffix, for whose impossibility a reason is always found."""
    return random.choice(sorted(san for san in strings if san[-1] in "+#"))


def denied_without_games(scene: Scene) -> Forgery:
    """A witness less, and the string excluded in all files: only the refutation does not hold."""
    claims = Claims.of(scene.run)
    san = some_check(claims.witnesses, scene.random)
    witness = claims.witnesses.pop(san)
    cube = cube_of(parse_san(san))
    if san in claims.certificates[cube].left_open:
        claims.certificates[cube] = without_open_string(claims.certificates[cube], san)
        return Forgery(claims.files(), (CERTIFICATES,), (str(cube),))
    # Black's alone: that White writes its mirror image is still open, so that it is undecided.
    assert " b " in witness.fen
    lines = text_of(scene.run, WITNESSES).split("\n")
    kept = [line for line in lines if not line.startswith(f"{san},")]
    files = sealed(scene.run | {WITNESSES: "\n".join(kept).encode()})
    return Forgery(files, (WITNESSES, CERTIFICATES), (san,))


def denied_with_games(scene: Scene) -> Forgery:
    """All games of a string gone, and the string excluded in all files."""
    claims = Claims.of(scene.played)
    assert claims.games is not None
    san = some_check({game.san for game in claims.games}, scene.random)
    claims.games = [game for game in claims.games if game.san != san]
    claims.cover = None
    own = cube_of(parse_san(san))
    mirrored = str(exchanged_san(parse_san(san)))
    for cube, open_string in ((own, san), (exchanged_cube(own), mirrored)):
        if open_string in claims.certificates[cube].left_open:
            less = without_open_string(claims.certificates[cube], open_string)
            claims.certificates[cube] = less
    return Forgery(claims.files(), (CERTIFICATES,), ("does not follow",))


def denied_to_a_player(scene: Scene) -> Forgery:
    """One player's game of a string gone; the certificates leave it open."""
    claims = Claims.of(scene.played)
    assert claims.games is not None
    game = scene.random.choice(claims.games)
    claims.games = [other for other in claims.games if other != game]
    claims.cover = None
    return Forgery(_files(claims, scene.played), (GAMES,), ("neither a game nor a refutation",))


def _files(claims: Claims, before: Files) -> Files:
    """The run that claims this; or, if no reason is found for something, as much as can be."""
    try:
        return claims.files()
    except Exception:  # noqa: BLE001 - such a run cannot be written whole
        return with_text(before, GAMES, write_games(claims.games or []))


def claimed_without_games(scene: Scene) -> Forgery:
    """A string too many in every file, with the witness of another."""
    claims = Claims.of(scene.run)
    rows = text_of(scene.run, IMPOSSIBLE).split("\n")[1:-1]
    san = scene.random.choice(rows).split(",")[0]
    model = scene.random.choice(list(claims.witnesses.values()))
    claims.witnesses[san] = model._replace(san=san)
    opened(claims, san)
    return Forgery(claims.files(), (WITNESSES,), (san,))


def claimed_with_games(scene: Scene) -> Forgery:
    """A string too many in every file, with the game of another."""
    claims = Claims.of(scene.played)
    assert claims.games is not None
    rows = text_of(scene.played, IMPOSSIBLE).split("\n")[1:-1]
    san = scene.random.choice(rows).split(",")[0]
    model = scene.random.choice(claims.games)
    claims.games.append(model._replace(san=san))
    claims.cover = None
    opened(claims, san if model.ply % 2 else str(exchanged_san(parse_san(san))))
    return Forgery(claims.files(), (GAMES,), (san,))


def left_undecided(scene: Scene) -> Forgery:
    """A string that is neither played nor refuted, and stands among the impossible ones."""
    claims = Claims.of(scene.played)
    rows = text_of(scene.played, IMPOSSIBLE).split("\n")[1:-1]
    san = scene.random.choice(rows).split(",")[0]
    opened(claims, san)
    text = "".join(map(str, claims.certificates.values()))
    return Forgery(
        with_text(scene.played, CERTIFICATES, text),
        (GAMES,),
        (san, str(exchanged_san(parse_san(san)))),
    )


def given_to_the_other_player(scene: Scene) -> Forgery:
    """A game of Black's as White's, in all files."""
    claims = Claims.of(scene.played)
    assert claims.games is not None
    at = scene.random.randrange(len(claims.games))
    game = claims.games[at]
    ply = game.ply - 1 if game.ply > 1 else game.ply + 1
    claims.games[at] = game._replace(ply=ply)
    claims.cover = None
    return Forgery(claims.files(), (GAMES,), (game.san,))


def another_cubes_refutation(scene: Scene) -> Forgery:
    """The hint numbers of a cube's refutation moved to fit the formula of another cube."""
    claims = Claims.of(scene.run)
    a, b = scene.random.sample(sorted(claims.certificates), 2)
    one, other = claims.certificates[a], claims.certificates[b]
    shift = one.steps[0].number - other.steps[0].number
    steps = tuple(
        step._replace(
            number=step.number + shift,
            hints=tuple(h + shift if h >= other.steps[0].number else h for h in step.hints),
        )
        for step in other.steps
    )
    claims.certificates[a] = one._replace(steps=steps)
    if is_refutation(claims.certificates[a]):  # it refutes that one too
        claims.certificates[a] = one._replace(steps=steps[:-1])
    return Forgery(claims.files(), (CERTIFICATES,), (str(a),))


def lying(lie: Lie) -> Kind:
    """A lie about the games, told alike in all files."""

    def forge(scene: Scene) -> Forgery:
        claims = Claims.of(scene.played)
        claims.games = until_false(lie, claims.games or [], scene.random)
        claims.cover = None
        return Forgery(_files(claims, scene.played), (GAMES,))

    return forge


def games_hidden(scene: Scene) -> Forgery:
    """A manifest that lists no games, though the witnesses are from games."""
    names = (GAMES, GAMES_PGN, "cover.txt.xz", "cover.pgn", "cover.csv")
    files = {name: text for name, text in scene.played.items() if name not in names}
    return Forgery(sealed(files), (WITNESSES,))


def list_of_the_other_run(scene: Scene) -> Forgery:
    return Forgery(sealed(scene.played | {STRINGS: scene.run[STRINGS]}), (STRINGS,))


RUNS: Final[dict[str, Kind]] = {
    "run: reachable string denied, without games": denied_without_games,
    "run: reachable string denied": denied_with_games,
    "run: string denied to a player": denied_to_a_player,
    "run: impossible string claimed, without games": claimed_without_games,
    "run: impossible string claimed": claimed_with_games,
    "run: string left undecided": left_undecided,
    "run: string given to the other player": given_to_the_other_player,
    "run: another cube's refutation": another_cubes_refutation,
    "run: games hidden": games_hidden,
    "run: list of another run": list_of_the_other_run,
    **{f"run, games: {name}": lying(lie) for name, lie in LIES.items()},
}
KINDS: Final[dict[str, Kind]] = {**COVERS, **RUNS}
