"""The cover, and the rounds of its plan: which mates a missing string may take, from whom."""

from collections import ChainMap, Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.cover import plan
from sanproof.proofs.cover.cover import Cover, MatesPart, Tour, starts
from sanproof.proofs.cover.plan import FIRST_ROUNDS, FIRSTS, ROUNDS, parts_of_round
from sanproof.proofs.games.game import CheckedGame, ProofGame
from sanproof.proofs.kernel.games import Shown
from sanproof.proofs.rules.cubes import BLACK, WHITE, exchanged_ranks, exchanged_san
from sanproof.proofs.rules.san import parse_san

BEFORE = "8/1P6/8/8/5k2/8/8/K2Q3R w - - 0 1"


def game_of(
    moves: tuple[str, ...], sans: tuple[str, ...], fen: str = "no position", after: str = ""
) -> CheckedGame:
    """Return a made-up proof game of its last string."""
    game = ProofGame(sans[-1], len(moves) - 1, moves)
    return CheckedGame(game, sans, fen, after, Shown(game.san, True))


BEGINNINGS = {
    "b8=N": game_of(("b7b8n",), ("b8=N",), BEFORE),
    "b8=R": game_of(("b7b8r",), ("b8=R",), BEFORE),
    "b8=B": game_of(("b7b8b",), ("b8=B",), BEFORE),
}
LOUD, QUIET = "5rk1/5pQp/8/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4RK2 b - - 0 1"
CHECKS = {"Qg7+": LOUD, "Re1+": QUIET}
SHOWN = {"Qd4#": ("Kd1", "Ke1"), "Nc3#": ("Kf1",), "Rd4#": (), "Rad4#": (), "Bd4#": ()}
"""Mates, and what is played before them in their own proof games."""
AFTER_A_KNIGHT = ["Rd4#", "Nc3#", "Qd4#"]
"""Those for which there are pieces after b8=N; the game that shows least comes first."""
REPAIR = ROUNDS + 1


def both(game: CheckedGame) -> dict[tuple[str, str], CheckedGame]:
    """Return a game of White's, and the same with the colours exchanged."""
    sans = tuple(str(exchanged_san(parse_san(san))) for san in game.sans)
    black = game_of(tuple(map(exchanged_ranks, game.game.moves)), sans)
    return {(game.game.san, WHITE): game, (sans[-1], BLACK): black}


def proof_games() -> dict[tuple[str, str], CheckedGame]:
    """Return the proof games of all these strings, for both players."""
    games = [*BEGINNINGS.values()]
    for mate, before in SHOWN.items():
        moves = ("a1a1",) * (len(before) + 1)
        games.append(game_of(moves, (*before, mate)))
    return {key: played for game in games for key, played in both(game).items()}


@pytest.fixture
def cover() -> Cover:
    return cover_of(proof_games())


def cover_of(played: dict[tuple[str, str], CheckedGame]) -> Cover:
    """Return a cover in which each mate is shown by its own proof game."""
    made = Cover(played)
    for mate in SHOWN:
        made.put(mate, WHITE, Tour(mate, ("a1a1",), (mate,)))
    return made


@pytest.fixture(autouse=True)
def all_on_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each round offer all mates: there are few here."""
    monkeypatch.setattr(plan, "ONE_MATE_IN", 1)


def offered(part: MatesPart) -> list[str]:
    """Return the mates of a part."""
    return [mate.name for mate in part.mates]


def test_a_string_that_begins_a_game_gets_the_mates_that_show_least(cover: Cover) -> None:
    (part,) = parts_of_round(cover, REPAIR, ["b8=N"])
    assert part[:2] + part[3:6:2] == (f"white {FIRSTS} {REPAIR} 0", WHITE, (), ())
    assert [first.name for first in part.firsts] == ["b8=N"]
    assert set(offered(part)) == set(AFTER_A_KNIGHT)
    assert offered(part)[-1] == "Qd4#"


def test_each_round_offers_other_mates(cover: Cover, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two of five on offer, so that strings do not take the same from each other for ever."""
    monkeypatch.setattr(plan, "ONE_MATE_IN", 3)
    offers = set()
    for number in range(REPAIR, REPAIR + 40):
        for part in parts_of_round(cover, number, ["b8=N"]):
            assert len(offered(part)) <= 2
            offers.add(frozenset(offered(part)))
    assert frozenset.union(*offers) == set(AFTER_A_KNIGHT)
    assert len(offers) > 2


def test_black_s_string_is_followed_by_mates_that_black_can_play() -> None:
    played = proof_games()
    cover = Cover(played)
    for mate in SHOWN:
        cover.put(str(exchanged_san(parse_san(mate))), BLACK, Tour(mate, ("a1a1",), (mate,)))
    (part,) = parts_of_round(cover, REPAIR, ["b1=N"])
    assert part.colour == BLACK
    assert set(offered(part)) == set(AFTER_A_KNIGHT)  # as White plays them
    del played["Nc6#", BLACK]
    (part,) = parts_of_round(cover, REPAIR, ["b1=N"])
    assert set(offered(part)) == {"Qd4#", "Rd4#"}


@pytest.mark.parametrize("number", range(REPAIR, REPAIR + 12))
def test_no_mate_is_offered_twice(cover: Cover, number: int) -> None:
    parts = parts_of_round(cover, number, ["b8=N", "b8=R"])
    mates = [mate for part in parts for mate in offered(part)]
    assert [first.name for part in parts for first in part.firsts] == ["b8=N", "b8=R"]
    assert len(mates) == len(set(mates)) == 2


