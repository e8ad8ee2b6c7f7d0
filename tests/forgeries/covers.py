"""Forged covers, told alike in all files of the cover; and damage to its text."""

import json
from collections.abc import Callable
from random import Random
from typing import Final

from sanproof.proofs.kernel.files import GAMES
from sanproof.reports.tables.names import COVER, COVER_INDEX, COVER_PGN, FULL_LIST
from tests.forgeries.claims import Claims, sans_of
from tests.forgeries.damage import BYTE_CHANGES
from tests.forgeries.games import LIES, Lie, Lines, after, read_lines, until_false
from tests.forgeries.games import SHUFFLE as BACK_AND_FORTH
from tests.forgeries.model import Files, Forgery, Kind, Scene, text_of, with_text

NAMED: Final = (COVER, COVER_PGN, COVER_INDEX)


def with_cover(files: Files) -> Files:
    """A run with games, and a cover that is put together from them."""
    claims = Claims.of(files)
    games = read_lines(text_of(files, GAMES))
    strings = text_of(files, FULL_LIST).split("\n")
    chosen = {game.san: game for game in games if game.san.endswith("#")}
    shown = {san for game in chosen.values() for san in sans_of(game)}
    for game in games:
        if game.san in strings and game.san not in shown:
            chosen[game.san] = game
            shown |= set(sans_of(game))
    claims.cover = sorted(chosen.values(), key=str)
    return claims.files()


def lying(lie: Lie, *named: str) -> Kind:
    """A lie about the cover, in its file and in what is made of it."""

    def forge(scene: Scene) -> Forgery:
        claims = Claims.of(scene.played)
        claims.cover = told = until_false(lie, claims.cover or [], scene.random)
        try:
            files = claims.files()
        except KeyError:  # a string that is shown no longer has no place in the index
            lines = "".join(f"{game}\n" for game in told)
            files = with_text(scene.played, COVER, lines)
        return Forgery(files, named or NAMED)

    return forge


def padded(cover: Lines, random: Random) -> Lines:
    """True games that show nothing new."""
    return [*cover, *(after(BACK_AND_FORTH, game) for game in random.sample(cover, 2))]


def padded_with_other_strings(cover: Lines, random: Random) -> Lines:
    """The same games, said to show other moves of theirs."""
    game = random.choice(cover)
    ply = random.choice([n for n in range(1, len(game.moves) - 1) if n != game.ply])
    return [*cover, game._replace(ply=ply, san=sans_of(game)[ply - 1])]


def another_order(scene: Scene) -> Forgery:
    lines = text_of(scene.played, COVER).splitlines()
    a, b = scene.random.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    return Forgery(with_text(scene.played, COVER, "\n".join([*lines, ""])), (COVER,))


def another_spelling(scene: Scene) -> Forgery:
    lines = text_of(scene.played, COVER).splitlines()
    at = scene.random.randrange(len(lines))
    moves, ply, san = lines[at].rsplit(" ", 2)
    spelling = scene.random.choice([f"0{ply}", f"+{ply}", f"{ply[0]}_{ply[1:]}", f" {ply}"])
    lines[at] = f"{moves} {spelling} {san}"
    text = "".join(f"{line}\n" for line in sorted(lines))
    return Forgery(with_text(scene.played, COVER, text), (COVER,))


def another_run_without_it(scene: Scene) -> Forgery:
    """A run cannot hide a cover that its summary counts."""
    files = {name: text for name, text in scene.played.items() if name not in NAMED}
    claims = json.loads(files["summary.json"])
    assert claims["cover"]
    return Forgery(with_text(files, "summary.json", files["summary.json"]), ("summary.json",))


def damaged(change: Callable[[bytes, Random], bytes]) -> Kind:
    """A damage to the text of the cover."""

    def forge(scene: Scene) -> Forgery:
        old = new = text_of(scene.played, COVER).encode()
        while new == old:
            new = change(old, scene.random)
        return Forgery(with_text(scene.played, COVER, new), NAMED)

    return forge


KINDS: Final[dict[str, Kind]] = {
    **{f"cover: {name}": lying(lie) for name, lie in LIES.items() if name != "a second game"},
    "cover: padded": lying(padded, COVER),
    "cover: padded with other strings": lying(padded_with_other_strings),
    "cover: order": another_order,
    "cover: spelling": another_spelling,
    "cover: hidden": another_run_without_it,
    **{f"cover, text: {name}": damaged(change) for name, change in BYTE_CHANGES.items()},
}
