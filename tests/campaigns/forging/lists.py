"""Forged lists, and lies that are told in several files that the kernel reads."""

from collections.abc import Callable
from random import Random
from typing import Final

from sanproof.proofs.kernel.certificates import CUBES_BY_NAME
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS
from sanproof.proofs.rules.cubes import exchanged_san
from sanproof.proofs.rules.san import list_order, parse_san
from tests.campaigns.forging.model import (
    Files,
    Forgery,
    Kind,
    Scene,
    list_text,
    of_text,
    text_of,
    with_text,
)
from tests.campaigns.forging.parts import (
    Certificate,
    Game,
    certificates_of,
    games_of,
    strings_of,
    without_open_string,
    write_games,
)

STRANGE: Final = ("a1", "axa8", "Kaxa1", "O-O=Q", "Rxa1=Q", "a8", "a3=N", "Naxa1+", "Nh8xb1")
"""Strings that nobody writes, and one that is no string of the grammar."""
EVIDENCE_FILES: Final = (STRINGS, GAMES, CERTIFICATES)


def of_list(change: Callable[[list[str], Random], list[str]]) -> Kind:
    """Change the list alone."""
    return of_text(STRINGS, lambda text, random: "\n".join(change(text.split("\n"), random)))


def another_suffix(strings: list[str], random: Random) -> list[str]:
    at = random.randrange(len(strings))
    bare = strings[at].rstrip("+#")
    suffix = random.choice([s for s in ("", "+", "#", "++") if bare + s != strings[at]])
    return [*strings[:at], bare + suffix, *strings[at + 1 :]]


def one_missing(strings: list[str], random: Random) -> list[str]:
    strings.pop(random.randrange(len(strings)))
    return strings


def two_exchanged(strings: list[str], random: Random) -> list[str]:
    a, b = random.sample(range(len(strings)), 2)
    strings[a], strings[b] = strings[b], strings[a]
    return strings


LISTS: Final[dict[str, Kind]] = {
    "string missing": of_list(one_missing),
    "string added": of_list(lambda s, r: list_text([*s, r.choice(STRANGE)]).split("\n")),
    "string twice": of_list(lambda s, r: sorted([*s, r.choice(s)], key=list_order)),
    "order": of_list(two_exchanged),
    "another suffix": of_list(another_suffix),
    "from back to front": of_list(lambda strings, _: strings[::-1]),
    "shuffled": of_list(lambda strings, random: random.sample(strings, len(strings))),
    "an empty line at the end": of_list(lambda strings, _: [*strings, ""]),
    "an empty line in front": of_list(lambda strings, _: ["", *strings]),
    "none": of_list(lambda *_: []),
    "no suffixes": of_list(lambda strings, _: [s for s in strings if s[-1] not in "+#"]),
    "a space": of_list(lambda s, _: [f"{s[0]} ", *s[1:]]),
    "lower case": of_list(lambda strings, _: [s.lower() for s in strings]),
    "a strange letter": of_list(lambda s, _: [x.replace("N", "S").replace("O", "0") for x in s]),
}


# --- The same lie in several files ---


