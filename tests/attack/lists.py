"""Forged lists, and lies that are told in several files at once."""

from collections.abc import Callable, Collection
from typing import Final

from sanproof.proofs.rules.cubes import exchanged_san
from sanproof.proofs.rules.san import parse_san
from tests.attack.forgery import (
    Forgeries,
    Forgery,
    Game,
    Paragraph,
    Scene,
    games,
    paragraphs,
    sorted_list,
    with_games,
    with_paragraphs,
)
from tests.proofs.kernel.evidence import Evidence

IMPOSSIBLE: Final = ("a1", "axa8", "Kaxa1", "O-O=Q", "Rxa1=Q", "a8", "a3=N", "Naxa1+", "Nh8xb1")
"""Strings that nobody writes, and one that is no string of the grammar."""


def change_list(change: Callable[[list[str], Scene], list[str]]) -> Callable[[Scene], Evidence]:
    """Change the list alone."""

    def make(scene: Scene) -> Evidence:
        strings = change(scene.evidence.strings.split("\n"), scene)
        return scene.evidence._replace(strings="\n".join(strings))

    return make


def _without_one(strings: list[str], scene: Scene) -> list[str]:
    gone = scene.random.choice(strings)
    return [san for san in strings if san != gone]


def _with_one_more(strings: list[str], scene: Scene) -> list[str]:
    return sorted_list([*strings, scene.random.choice(IMPOSSIBLE)]).split("\n")


def _one_twice(strings: list[str], scene: Scene) -> list[str]:
    at = scene.random.randrange(len(strings))
    return [*strings[:at], strings[at], *strings[at:]]


def _two_exchanged(strings: list[str], scene: Scene) -> list[str]:
    at = scene.random.randrange(len(strings) - 1)
    return [*strings[:at], strings[at + 1], strings[at], *strings[at + 2 :]]


def _another_suffix(strings: list[str], scene: Scene) -> list[str]:
    at = scene.random.randrange(len(strings))
    bare = strings[at].rstrip("+#")
    suffix = scene.random.choice([s for s in ("", "+", "#", "++") if bare + s != strings[at]])
    return [*strings[:at], bare + suffix, *strings[at + 1 :]]


LISTS: Final[Forgeries] = [
    Forgery("a string dropped from the list", change_list(_without_one)),
    Forgery("a string added to the list", change_list(_with_one_more)),
    Forgery("a string twice in the list", change_list(_one_twice)),
    Forgery("two strings of the list exchanged", change_list(_two_exchanged)),
    Forgery("another suffix in the list", change_list(_another_suffix)),
    Forgery("the list in ASCII order", change_list(lambda strings, _: sorted(strings))),
    Forgery("the list from back to front", change_list(lambda strings, _: strings[::-1])),
    Forgery("an empty line at the end of the list", change_list(lambda strings, _: [*strings, ""])),
    Forgery("an empty line before the list", change_list(lambda strings, _: ["", *strings])),
    Forgery("an empty list", change_list(lambda _strings, _: [])),
    Forgery(
        "the list without suffixes",
        change_list(lambda strings, _: [s for s in strings if s[-1] not in "+#"]),
    ),
    Forgery("a space in the list", change_list(lambda s, _: [f"{s[0]} ", *s[1:]])),
    Forgery("the list in lower case", change_list(lambda strings, _: [s.lower() for s in strings])),
    Forgery("zeros for castling", change_list(lambda s, _: [x.replace("O", "0") for x in s])),
]


# --- The same lie in several files ---


def _refuted(paragraph: Paragraph, gone: Collection[str]) -> Paragraph:
    """The certificate that leaves fewer strings open, its numbers moved as a forger would."""
    left = [san for san in paragraph.open if san not in gone]
    fewer = len(paragraph.open) - len(left)
    first = int(paragraph.lines[0].partition(" ")[0]) - len(paragraph.open) + len(left)

    def moved(number: int) -> int:
        return number - fewer if number >= first else number

    lines = []
    for line in paragraph.lines:
        number, *rest = map(int, line.split(" "))
        zero = rest.index(0)
        numbers = [number - fewer, *rest[: zero + 1], *map(moved, rest[zero + 1 :])]
        lines.append(" ".join(map(str, numbers)))
    return paragraph._replace(open=left, lines=lines)


def _shown(game: Game) -> str:
    """What a game shows, as the string of White's move of the same kind."""
    return game.san if game.white else str(exchanged_san(parse_san(game.san)))


