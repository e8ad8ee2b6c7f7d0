"""The cover as far as it is there: what its games show, counted again from the beginning."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.cover.cover import Cover, ShownTally
from sanproof.proofs.cover.parts import Tour
from sanproof.proofs.cover.sources import SourceGame, Sources
from sanproof.proofs.rules.cubes import BLACK, WHITE

SANS = st.sets(st.sampled_from(["Ka1", "Qb2+", "Rc3#", "Nd4", "Be5#"]))


@given(st.lists(SANS), st.data())
def test_a_tally_of_games_is_what_is_left_of_them(
    games: list[set[str]], data: st.DataObject
) -> None:
    removed = data.draw(st.sets(st.sampled_from(range(len(games)))) if games else st.just(set()))
    tally = ShownTally()
    for sans in games:
        tally.count(sans)
    for i in removed:
        tally.count(games[i], -1)
    left = Counter(san for i, sans in enumerate(games) if i not in removed for san in sans)
    assert tally.shown == set(left)
    assert tally.once == {san for san in left if left[san] == 1}


def played(san: str, *before: str) -> SourceGame:
    """A made-up proof game of White's."""
    moves = tuple(f"a{i}a{i}" for i in range(1, len(before) + 2))
    return SourceGame(san, WHITE, "no position", moves, (*before, san))


GAMES = [played("Ra1#", "Kd1", "Ke1"), played("Qa1#", "Kd1"), played("Kd1"), played("Ke1")]


def cover() -> Cover:
    """Two mates, each with its own proof game."""
    made = Cover(Sources({(game.san, WHITE): game for game in GAMES}))
    for game in GAMES[:2]:
        made.put(game.san, WHITE, Tour(game.san, game.moves[-1:], (game.san,)))
    return made


def test_what_only_one_game_shows() -> None:
    made = cover()
    assert made.missing() == []
    assert made.only_in("Ra1#") == ["Ke1"]
    assert made.only_in("Qa1#") == []
    assert [made.number_only_in(mate) for mate in ("Ra1#", "Qa1#")] == [2, 1]
    assert made.number_shown == 4


def test_a_game_that_is_replaced_shows_nothing_more() -> None:
    made = cover()
    made.put("Ra1#", WHITE, Tour("Kd1", ("b1b1",), ("Ra1#",)))
    assert made.missing() == ["Ke1"]
    assert made.mates() == ["Ra1#", "Qa1#"]
    assert not made.is_free("Ra1#")
    assert made.is_free("Qa1#")


def test_black_s_game_of_a_tour_has_the_colours_exchanged() -> None:
    game = SourceGame("Ra8#", BLACK, "no position", ("a2a3", "h1a1", "a8a8"), ("a3", "Ra1", "Ra8#"))
    sources = Sources({("Ra8#", BLACK): game})
    moves, sans = sources.game(BLACK, Tour("Ra1#", ("a1a2", "b2b1"), ("Ra7", "Rb8#")))
    assert moves == ("a2a3", "h1a1", "a8a7", "b7b8")
    assert sans == ("a3", "Ra1", "Ra2", "Rb1#")
