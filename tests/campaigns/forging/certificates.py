"""Forged certificates that take thought, and lies told alike in the kernel's three files."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from sanproof.proofs.kernel.certificates import CUBES_BY_NAME
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS
from sanproof.proofs.rules.cubes import all_cubes, exchanged_san
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.refute import closing_certificate
from tests.campaigns.forging.model import (
    Files,
    Forgery,
    Kind,
    list_text,
    of_text,
    text_of,
    until_changed,
    with_text,
)
from tests.campaigns.forging.parts import (
    Certificate,
    Game,
    Step,
    certificates_of,
    games_of,
    is_as_good,
    is_refutation,
    read_certificates,
    strings_of,
    without_number,
    without_open_string,
    write_games,
)

Certificates = list[Certificate]
Steps = list[Step]


def of_all(change: Callable[[Certificates, Random], Iterable[Certificate]]) -> Kind:
    """Change the certificates."""

    def changed(text: str, random: Random) -> str:
        return "".join(map(str, change(read_certificates(text), random)))

    return of_text(CERTIFICATES, changed)


def of_one(change: Callable[[Certificate, Random], Certificate]) -> Kind:
    """Change a certificate of some steps; it may pass only if it is as good."""

    def forge(files: Files, random: Random) -> Forgery:
        old = text_of(files, CERTIFICATES)
        found = read_certificates(old)
        usual = [i for i, c in enumerate(found) if len(c.steps) > 2 < len(c.left_open)]

        def changed(_: bytes) -> bytes:
            at = random.choice(usual)
            other = change(found[at], random)
            return "".join(map(str, [*found[:at], other, *found[at + 1 :]])).encode()

        text = until_changed(old.encode(), changed)
        harmless = is_as_good(CERTIFICATES, old, text.decode())
        return Forgery(with_text(files, CERTIFICATES, text), harmless)

    return forge


def step_missing(certificate: Certificate, random: Random) -> Certificate:
    """Drop a step that is needed; those after it, and the hints to them, have other numbers."""
    steps = list(certificate.steps)
    while is_refutation(certificate._replace(steps=tuple(steps))):
        at = random.randrange(len(steps))
        gone = steps.pop(at).number
        steps[at:] = without_number(steps[at:], gone)
    return certificate._replace(steps=tuple(steps))


def renamed(found: Certificates, random: Random) -> Certificates:
    """Return a cube's certificate under another's name, its strings renamed as well."""
    a, b = random.sample(range(len(found)), 2)
    found[b] = found[a]._replace(cube=found[b].cube, left_open=found[b].left_open)
    return found


def of_another_cube(text: str, random: Random) -> str:
    """Return a certificate more: a sound one, or one of no cube."""
    other = closing_certificate(all_cubes()[0], ["O-O", "O-O+", "O-O#"])
    strange = [other, "cube Nb9\nscope check\nopen\n1 0 1 0\n\n", other.replace("O-O", "o-o")]
    return random.choice(strange) + text


def open_string_added(files: Files, random: Random) -> Forgery:
    """Return a weaker certificate that holds; what it no longer refutes is missed elsewhere."""
    certificates = certificates_of(files)
    closed = {
        at: sorted({*strings_of(CUBES_BY_NAME[c.cube])} - {*c.left_open})
        for at, c in enumerate(certificates)
    }  # of castling every string is open
    at = random.choice([at for at, strings in closed.items() if strings])
    cube, _, left_open, _ = certificates[at]
    strings = sorted([*left_open, random.choice(closed[at])], key=list_order)
    certificates[at] = Certificate.read(closing_certificate(CUBES_BY_NAME[cube], strings))
    assert is_refutation(certificates[at])
    return Forgery(with_text(files, CERTIFICATES, "".join(map(str, certificates))))


def every_string_open(certificate: Certificate, _: Random) -> Certificate:
    """Open all strings, which any refutation closes; its hints are numbers of another formula."""
    own = strings_of(CUBES_BY_NAME[certificate.cube])
    return certificate._replace(left_open=tuple(sorted(own, key=list_order)))


CERTIFICATE: Final[dict[str, Kind]] = {
    "one five thousand times": of_all(lambda found, r: [*found, *[r.choice(found)] * 5000]),
    "renamed": of_all(renamed),
    "another cube's": of_text(CERTIFICATES, of_another_cube),
    "every string open": of_one(every_string_open),
    "open string added": open_string_added,
    "open string gone": of_one(lambda c, r: without_open_string(c, r.choice(c.left_open))),
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
        return Forgery(with_text(files, CERTIFICATES, text))

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

    def forge(files: Files, random: Random) -> Forgery:
        texts = Texts(files)
        change(texts, random)
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
    """List a string that no player writes, open it in its certificate, and let a game show it."""
    at, san = impossible(texts, random)
    texts.strings.append(san)
    texts.open(at, san)
    texts.games.append(random.choice(texts.games)._replace(san=san))


def moved_to_another_cube(texts: Texts, random: Random) -> None:
    """Let another certificate leave a string open in the place of the one that does."""
    fit = [i for i, certificate in enumerate(texts.certificates) if certificate.left_open]
    source, target = random.sample(fit, 2)
    san = random.choice(texts.certificates[source].left_open)
    texts.refute(san)
    texts.open(target, san)


def relabelled(texts: Texts, random: Random) -> None:
    """Let a game show another string, which then has two, while its own has none."""
    shown = random.choice(texts.games)
    other = random.choice([san for san in texts.strings if san != shown.san])
    kept = [game for game in texts.games if game.san != shown.san]
    texts.games = [*kept, shown._replace(san=other)]


def open_to_nobody(texts: Texts, random: Random) -> None:
    """Let a certificate leave one more string open, which no game shows."""
    texts.open(*impossible(texts, random))


def speaking_of_black(texts: Texts, _: Random) -> None:
    """Say that what is left open is open to Black: exchange the ranks of the strings."""
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
    **{f"certificate: {name}": kind for name, kind in CERTIFICATE.items()},
    "refutation: step missing": of_one(step_missing),
    **{f"together: {name}": kind for name, kind in TOGETHER.items()},
}
