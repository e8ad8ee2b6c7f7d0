"""The theorem: what the games show, what the certificates leave open, and the list."""

import re
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.kernel.certificates import CUBES_BY_NAME
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.kernel.games import Shown
from sanproof.proofs.kernel.theorem import (
    BATCH,
    Theorem,
    conclude,
    establish,
    submit_certificates,
    submit_games,
)
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.verify.work.executors import Inline
from tests.examples import examples
from tests.proofs.kernel.evidence import PART, games_of, only, paragraphs, part, published
from tests.proofs.kernel.evidence import establish as establish_here
from tests.strings import strings_of

CUBES = tuple(CUBES_BY_NAME[name] for name in ("O-O", "a3", "a6", "Ka1", "Ka8"))
"""With each cube the one that Black's exchange needs."""
STRINGS = [san for cube in CUBES for san in islice(strings_of(cube), 0, None, 60)]
NAMES = [str(san) for cube in CUBES for san in islice(strings_of(cube), 0, None, 7)]


def exchanged(san: str) -> str:
    return str(exchanged_san(parse_san(san)))


class Claims(NamedTuple):
    """The claims that the theorem is concluded from; all of them fit together."""

    white: frozenset[str]
    black: frozenset[str]

    @property
    def left_open(self) -> dict[Cube, frozenset[str]]:
        """The strings that certificates leave open to White, from what both players write."""
        known = self.white | frozenset(map(exchanged, self.black))
        return {c: frozenset(s for s in known if cube_of(parse_san(s)) == c) for c in CUBES}

    @property
    def shown(self) -> list[Shown]:
        both = [(self.white, True), (self.black, False)]
        return [Shown(san, white) for sans, white in both for san in sorted(sans)]

    @property
    def listed(self) -> str:
        return "\n".join(sorted(self.white | self.black, key=list_order))


@st.composite
def claims(draw: st.DrawFn) -> Claims:
    """Draw any strings for White, and for Black those with the ranks exchanged."""
    sans = draw(st.frozensets(st.sampled_from(NAMES), max_size=8))
    return Claims(sans, frozenset(map(exchanged, sans)))


def concluded(claims: Claims, **other: Any) -> Theorem:  # noqa: ANN401
    """Return what is concluded of claims, of which something may be another."""
    given = {"left_open": claims.left_open, "shown": claims.shown, "listed": claims.listed}
    return conclude(STRINGS, clauses=17, **(given | other))


def complaint(claims: Claims, shown: Claims) -> str | None:
    """Return what is said of the first string that has both a game and a refutation, or neither."""
    for player, sans, left_open in zip(("White", "Black"), shown, claims, strict=True):
        for san in sorted(sans ^ left_open):
            has = "both a game and" if san in sans else "neither a game nor"
            return f"games.txt.xz: {player} has {has} a refutation for {san}"
    return None


def refusal(claims: Claims, **other: Any) -> str:  # noqa: ANN401
    """Return why something else than the claims is refused."""
    with pytest.raises(EvidenceError) as caught:
        concluded(claims, **other)
    return str(caught.value)


# --- What is concluded ---


@given(claims())
def test_what_fits_together_is_concluded(claims: Claims) -> None:
    """A string may be shown twice, and in any order."""
    theorem = concluded(claims)
    assert theorem == Theorem(len(STRINGS), claims.white, claims.black, len(claims.shown), 5, 17)
    twice = concluded(claims, shown=[*claims.shown[::-1], *claims.shown])
    assert twice == theorem._replace(games=2 * len(claims.shown))


others = st.none() | st.frozensets(st.sampled_from(NAMES), max_size=8)


@settings(max_examples=examples(300))
@given(claims=claims(), white=others, black=others, listed=st.booleans())
def test_games_and_certificates_leave_nothing_over(
    claims: Claims, white: frozenset[str] | None, black: frozenset[str] | None, *, listed: bool
) -> None:
    """Each player's games may show any strings, and the list may be that of the games."""
    shown = Claims(*(c if o is None else o for c, o in zip(claims, (white, black), strict=True)))
    other = {"shown": shown.shown, "listed": (shown if listed else claims).listed}
    if expected := complaint(claims, shown):
        assert refusal(claims, **other) == expected
    else:
        assert concluded(claims, **other)[1:3] == claims


@given(claims(), st.frozensets(st.sampled_from(CUBES), min_size=1))
def test_each_cube_and_its_exchange_needs_a_certificate(
    claims: Claims, gone: frozenset[Cube]
) -> None:
    """The first that is missing is named; of one player each cube is needed by itself."""
    left_open = {c: sans for c, sans in claims.left_open.items() if c not in gone}
    said = f"certificates.txt.xz: there is no certificate of {min(gone)}"
    assert refusal(claims, left_open=left_open) == said
    some = {c: sans for c, sans in claims.left_open.items() if c != min(gone)}
    for asked in (min(gone), exchanged_cube(min(gone))):
        with pytest.raises(EvidenceError, match=rf"no certificate of {min(gone)}$"):
            conclude([next(strings_of(asked))], some, [], 0, "")


@given(claims(), st.frozensets(st.sampled_from(CUBES)), st.sampled_from("+#a"))
def test_the_theorem_may_be_about_some_cubes_or_strings(
    claims: Claims, cubes: frozenset[Cube], letter: str
) -> None:
    """Even about a cube without its exchange, of which only the certificate is needed then.

    The certificates of the cubes may say more than what the theorem is about.
    """
    inside = Claims(*(frozenset(s for s in c if cube_of(parse_san(s)) in cubes) for c in claims))
    strings = [san for san in STRINGS if cube_of(san) in cubes]
    theorem = conclude(strings, claims.left_open, inside.shown, 17, inside.listed)
    assert theorem[:3] == (len(strings), *inside)

    def about(san: str) -> bool:
        return letter not in san

    inside = Claims(*(frozenset(filter(about, sans)) for sans in claims))
    other = {"shown": inside.shown, "listed": inside.listed, "about": about}
    assert concluded(claims, **other)[1:3] == inside
    if inside != claims:
        assert "White has both a game and a refutation" in refusal(claims, about=about)


