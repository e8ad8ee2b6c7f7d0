"""The cover as far as it is there: what its games show, counted again from the beginning."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.cover.cover import Cover, SourceGame
from sanproof.proofs.cover.parts import Tour
from sanproof.proofs.rules.cubes import BLACK, WHITE


def played(san: str, *before: str) -> SourceGame:
    """A made-up proof game of White's."""
    moves = tuple(f"a{i}a{i}" for i in range(1, len(before) + 2))
    return SourceGame(san, WHITE, "no position", moves, (*before, san))


GAMES = [played("Ra1#", "Kd1", "Ke1"), played("Qa1#", "Kd1"), played("Kd1"), played("Ke1")]


def cover() -> Cover:
    """Two mates, each with its own proof game."""
    made = Cover({(game.san, WHITE): game for game in GAMES})
    for game in GAMES[:2]:
        made.put(game.san, WHITE, Tour(game.san, game.moves[-1:], (game.san,)))
    return made


PUTS = st.tuples(st.sampled_from(["Ra1#", "Qa1#"]), st.sets(st.sampled_from(["Kd1", "Ke1", "Nd4"])))


@given(st.lists(PUTS))
def test_what_the_games_show_is_counted_again_from_the_beginning(
    puts: list[tuple[str, set[str]]],
) -> None:
    made = Cover({(game.san, WHITE): game for game in GAMES})
    games: dict[str, set[str]] = {}
    for mate, others in puts:
        made.put(mate, WHITE, Tour("Kd1", ("b1b1",) * (len(others) + 1), (*others, mate)))
        games[mate] = {*others, mate}
    counted = Counter(san for sans in games.values() for san in sans)
    assert list(made.tours) == list(games)
    assert made.games_with == counted
    assert set(made.missing()) == {"Kd1", "Ke1"} - set(counted)
    for mate, sans in games.items():
        once = {san for san in sans if counted[san] == 1}
        assert set(made.only_in(mate)) == once


def test_a_game_that_is_replaced_shows_nothing_more() -> None:
    made = cover()
    assert (made.missing(), made.only_in("Ra1#")) == ([], ["Ke1", "Ra1#"])
    made.put("Ra1#", WHITE, Tour("Kd1", ("b1b1",), ("Ra1#",)))
    assert made.missing() == ["Ke1"]
    assert made.only_in("Ra1#") == ["Ra1#"]
    assert list(made.tours) == ["Ra1#", "Qa1#"]
    assert not made.is_free("Ra1#")
    assert made.is_free("Qa1#")


def test_black_s_game_of_a_tour_has_the_colours_exchanged() -> None:
    game = SourceGame("Ra8#", BLACK, "no position", ("a2a3", "h1a1", "a8a8"), ("a3", "Ra1", "Ra8#"))
    cover = Cover({("Ra8#", BLACK): game})
    moves, sans = cover.game(BLACK, Tour("Ra1#", ("a1a2", "b2b1"), ("Ra7", "Rb8#")))
    assert moves == ("a2a3", "h1a1", "a8a7", "b7b8")
    assert sans == ("a3", "Ra1", "Ra2", "Rb1#")
