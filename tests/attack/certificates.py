"""Forged certificates: their form, their cubes and scopes, and what they leave open."""

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Final

from sanproof.proofs.rules.san import list_order
from tests.attack.forgery import (
    Forgeries,
    Forgery,
    Paragraph,
    Scene,
    change_paragraph,
    paragraphs,
    sorted_list,
    with_paragraphs,
)
from tests.proofs.kernel.evidence import Evidence

Change = Callable[[Paragraph, Random], Paragraph]


def _all(
    change: Callable[[list[Paragraph], Random], list[Paragraph]],
) -> Callable[[Scene], Evidence]:
    """Change the file as a whole."""
    return lambda scene: with_paragraphs(
        scene.evidence, change(paragraphs(scene.evidence), scene.random)
    )


def _lines(change: Callable[[list[str], Random], list[str]]) -> Callable[[Scene], Evidence]:
    """Change the lines of one certificate, its header included."""

    def make(scene: Scene) -> Evidence:
        texts = [str(paragraph) for paragraph in paragraphs(scene.evidence)]
        at = scene.random.randrange(len(texts))
        lines = texts[at].removesuffix("\n\n").split("\n")
        texts[at] = "\n".join(change(lines, scene.random)) + "\n\n"
        return scene.evidence._replace(certificates="".join(texts))

    return make


def _text(change: Callable[[str], str]) -> Callable[[Scene], Evidence]:
    """Change the text of the file."""
    return lambda scene: scene.evidence._replace(certificates=change(scene.evidence.certificates))


def _dropped(found: list[Paragraph], random: Random) -> list[Paragraph]:
    found.remove(random.choice(found))
    return found


def _repeated(found: list[Paragraph], random: Random) -> list[Paragraph]:
    at = random.randrange(len(found))
    return [*found[:at], found[at], *found[at:]]


def _exchanged(found: list[Paragraph], random: Random) -> list[Paragraph]:
    a, b = sorted(random.sample(range(len(found)), 2))
    found[a], found[b] = found[b], found[a]
    return found


def _another_s_in_its_place(found: list[Paragraph], random: Random) -> list[Paragraph]:
    a, b = random.sample(range(len(found)), 2)
    found[a] = found[b]
    return found


def _another_s_refutation(found: list[Paragraph], random: Random) -> list[Paragraph]:
    """The header of one cube over the refutation of another, if they are not the same."""
    pairs = product(range(len(found)), repeat=2)
    a, b = random.choice([(a, b) for a, b in pairs if found[a].lines != found[b].lines])
    found[a] = found[a]._replace(lines=found[b].lines)
    return found


def _renamed(found: list[Paragraph], random: Random) -> list[Paragraph]:
    """A cube's certificate under another cube's name, its strings renamed as well."""
    names = {p.cube: i for i, p in enumerate(found)}
    a, b = random.choice([("Kxa1", "Kxa8"), ("Nxb1", "Nxb8"), ("Rxa8", "Rxa1")])
    theirs, ours = (found[names[cube]] for cube in (a, b))
    found[names[b]] = theirs._replace(cube=b, open=ours.open)
    return found


def _in_one_paragraph(found: list[Paragraph], random: Random) -> list[Paragraph]:
    """Two certificates without the empty line between them."""
    at = random.randrange(len(found) - 1)
    second = str(found[at + 1]).removesuffix("\n\n").split("\n")
    found[at] = found[at]._replace(lines=[*found[at].lines, *second])
    del found[at + 1]
    return found


def _with_an_empty_line(lines: list[str], at: int) -> list[str]:
    return [*lines[:at], "", *lines[at:]]


def opened(change: Callable[[list[str], Random], list[str]]) -> Callable[[Scene], Evidence]:
    """Change which strings a certificate leaves open, and nothing else."""
    return change_paragraph(
        lambda p, random: p._replace(open=change(p.open, random)), lambda p: len(p.open) > 2
    )


def _one_fewer(strings: list[str], random: Random) -> list[str]:
    gone = random.choice(strings)
    return [san for san in strings if san != gone]


def _one_replaced(strings: list[str], random: Random) -> list[str]:
    gone = random.choice(strings)
    other = random.choice(["e4", "Qh4#", "Kb2", "Nc3xb1", "P", "", "--", "O-O-O-O"])
    return sorted([*(s for s in strings if s != gone), other], key=list_order)


def _scope(text: str) -> Callable[[Scene], Evidence]:
    return change_paragraph(lambda p, _: p._replace(scope=text), lambda p: p.scope != text)


def _header(at: int, text: str) -> Callable[[Scene], Evidence]:
    return _lines(lambda lines, _: [*lines[:at], text, *lines[at + 1 :]])