@given(claims(), st.data())
def test_another_list_is_refused(claims: Claims, data: st.DataObject) -> None:
    strings = claims.listed.split("\n")
    at = data.draw(st.integers(0, len(strings) - 1))
    others = {
        *(claims.listed + "\n", "\n" + claims.listed, claims.listed.lower()),
        "\n".join(strings[:at] + strings[at + 1 :]),
        "\n".join([*strings[:at], strings[at], *strings[at:]]),
        "\n".join(strings[::-1]),
        "\n".join(sorted(strings)),
        "\n".join(sorted([*strings, "Qh4#"], key=list_order)),
    }
    for listed in others - {claims.listed}:
        odd = min(
            {*listed.split("\n")} ^ claims.white ^ (claims.black - claims.white), default=None
        )
        what = "order or repeats" if odd is None else f"{odd!a}"
        assert refusal(claims, listed=listed) == (
            f"san_strings_with_symbols.txt: differs from the strings that the games show in {what}"
        )


# --- The sentence ---


def test_the_sentence_has_the_numbers_and_says_what_a_position_is() -> None:
    theorem = Theorem(1234, frozenset({"a3", "b3", "O-O"}), frozenset({"a6", "O-O"}), 5678, 9, 1000)
    checked, proved = theorem.sentence().split("\n")
    assert re.findall(r"\d[\d,]*\b", checked) == ["9", "1,000", "5,678"]
    numbers = ["1,234", "4", "1", "2", "1", "1,230"]  # by both, only by White, only by Black
    assert re.findall(r"\d[\d,]*\b", proved) == numbers
    assert "1,234 strings of the SAN grammar, 4 are" in proved
    said = theorem.sentence("that begin with a")
    assert "1,234 strings that begin with a, 4 are" in said
    for sentence in re.split(r"(?<=\.)\s", said):
        assert re.fullmatch(r"[A-Z].*\.", sentence)


# --- From the three files ---


def test_the_evidence_of_a_part_is_established() -> None:
    with only():
        theorem = establish_here(part())
    games = games_of(part())
    white = frozenset(game.san for game in games if game.white)
    black = frozenset(game.san for game in games if not game.white)
    assert theorem[:3] == (sum(len(list(strings_of(cube))) for cube in PART), white, black)
    assert black == set(map(exchanged, white))
    clauses = sum(len(p.lines) for p in paragraphs(part().certificates))
    assert theorem[3:] == (len(games), len(PART), clauses)


@pytest.mark.parametrize("change", [
    lambda found: found[1:], lambda found: found[:-1], lambda found: [found[0], *found],
    lambda found: [found[1], found[0], *found[2:]], lambda found: found * 2, lambda _: []
])  # fmt: skip
def test_each_cube_has_one_certificate_in_their_order(
    change: Callable[[list[str]], list[str]],
) -> None:
    texts = [str(p) for p in paragraphs(part().certificates)]
    evidence = part()._replace(certificates="".join(change(texts)))
    with only(), pytest.raises(EvidenceError, match="not one certificate for each cube"):
        establish_here(evidence)


def test_more_certificates_than_cubes_are_refused_before_any_is_checked() -> None:
    closed = list(submit_certificates(part().certificates, Inline()))
    assert [found.cube for found in closed] == list(PART)
    text = "no certificate\n\n"
    submit_certificates(text * 770, Inline())  # each is refused when its turn comes
    said = r"^certificates.txt.xz: there are more certificates than cubes$"
    with pytest.raises(EvidenceError, match=said):
        submit_certificates(text * 771, Inline())


@pytest.mark.parametrize("size", [BATCH, 100, 3, 1])
def test_every_game_comes_once_whatever_the_batch(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanproof.proofs.kernel.theorem.BATCH", size)
    shown = list(submit_games(part().games, Inline()))
    assert sorted(shown) == sorted(Shown(game.san, game.white) for game in games_of(part()))


def test_games_stand_on_whole_sorted_and_different_lines() -> None:
    assert list(submit_games("", Inline())) == []
    text = part().games
    first, second, *lines = text.splitlines(keepends=True)
    unsorted = (
        "".join([second, first, *lines]),
        "".join([first, second, *lines[:-2], *lines[:-3:-1]]),
    )
    for bad in (text[:-1], text + "\n", first + text, text + lines[-1], *unsorted):
        said = r"^games.txt.xz: its lines are not whole, sorted and all different$"
        with pytest.raises(EvidenceError, match=said):
            list(submit_games(bad, Inline()))
    for bad in ("\n", "\n" + text):  # an empty line comes first, and shows nothing
        with pytest.raises(EvidenceError, match=r"^games.txt.xz: "):
            list(submit_games(bad, Inline()))


@pytest.mark.slow
def test_the_published_evidence_is_established() -> None:
    evidence = published()
    theorem = establish(*evidence, Inline())
    assert theorem.strings == 1_119_750
    assert theorem.cubes == len(all_cubes()) == 770
    assert sorted(theorem.white | theorem.black, key=list_order) == evidence.strings.split("\n")
    assert theorem.black == frozenset(map(exchanged, theorem.white))
    assert theorem.games == len(evidence.games.splitlines())
