"""Whole forged runs: one lie, told alike in all files. Only the evidence does not bear it."""

from collections.abc import Iterable
from random import Random
from typing import Final

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS
from sanproof.proofs.rules.cubes import cube_of, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.refute import closing_certificate
from sanproof.reports.tables.names import GAMES_PGN, IMPOSSIBLE, WITNESSES
from tests.forgeries.certificates import Certificate, is_refutation, without_open_string
from tests.forgeries.claims import Claims
from tests.forgeries.games import LIES, Lie, until_false
from tests.forgeries.model import Files, Forgery, Kind, Scene, sealed, text_of, with_text


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
        games = "".join(f"{game}\n" for game in sorted(map(str, claims.games or [])))
        return with_text(before, GAMES, games)


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


KINDS: Final[dict[str, Kind]] = {
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