def test_the_first_round_shares_out_what_begins_games_by_its_player() -> None:
    mates = {*SHOWN, *(str(exchanged_san(parse_san(mate))) for mate in SHOWN)}
    games = [*BEGINNINGS.values(), *(game_of(("a1a1",), (mate,)) for mate in mates)]
    checks = {(san, WHITE): game_of(("a1a1",), (san,), after=fen) for san, fen in CHECKS.items()}
    cover = Cover(dict(ChainMap(checks, *map(both, games))))
    parts = parts_of_round(cover, 1, ["b1=R", "b1=B", "b1=N", "b8=R", "b8=B", "b8=N"])
    begun = [(part.colour, [first.name for first in part.firsts]) for part in parts]
    assert begun == [(who, ["b8=N", "b8=B", "b8=R"]) for who in (WHITE, BLACK)]  # as White's
    assert all(map(offered, parts))
    assert {san for san in cover.firsts if san[-1] == "+"} == {"Qg7+"}  # no reply to it is quiet


def test_what_shows_fewer_strings_is_taken_back() -> None:
    plan = Cover(whites_games("Re4"))
    part = MatesPart("white R 1 0", WHITE, (), (), (), ())
    plan.take([part], [[Tour("Rad4#", ("a1a1", "a1a1"), ("Re4", "Rad4#"))]])
    before = plan.games()
    assert "Re4" not in plan.missing()
    plan.take([part], [[Tour("Rad4#", ("a1a1",), ("Rad4#",))]])
    assert plan.games() == before
    assert "Re4" not in plan.missing()


def whites_games(*others: str) -> dict[tuple[str, str], CheckedGame]:
    """Return White's proof games of the mates and of other strings."""
    games = [game for (_, colour), game in proof_games().items() if colour == WHITE]
    games += [game_of(("a1a1",), (san,)) for san in others]
    return {(game.game.san, WHITE): game for game in games}


def test_a_missing_string_takes_games_of_its_family_and_what_only_they_show() -> None:
    cover = cover_of(whites_games("Rc4", "Re4"))
    cover.put("Rad4#", WHITE, Tour("Rad4#", ("a1a1", "a1a1"), ("Re4", "Rad4#")))
    assert {"Rc4", "Re4"}.intersection(cover.missing()) == {"Rc4"}
    (part,) = parts_of_round(cover, REPAIR + 1, ["Rc4"])
    assert (part.colour, part.name) == (WHITE, f"white R {REPAIR + 1} 0")
    assert {start.name.split(" ")[0] for start in part.starts} == {"R", "O-O", "O-O-O"}
    assert set(offered(part)) == {"Rd4#", "Rad4#"}
    assert [string.name for string in part.strings] == ["Rc4", "Re4"]


def test_rounds_of_families_share_out_all_mates_without_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plan, "MATES_IN_A_PART", 1)
    last = parts_of_round(Cover(whites_games("Rc4", "Re4")), ROUNDS, ["Rc4", "Re4"])
    shares = [name for p in last for name in (*offered(p), *(s.name for s in p.strings))]
    assert sorted(shares) == sorted([*SHOWN, "Rc4", "Re4"])
    cover = Cover(whites_games())
    for number in range(FIRST_ROUNDS + 1, ROUNDS + 1):
        for part in parts_of_round(cover, number, []):
            for mate in offered(part):
                assert mate not in cover.tours
                cover.put(mate, WHITE, Tour(mate, ("a1a1",), (mate,)))
    assert set(cover.tours) == set(SHOWN)


# The strings of the cover, counted again from the beginning


GAMES = whites_games("Kd1", "Ke1")
PUTS = st.tuples(st.sampled_from(["Rd4#", "Qd4#"]), st.sets(st.sampled_from(["Kd1", "Ke1", "Nd4"])))


@given(st.lists(PUTS))
def test_what_the_games_show_is_counted_again_from_the_beginning(
    puts: list[tuple[str, set[str]]],
) -> None:
    made = Cover(GAMES)
    games: dict[str, set[str]] = {}
    for mate, others in puts:
        made.put(mate, WHITE, Tour("Kd1", ("b1b1",) * (len(others) + 1), (*others, mate)))
        games[mate] = {*others, mate}
    counted = Counter(san for sans in games.values() for san in sans)
    assert list(made.tours) == list(games)
    assert [game.san for game in made.games()] == sorted(games)
    assert made.games_with == counted
    assert {"Kd1", "Ke1"} & set(made.missing()) == {"Kd1", "Ke1"} - set(counted)
    for mate, sans in games.items():
        assert set(made.only_in(mate)) == {san for san in sans if counted[san] == 1}


def test_black_s_game_of_a_tour_has_the_colours_exchanged() -> None:
    game = game_of(("a2a3", "h1a1", "a8a8"), ("a3", "Ra1", "Ra8#"))
    made = Cover({("Ra8#", BLACK): game})
    moves, sans = made.game(BLACK, Tour("Ra1#", ("a1a2", "b2b1"), ("Ra7", "Rb8#")))
    assert moves == ("a2a3", "h1a1", "a8a7", "b7b8")
    assert sans == ("a3", "Ra1", "Ra2", "Rb1#")


def test_tours_start_from_hubs_and_where_black_has_one_piece_more() -> None:
    pieces = {
        name: Counter(filter(str.isalpha, start.fen.split(" ")[0]))
        for name, (start, _) in starts(WHITE).items()
    }
    before = [name for name in pieces if name.endswith(" before")]
    more = [pieces[name] - pieces[name.removesuffix(" before")] for name in before]
    assert {str(one) for one in more} == {str(Counter(piece)) for piece in "qrbn"}