class Texts:
    """The three texts of a run, to be changed."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.strings = text_of(files, STRINGS).split("\n")
        self.games: list[Game] = games_of(files)
        self.certificates: list[Certificate] = certificates_of(files)

    def forged(self) -> Forgery:
        """Return the run with these texts."""
        files = with_text(self.files, STRINGS, list_text(self.strings))
        files = with_text(files, GAMES, write_games(dict.fromkeys(self.games)))
        text = "".join(map(str, self.certificates))
        return Forgery(with_text(files, CERTIFICATES, text), EVIDENCE_FILES)

    def refute(self, *sans: str) -> None:
        """Leave strings open no longer, the numbers moved as a forger would."""
        for at, certificate in enumerate(self.certificates):
            for san in set(sans).intersection(certificate.left_open):
                self.certificates[at] = without_open_string(self.certificates[at], san)

    def open(self, at: int, san: str) -> None:
        """Have a certificate leave a string open, and nothing else of it changed."""
        strings = sorted({*self.certificates[at].left_open, san}, key=list_order)
        self.certificates[at] = self.certificates[at]._replace(left_open=tuple(strings))


def telling(change: Callable[[Texts, Random], object]) -> Kind:
    """Change the three texts."""

    def forge(scene: Scene) -> Forgery:
        texts = Texts(scene.played)
        change(texts, scene.random)
        return texts.forged()

    return forge


def drop(*places: str) -> Kind:
    """Drop a string that is reachable from some of the files.

    Args:
        places: ``list``, ``games``, ``white`` (White's games only), ``certificates`` (those that
            leave it open for either player) or ``one certificate`` (for White only).
    """

    def change(texts: Texts, random: Random) -> None:
        shown = {game.san for game in texts.games if game.white}
        san = random.choice([s for c in texts.certificates for s in c.left_open if s in shown])
        if "list" in places:
            texts.strings.remove(san)
        if "games" in places:
            texts.games = [game for game in texts.games if game.san != san]
        if "white" in places:
            texts.games = [game for game in texts.games if not (game.san == san and game.white)]
        if "certificates" in places:
            texts.refute(san, str(exchanged_san(parse_san(san))))
        if "one certificate" in places:
            texts.refute(san)

    return telling(change)


def impossible(texts: Texts, random: Random) -> tuple[int, str]:
    """Return a certificate and a string of its cube that neither player writes."""
    listed = set(texts.strings)
    order = random.sample(range(len(texts.certificates)), len(texts.certificates))
    for at in order:  # of castling every string is written
        own = [
            san
            for san in strings_of(CUBES_BY_NAME[texts.certificates[at].cube])
            if not listed.intersection((san, str(exchanged_san(parse_san(san)))))
        ]
        if own:
            return at, random.choice(own)
    raise ValueError("every string is written")


def impossible_everywhere(texts: Texts, random: Random) -> None:
    """A string that nobody writes, in the list, in its certificate, and shown by a game."""
    at, san = impossible(texts, random)
    texts.strings.append(san)
    texts.open(at, san)
    texts.games.append(random.choice(texts.games)._replace(san=san))


def moved_to_another_cube(texts: Texts, random: Random) -> None:
    """A string that one certificate leaves open is left open by another one in its place."""
    fit = [i for i, certificate in enumerate(texts.certificates) if certificate.left_open]
    source, target = random.sample(fit, 2)
    san = random.choice(texts.certificates[source].left_open)
    texts.refute(san)
    texts.open(target, san)


def relabelled(texts: Texts, random: Random) -> None:
    """A game is said to show another string, which then has two, and its own has none."""
    shown = random.choice(texts.games)
    other = random.choice([san for san in texts.strings if san != shown.san])
    kept = [game for game in texts.games if game.san != shown.san]
    texts.games = [*kept, shown._replace(san=other)]


def open_to_nobody(texts: Texts, random: Random) -> None:
    """A certificate leaves one more string open, which no game shows."""
    texts.open(*impossible(texts, random))


def speaking_of_black(texts: Texts, _: Random) -> None:
    """What is left open is said to be left open to Black: the strings with exchanged ranks."""
    for at, certificate in enumerate(texts.certificates):
        strings = list_text(str(exchanged_san(parse_san(san))) for san in certificate.left_open)
        texts.certificates[at] = certificate._replace(left_open=tuple(strings.split()))


PLACES: Final[tuple[tuple[str, ...], ...]] = (
    ("games",),
    ("white",),
    ("list", "games"),
    ("list", "white"),
    ("certificates",),
    ("one certificate",),
    ("list", "certificates"),
    ("games", "certificates"),
    ("white", "one certificate"),
    ("list", "games", "one certificate"),
    ("list", "games", "certificates"),
)
TOGETHER: Final[dict[str, Kind]] = {
    **{f"string dropped from {' and '.join(places)}": drop(*places) for places in PLACES},
    "an impossible string everywhere": telling(impossible_everywhere),
    "a string moved to another cube": telling(moved_to_another_cube),
    "a game said to show another string": telling(relabelled),
    "a string left open that no game shows": telling(open_to_nobody),
    "certificates that speak of Black": telling(speaking_of_black),
}
EVIDENCE: Final[dict[str, Kind]] = {
    **{f"list: {name}": kind for name, kind in LISTS.items()},
    **{f"together: {name}": kind for name, kind in TOGETHER.items()},
}