def drop(*places: str) -> Callable[[Scene], Evidence]:
    """Drop a string that is reachable from some of the files.

    Args:
        places: ``list``, ``games``, ``white`` (White's games only), ``certificates`` (those that
            leave it open for either player) or ``one certificate`` (for White only).
    """

    def make(scene: Scene) -> Evidence:
        evidence = scene.evidence
        certificates = paragraphs(evidence)
        both = {game.san for game in games(evidence) if game.white}
        san = scene.random.choice([s for p in certificates for s in p.open if s in both])
        exchanged = str(exchanged_san(parse_san(san)))
        if "list" in places:
            strings = [s for s in evidence.strings.split("\n") if s != san]
            evidence = evidence._replace(strings="\n".join(strings))
        if "games" in places:
            evidence = with_games(evidence, [g for g in games(evidence) if g.san != san])
        if "white" in places:
            kept = [g for g in games(evidence) if not (g.san == san and g.white)]
            evidence = with_games(evidence, kept)
        if "certificates" in places:
            evidence = with_paragraphs(
                evidence, [_refuted(p, (san, exchanged)) for p in certificates]
            )
        if "one certificate" in places:
            evidence = with_paragraphs(evidence, [_refuted(p, (san,)) for p in certificates])
        return evidence

    return make


def _impossible_everywhere(scene: Scene) -> Evidence:
    """A string that nobody writes, in the list, in the certificates, and shown by a game."""
    evidence, random = scene
    san = random.choice(["a1", "axa8=Q", "a8", "Kaxa1", "Rxa1=Q", "O-O-O=Q"])
    cube = str(parse_san(san)._replace(file="", rank="", promotion="", suffix=""))
    evidence = evidence._replace(strings=sorted_list([*evidence.strings.split("\n"), san]))
    certificates = []
    for p in paragraphs(evidence):
        more = [san] if p.cube == cube else []
        certificates.append(p._replace(open=sorted_list([*p.open, *more]).split()))
    evidence = with_paragraphs(evidence, certificates)
    shown = random.choice(games(evidence))
    return with_games(evidence, [*games(evidence), shown._replace(san=san)])


def _moved_to_another_cube(scene: Scene) -> Evidence:
    """A string that one certificate leaves open is left open by another one in its place."""
    certificates = paragraphs(scene.evidence)
    source, target = scene.random.sample([i for i, p in enumerate(certificates) if p.open], 2)
    san = scene.random.choice(certificates[source].open)
    certificates[source] = _refuted(certificates[source], (san,))
    more = sorted_list([*certificates[target].open, san]).split("\n")
    certificates[target] = certificates[target]._replace(open=more)
    return with_paragraphs(scene.evidence, certificates)


def _relabelled(scene: Scene) -> Evidence:
    """A game is said to show another string, which then has two, and its own has none."""
    evidence = scene.evidence
    shown = scene.random.choice(games(evidence))
    other = scene.random.choice([s for s in evidence.strings.split("\n") if s != shown.san])
    kept = [game for game in games(evidence) if game.san != shown.san]
    return with_games(evidence, [*kept, shown._replace(san=other)])


def _white_for_black(scene: Scene) -> Evidence:
    """The games of one player only: what the other one writes is shown by nothing."""
    white = scene.random.random() < 0.5
    return with_games(scene.evidence, [g for g in games(scene.evidence) if g.white == white])


def _open_everywhere(scene: Scene) -> Evidence:
    """A certificate leaves one more string of its cube open, as Black's and White's games lack."""
    certificates = paragraphs(scene.evidence)
    at = next(i for i, p in enumerate(certificates) if p.cube == "Kxa1")
    more = scene.random.choice(["Kxa1=Q", "Kaxa1", "Kb2xa1#", "K1xa1+"])
    changed = certificates[at]
    certificates[at] = changed._replace(open=sorted_list([*changed.open, more]).split("\n"))
    return with_paragraphs(scene.evidence, certificates)


def _speaking_of_black(scene: Scene) -> Evidence:
    """What is left open is said to be left open to Black: the strings with exchanged ranks."""
    certificates = [
        p._replace(open=sorted_list([str(exchanged_san(parse_san(s))) for s in p.open]).split())
        for p in paragraphs(scene.evidence)
    ]
    return with_paragraphs(scene.evidence, certificates)


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
LIES: Final[Forgeries] = [
    *(Forgery(f"a string dropped from {' and '.join(p)}", drop(*p)) for p in PLACES),
    Forgery("an impossible string everywhere, with a game", _impossible_everywhere),
    Forgery("a string moved to another cube", _moved_to_another_cube),
    Forgery("a game said to show another string", _relabelled),
    Forgery("the games of one player only", _white_for_black),
    Forgery("a string left open that no game shows", _open_everywhere),
    Forgery("certificates that speak of Black", _speaking_of_black),
]
