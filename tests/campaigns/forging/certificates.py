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


def telling(
    strings: list[str], games: list[Game], certificates: Certificates, run: Files
) -> Forgery:
    """Return the three files with these texts."""
    run = with_text(run, STRINGS, list_text(strings))
    run = with_text(run, GAMES, write_games(dict.fromkeys(games)))
    return Forgery(with_text(run, CERTIFICATES, "".join(map(str, certificates))))


def dropped(*places: str) -> Kind:
    """Drop a string that is reachable from the list, from games or from certificates."""

    def forge(files: Files, random: Random) -> Forgery:
        strings, games = text_of(files, STRINGS).split("\n"), games_of(files)
        certificates = certificates_of(files)
        shown = {game.san for game in games if game.white}
        san = random.choice([s for c in certificates for s in c.left_open if s in shown])
        if "list" in places:
            strings.remove(san)
        if "games" in places:
            games = [game for game in games if game.san != san]
        if "certificates" in places:  # the numbers are moved as a forger would
            gone = {san, str(exchanged_san(parse_san(san)))}
            for at, certificate in enumerate(certificates):
                for one in gone.intersection(certificate.left_open):
                    certificates[at] = without_open_string(certificates[at], one)
        return telling(strings, games, certificates, files)

    return forge


def impossible(*places: str) -> Kind:
    """Add a string that no player writes to the list, games or certificates."""

    def forge(files: Files, random: Random) -> Forgery:
        strings, games = text_of(files, STRINGS).split("\n"), games_of(files)
        certificates = certificates_of(files)
        at, san = random.choice(
            [
                (at, san)
                for at, certificate in enumerate(certificates)
                for san in strings_of(CUBES_BY_NAME[certificate.cube])
                if not {san, str(exchanged_san(parse_san(san)))} & {*strings}
            ]
        )
        if "list" in places:
            strings.append(san)
        if "games" in places:
            games.append(random.choice(games)._replace(san=san))
        if "certificates" in places:
            opened = sorted({*certificates[at].left_open, san}, key=list_order)
            certificates[at] = certificates[at]._replace(left_open=tuple(opened))
        return telling(strings, games, certificates, files)

    return forge


PLACES: Final = (
    *(("games",), ("certificates",), ("list", "games"), ("list", "certificates")),
    *(("games", "certificates"), ("list", "games", "certificates")),
)
EVIDENCE: Final[dict[str, Kind]] = {
    **{f"certificate: {name}": kind for name, kind in CERTIFICATE.items()},
    "refutation: step missing": of_one(step_missing),
    **{
        f"together: a string dropped from {', '.join(places)}": dropped(*places)
        for places in PLACES
    },
    **{f"together: an impossible string in {', '.join(p)}": impossible(*p) for p in PLACES},
}