CERTIFICATES: Final[Forgeries] = [
    Forgery("a certificate dropped", _all(_dropped)),
    Forgery("a certificate twice", _all(_repeated)),
    Forgery("two certificates exchanged", _all(_exchanged)),
    Forgery("another cube's certificate in place of one", _all(_another_s_in_its_place)),
    Forgery("another cube's refutation", _all(_another_s_refutation)),
    Forgery("another cube's certificate, renamed", _all(_renamed)),
    Forgery("two certificates in one paragraph", _all(_in_one_paragraph)),
    Forgery("certificates from back to front", _all(lambda found, _: found[::-1])),
    Forgery("all certificates twice", _all(lambda found, _: found * 2)),
    Forgery("no certificates", _all(lambda _found, _: [])),
    Forgery("only the first certificate", _all(lambda found, _: found[:1])),
    Forgery("an unknown cube", change_paragraph(lambda p, r: p._replace(
        cube=r.choice(["a9", "", "Pa3", "ka1", "O-O+", "a3 ", "Ka1=Q", "Kxa1\tx"])))),
    Forgery("another cube's name", change_paragraph(lambda p, r: p._replace(
        cube=r.choice(["e4", "Qxh8", "Nf3"])))),
    Forgery("the smaller scope", _scope("geometry")),
    # Of pawns, kings and castling both scopes have one formula; else the numbers do not agree.
    Forgery("the larger scope", _scope("check"), harmless=True),
    *(Forgery(f"the scope {text!r}", _scope(text)) for text in (
        "exact", "CHECK", "Check", "", "geometry ", "check geometry", "GEOMETRY", "0")),
    Forgery("an open string dropped", opened(_one_fewer)),
    Forgery("all open strings dropped", opened(lambda _strings, _: [])),
    Forgery("an open string replaced", opened(_one_replaced)),
    Forgery("open strings from back to front", opened(lambda strings, _: strings[::-1])),
    Forgery("open strings in ASCII order", opened(lambda strings, _: sorted(
        strings, key=lambda s: s[::-1]))),
    Forgery("an open string twice", opened(lambda strings, _: [strings[0], *strings])),
    Forgery("an open string of another cube", opened(lambda strings, _: sorted(
        [*strings, "Qh4#"], key=list_order))),
    Forgery("an empty open string", opened(lambda strings, _: [*strings, ""])),
    Forgery("two spaces between open strings", opened(lambda s, _: [s[0], "", *s[1:]])),
    Forgery("a tab between open strings", opened(lambda s, _: ["\t".join(s)])),
    Forgery("open strings without their suffixes", opened(lambda strings, _: sorted_list(
        [s.rstrip("+#") for s in strings]).split())),
    *(Forgery(f"{text!r} for a line of the header", _header(at, text)) for at, text in (
        (0, ""), (0, "cubes O-O"), (0, "Cube O-O"), (0, "cube"), (1, ""), (1, "scope"), (1, "c"),
        (2, ""), (2, "opens"), (2, "open "), (2, "closed"), (2, "1 0 1 0"))),
    Forgery("a header without its cube", _lines(lambda lines, _: lines[1:])),
    Forgery("a header without its scope", _lines(lambda lines, _: [lines[0], *lines[2:]])),
    Forgery("a header without its strings", _lines(lambda lines, _: [*lines[:2], *lines[3:]])),
    Forgery("a header in another order", _lines(
        lambda lines, _: [lines[1], lines[0], *lines[2:]])),
    Forgery("a header twice", _lines(lambda lines, _: [*lines[:3], *lines])),
    Forgery("a header without a refutation", _lines(lambda lines, _: lines[:3])),
    Forgery("a line before the header", _lines(lambda lines, _: ["c by hand", *lines])),
    Forgery("a hash in the header", _lines(
        lambda lines, _: [*lines[:2], "formula 5f0c", *lines[2:]])),
    Forgery("an empty line in a certificate", _lines(
        lambda lines, r: _with_an_empty_line(lines, r.randint(1, len(lines) - 1)))),
    Forgery("an empty line before all", _text(lambda text: "\n" + text)),
    Forgery("an empty line after all", _text(lambda text: text + "\n")),
    Forgery("two empty lines after all", _text(lambda text: text + "\n\n")),
    Forgery("a line after all", _text(lambda text: text + "end\n")),
    Forgery("the last empty line cut off", _text(lambda text: text[:-1])),
    Forgery("the last two line ends cut off", _text(lambda text: text[:-2])),
    Forgery("the last clause cut off", _text(lambda text: text[: text.rindex("\n", 0, -2)])),
    Forgery("three line ends between certificates", _text(
        lambda text: text.replace("\n\n", "\n\n\n"))),
    Forgery("one line end between certificates", _text(lambda text: text.replace("\n\n", "\n"))),
    Forgery("cut in the middle", _text(lambda text: text[: len(text) // 2])),
]  # fmt: skip
