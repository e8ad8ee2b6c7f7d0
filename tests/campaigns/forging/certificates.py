"""Forged certificates: their form, what they leave open, and refutations that refute nothing."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.proofs.rules.cubes import all_cubes
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.search.refute import closing_certificate
from tests.campaigns.forging.model import (
    MAX_TRIES,
    Forgery,
    Kind,
    Scene,
    list_text,
    of_text,
    with_text,
)
from tests.campaigns.forging.parts import (
    Certificate,
    Step,
    certificates_of,
    formula_of,
    is_refutation,
    read_certificates,
    strings_of,
    without_number,
    without_open_string,
)

Change = Callable[[Certificate, Random], Certificate]


def of_all(change: Callable[[list[Certificate], Random], list[Certificate] | None]) -> Kind:
    """Change the certificates, in place or for others."""

    def changed(text: str, random: Random) -> str:
        certificates = read_certificates(text)
        other = change(certificates, random)
        return "".join(map(str, certificates if other is None else other))

    return of_text(CERTIFICATES, changed, GAMES)


def of_one(change: Change, fits: Callable[[Certificate], bool] | None = None) -> Kind:
    """Change one certificate; it may pass only if it still refutes the same formula."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        certificates = certificates_of(run)
        usual = [i for i, c in enumerate(certificates) if len(c.steps) > 2 < len(c.left_open)]
        fit = [i for i in usual if fits is None or fits(certificates[i])]
        for _ in range(MAX_TRIES):
            at = scene.random.choice(fit or usual)
            before, after = certificates[at], change(certificates[at], scene.random)
            if after != before:
                break
        else:
            raise ValueError("nothing is changed")
        certificates[at] = after
        harmless = after[:3] == before[:3] and is_refutation(after)
        text = "".join(map(str, certificates))
        items = ("",) if harmless else (before.cube,)
        return Forgery(
            with_text(run, CERTIFICATES, text), (CERTIFICATES,), items, harmless=harmless
        )

    return forge


def of_lines(change: Callable[[list[str], Random], list[str]]) -> Kind:
    """Change the lines of one certificate, its header included."""

    def changed(text: str, random: Random) -> str:
        texts = [str(certificate) for certificate in read_certificates(text)]
        at = random.randrange(len(texts))
        lines = texts[at].removesuffix("\n\n").split("\n")
        texts[at] = "\n".join(change(lines, random)) + "\n\n"
        return "".join(texts)

    return of_text(CERTIFICATES, changed)


# --- All certificates ---


def swap(part: str) -> Callable[[list[Certificate], Random], None]:
    """Exchange two certificates, or a part of them."""

    def change(found: list[Certificate], random: Random) -> None:
        a, b = random.sample(range(len(found)), 2)
        one, other = found[a], found[b]
        if not part:
            found[a], found[b] = other, one
        else:
            values = getattr(one, part), getattr(other, part)
            found[a] = one._replace(**{part: values[1]})
            found[b] = other._replace(**{part: values[0]})

    return change


def dropped(found: list[Certificate], random: Random) -> None:
    found.pop(random.randrange(len(found)))


def repeated(found: list[Certificate], random: Random) -> None:
    at = random.randrange(len(found))
    found.insert(at, found[at])


def one_for_another(found: list[Certificate], random: Random) -> None:
    a, b = random.sample(range(len(found)), 2)
    found[a] = found[b]


def renamed(found: list[Certificate], random: Random) -> None:
    """A cube's certificate under another's name, its strings renamed as well."""
    a, b = random.sample(range(len(found)), 2)
    found[b] = found[a]._replace(cube=found[b].cube, left_open=found[b].left_open)


def of_another_cube(text: str, random: Random) -> str:
    """A certificate more: a sound one, or one of no cube."""
    other = closing_certificate(all_cubes()[0], ["O-O", "O-O+", "O-O#"])
    strange = [other, "cube Nb9\nscope check\nopen\n1 0 1 0\n\n", other.replace("O-O", "o-o")]
    return random.choice(strange) + text


PARAGRAPHS: Final[dict[str, Kind]] = {
    "one missing": of_all(dropped),
    "one twice": of_all(repeated),
    "one five thousand times": of_all(lambda found, r: [*found, *[r.choice(found)] * 5000]),
    "one for another": of_all(one_for_another),
    "order": of_all(swap("")),
    "names exchanged": of_all(swap("cube")),
    "open strings exchanged": of_all(swap("left_open")),
    "refutations exchanged": of_all(swap("steps")),
    "renamed": of_all(renamed),
    "from back to front": of_all(lambda found, _: found[::-1]),
    "all twice": of_all(lambda found, _: found * 2),
    "none": of_all(lambda *_: []),
    "only the first": of_all(lambda found, _: found[:1]),
    "another cube's": of_text(CERTIFICATES, of_another_cube),
    "an empty line before all": of_text(CERTIFICATES, lambda text, _: "\n" + text),
    "an empty line after all": of_text(CERTIFICATES, lambda text, _: text + "\n"),
    "two empty lines after all": of_text(CERTIFICATES, lambda text, _: text + "\n\n"),
    "a line after all": of_text(CERTIFICATES, lambda text, _: text + "end\n"),
    "the last empty line cut off": of_text(CERTIFICATES, lambda text, _: text[:-1]),
    "the last two line ends cut off": of_text(CERTIFICATES, lambda text, _: text[:-2]),
    "the last line cut off": of_text(
        CERTIFICATES, lambda text, _: text[: text.rindex("\n", 0, -2)]
    ),
    "three line ends between": of_text(
        CERTIFICATES, lambda text, _: text.replace("\n\n", "\n\n\n")
    ),
    "one line end between": of_text(CERTIFICATES, lambda text, _: text.replace("\n\n", "\n")),
    "cut in the middle": of_text(CERTIFICATES, lambda text, _: text[: len(text) // 2]),
}


# --- The header of one ---


def opened(change: Callable[[list[str], Random], Sequence[str]]) -> Kind:
    """Change which strings a certificate leaves open, and nothing else."""
    return of_one(lambda c, random: c._replace(left_open=tuple(change(list(c.left_open), random))))


def open_string_added(scene: Scene) -> Forgery:
    """A weaker certificate that holds; what it no longer refutes is missed elsewhere."""
    run = scene.any_run()
    certificates = certificates_of(run)
    closed = {
        at: sorted({*strings_of(CUBES_BY_NAME[c.cube])} - {*c.left_open})
        for at, c in enumerate(certificates)
    }  # of castling every string is open
    at = scene.random.choice([at for at, strings in closed.items() if strings])
    cube, _, left_open, _ = certificates[at]
    strings = sorted([*left_open, scene.random.choice(closed[at])], key=list_order)
    weaker = Certificate.read(closing_certificate(CUBES_BY_NAME[cube], strings))
    assert is_refutation(weaker)
    certificates[at] = weaker
    files = with_text(run, CERTIFICATES, "".join(map(str, certificates)))
    # It is as good if the other player's games or the selection leave nothing undecided.
    return Forgery(files, (CERTIFICATES, GAMES), harmless=True)


def every_string_open(certificate: Certificate, _: Random) -> Certificate:
    """Which any refutation closes; but the hints are numbers of another formula."""
    own = strings_of(CUBES_BY_NAME[certificate.cube])
    return certificate._replace(left_open=tuple(sorted(own, key=list_order)))


def another_scope(certificate: Certificate, random: Random) -> Certificate:
    """One with another formula: of pawns, kings and castlings both scopes say the same."""
    cube, own, left_open, _ = certificate
    others = [
        scope.value
        for scope in Scope
        if formula_of(cube, scope.value, left_open) != formula_of(cube, own, left_open)
    ]
    wrong = ["exact", "CHECK", "Check", "", "geometry ", "check geometry", "GEOMETRY", "0"]
    return certificate._replace(scope=random.choice([*others, *wrong]))


def one_replaced(strings: list[str], random: Random) -> list[str]:
    strings.pop(random.randrange(len(strings)))
    other = random.choice(["e4", "Qh4#", "Kb2", "Nc3xb1", "P", "", "--", "O-O-O-O", "Q" * 200])
    return sorted([*strings, other], key=list_order)


def line_replaced(at: int, text: str) -> Kind:
    """Put another line into the header."""
    return of_lines(lambda lines, _: [*lines[:at], text, *lines[at + 1 :]])


def empty_line(lines: list[str], random: Random) -> list[str]:
    at = random.randint(1, len(lines) - 1)
    return [*lines[:at], "", *lines[at:]]


STRANGE_CUBES: Final = ("a9", "", "Pa3", "ka1", "O-O+", "a3 ", "Ka1=Q", "Kxa1\tx", "Qxh8", "Nf3")
STRANGE_LINES: Final = (
    *((0, ""), (0, "cubes O-O"), (0, "Cube O-O"), (0, "cube"), (1, ""), (1, "scope"), (1, "c")),
    *((2, ""), (2, "opens"), (2, "open "), (2, "closed"), (2, "1 0 1 0")),
)
HEADERS: Final[dict[str, Kind]] = {
    "a strange cube": of_lines(lambda x, r: [f"cube {r.choice(STRANGE_CUBES)}", *x[1:]]),
    "scope": of_one(another_scope),
    "every string open": of_one(every_string_open),
    "open string added": open_string_added,
    "open string gone": of_one(lambda c, r: without_open_string(c, r.choice(c.left_open))),
    "open string dropped": opened(lambda s, r: [x for x in s if x != r.choice(s)][: len(s) - 1]),
    "all open strings dropped": opened(lambda *_: []),
    "open string replaced": opened(one_replaced),
    "open strings' order": opened(lambda strings, _: strings[::-1]),
    "open strings in another order": opened(lambda s, _: sorted(s, key=lambda x: x[::-1])),
    "open string twice": opened(lambda strings, _: [strings[0], *strings]),
    "an empty open string": opened(lambda strings, _: [*strings, ""]),
    "two spaces between open strings": opened(lambda s, _: [s[0], "", *s[1:]]),
    "a tab between open strings": opened(lambda strings, _: ["\t".join(strings)]),
    "open strings without suffixes": opened(
        lambda strings, _: list_text(x.rstrip("+#") for x in strings).split()
    ),
    **{f"{text!r} for line {at + 1}": line_replaced(at, text) for at, text in STRANGE_LINES},
    "no cube": of_lines(lambda lines, _: lines[1:]),
    "no scope": of_lines(lambda lines, _: [lines[0], *lines[2:]]),
    "no strings": of_lines(lambda lines, _: [*lines[:2], *lines[3:]]),
    "another order": of_lines(lambda lines, _: [lines[1], lines[0], *lines[2:]]),
    "twice": of_lines(lambda lines, _: [*lines[:3], *lines]),
    "no refutation": of_lines(lambda lines, _: lines[:3]),
    "a line before": of_lines(lambda lines, _: ["c by hand", *lines]),
    "a hash": of_lines(lambda lines, _: [*lines[:2], "formula 5f0c", *lines[2:]]),
    "an empty line": of_lines(empty_line),
}


# --- The refutation: its steps ---


def steps(change: Callable[[list[Step], Random], Sequence[Any] | None]) -> Kind:
    """Change the steps of a refutation, in place or for others."""

    def changed(certificate: Certificate, random: Random) -> Certificate:
        found = list(certificate.steps)
        other = change(found, random)
        steps = found if other is None else other
        return certificate._replace(steps=tuple(Step(*step) for step in steps))

    return of_one(changed)


def broken(change: Callable[[list[Step], Random], object]) -> Kind:
    """Change steps in place until they refute nothing any more."""

    def changed(certificate: Certificate, random: Random) -> Certificate:
        found = list(certificate.steps)
        while is_refutation(certificate._replace(steps=tuple(found))):
            change(found, random)
        return certificate._replace(steps=tuple(found))

    return of_one(changed)


def one(change: Callable[[Step, Random], Step], *, literals: bool = False) -> Kind:
    """Change one step, perhaps of those that have literals: as it may be, and until it breaks."""

    def changed(found: list[Step], random: Random) -> None:
        fit = [i for i, step in enumerate(found) if step.hints and (step.literals or not literals)]
        if fit:
            at = random.choice(fit)
            found[at] = change(found[at], random)
        else:
            found.pop()

    return broken(changed)


def hint(change: Callable[[int, Step, Random], int]) -> Kind:
    """Change one hint of a step."""

    def changed(step: Step, random: Random) -> Step:
        hints = list(step.hints)
        at = random.randrange(len(hints))
        hints[at] = change(hints[at], step, random)
        return step._replace(hints=tuple(hints))

    return one(changed)


def swapped_hints(step: Step, random: Random) -> Step:
    hints = list(step.hints)
    random.shuffle(hints)
    return step._replace(hints=tuple(hints))


def without(part: str) -> Callable[[Step, Random], Step]:
    """Leave out one of the literals or hints."""

    def changed(step: Step, random: Random) -> Step:
        values = list(getattr(step, part))
        values.pop(random.randrange(len(values)))
        fields = step._asdict() | {part: tuple(values)}
        return Step(**fields)

    return changed


def negated(step: Step, random: Random) -> Step:
    gone = random.choice(step.literals)
    return step._replace(literals=tuple(-x if x == gone else x for x in step.literals))


def step_missing(found: list[Step], random: Random) -> None:
    """The steps after it have other numbers, and so have the hints to them."""
    at = random.randrange(len(found))
    gone = found.pop(at).number
    found[at:] = without_number(found[at:], gone)


def exchanged(found: list[Step], random: Random) -> None:
    at = random.randrange(len(found) - 1)
    found[at], found[at + 1] = found[at + 1], found[at]


def by_tautology(found: list[Step], random: Random) -> list[Any]:
    """A clause that always holds, and the empty clause from it."""
    first, x = found[0].number, random.randint(2, 500)
    return [(first, (x, -x), (1,)), (first + 1, (), (first,))]


def only(*lines: tuple[tuple[int, ...], tuple[int, ...]]) -> Kind:
    """Put these steps for all; in hints, 0 stands for the first of them, -1 for the second."""

    def changed(found: list[Step], _: Random) -> list[Any]:
        first = found[0].number
        return [
            (first + i, literals, tuple(h if h > 0 else first - h for h in hints))
            for i, (literals, hints) in enumerate(lines)
        ]

    return steps(changed)


def after_last(literals: tuple[int, ...]) -> Kind:
    """Add a step after the empty clause, from it."""
    return steps(lambda f, _: [*f, (f[-1].number + 1, literals, (f[-1].number,))])


def number_plus(found: list[Step], random: Random) -> None:
    at = random.randrange(len(found))
    more = random.choice((-1, 1, 10**6, -2 * found[at].number))
    found[at] = found[at]._replace(number=found[at].number + more)


STEPS: Final[dict[str, Kind]] = {
    "step missing": broken(step_missing),
    "step missing, not renumbered": broken(lambda f, r: f.pop(r.randrange(len(f)))),
    "first step missing": steps(lambda f, _: f[1:]),
    "last step missing": steps(lambda f, _: f[:-1]),
    "last step only": steps(lambda f, _: [f[-1]._replace(number=f[0].number)]),
    "none": steps(lambda *_: []),
    "a step twice": steps(lambda f, r: sorted([*f, r.choice(f)])),
    "from back to front": steps(lambda f, _: f[::-1]),
    "two steps exchanged": broken(exchanged),
    "another number": broken(number_plus),
    "numbers from one": steps(lambda f, _: [x._replace(number=i) for i, x in enumerate(f, 1)]),
    "numbers that skip one": steps(lambda f, _: [x._replace(number=x.number + 1) for x in f]),
    "a step after the empty clause": after_last((2,)),
    "the empty clause twice": after_last(()),
    "no reason": only(((), ())),
    "by itself": only(((), (0,))),
    "by each other": only(((), (-1,)), ((), (0,))),
    "by a tautology": steps(by_tautology),
    "by a fact": only(((1,), (1,)), ((), (0,))),
    "by all clauses": steps(lambda f, _: [(f[0].number, (), tuple(range(1, f[0].number)))]),
    "literal negated": one(negated, literals=True),
    "step too strong": one(without("literals"), literals=True),
    "literal added": steps(
        lambda f, r: [*f[:-1], f[-1]._replace(literals=(r.choice((2, -5, 10**9)),))]
    ),
    "literal twice": steps(lambda f, _: [x._replace(literals=x.literals * 2) for x in f]),
    "step emptied": one(lambda x, _: x._replace(literals=()), literals=True),
    "hint missing": one(without("hints")),
    "last hint missing": one(lambda x, _: x._replace(hints=x.hints[:-1])),
    "no hints": one(lambda x, _: x._replace(hints=())),
    "hints exchanged": one(swapped_hints),
    "hints from back to front": steps(lambda f, _: [x._replace(hints=x.hints[::-1]) for x in f]),
    "all hints twice": steps(lambda f, _: [x._replace(hints=x.hints * 2) for x in f]),
    "superfluous hint": steps(lambda f, r: [x._replace(
        hints=(*x.hints, r.randrange(1, x.number))) for x in f]),
    "hint replaced": hint(lambda _, x, r: r.randrange(1, x.number)),
    "hint one less": hint(lambda h, _x, _r: h - 1 or 2),
    "hint to itself": hint(lambda _h, x, _r: x.number),
    "hint to the next step": hint(lambda _h, x, _r: x.number + 1),
    "hint far off": hint(lambda _h, x, _r: x.number + 10**6),
    "a huge hint": hint(lambda *_: 10**30),
    "a hint too long to read": hint(lambda *_: 10**4000),
    "a negative hint": hint(lambda h, _x, _r: -h),
    "hint minus one": hint(lambda *_: -1),
    "zero for a hint": hint(lambda *_: 0),
}  # fmt: skip


# --- The refutation: its text ---


def of_step_text(change: Callable[[str, Random], str]) -> Kind:
    """Change the text of one step."""

    def changed(lines: list[str], random: Random) -> list[str]:
        at = random.randrange(3, len(lines))
        return [*lines[:at], change(lines[at], random), *lines[at + 1 :]]

    return of_lines(changed)


def of_number(change: Callable[[str], str]) -> Kind:
    """Change how one number of a step is written."""

    def changed(found: str, random: Random) -> str:
        numbers = found.split(" ")
        at = random.choice([i for i, n in enumerate(numbers) if n != "0"])
        return " ".join([*numbers[:at], change(numbers[at]), *numbers[at + 1 :]])

    return of_step_text(changed)


def first(text: str) -> str:
    """Return the number of a step."""
    return text.split(" ", maxsplit=1)[0]


TEXT: Final[dict[str, Kind]] = {
    "a deletion": of_step_text(lambda x, _: f"{x}\n{first(x)} d 1 0"),
    "a deletion in place of a step": of_step_text(lambda x, _: f"{first(x)} d 1 0"),
    "a resolution hint": of_step_text(lambda x, _: f"{first(x)} 5 0 -1 2 0\n{x}"),
    "a comment": of_step_text(lambda x, _: f"c here\n{x}"),
    "a header of DIMACS": of_step_text(lambda x, _: f"p cnf 9 9\n{x}"),
    "a space after": of_step_text(lambda x, _: f"{x} "),
    "a space before": of_step_text(lambda x, _: f" {x}"),
    "two spaces": of_step_text(lambda x, _: x.replace(" ", "  ", 1)),
    "a tab": of_step_text(lambda x, _: x.replace(" ", "\t", 1)),
    "a form feed for a line end": of_step_text(lambda x, _: f"{x}\f{x}"),
    "words": of_step_text(lambda *_: "it is so"),
    "a lone zero": of_step_text(lambda *_: "0"),
    "a lone number": of_step_text(lambda x, _: first(x)),
    "three zeros": of_step_text(lambda x, _: f"{first(x)} 0 0 0"),
    "very many literals": of_step_text(lambda x, _: f"{first(x)} {'-1 ' * 9000}0 1 0"),
    "a zero more": of_step_text(lambda x, _: f"{x} 0"),
    "no zero at the end": of_step_text(lambda x, _: x.removesuffix(" 0")),
    "another number at the end": of_step_text(lambda x, _: f"{x.removesuffix(' 0')} 1"),
    "no zero between": of_step_text(lambda x, _: x.replace(" 0 ", " ", 1)),
    "minus zero": of_step_text(lambda x, _: f"{x[:-1]}-0"),
    "a letter": of_number(lambda _: "x"),
    "a fraction": of_number(lambda n: f"{n}.0"),
    "hexadecimal": of_number(lambda n: f"0x{n}"),
    "an exponent": of_number(lambda n: f"{n}e0"),
    "infinity": of_number(lambda _: "inf"),
    "a minus and nothing": of_number(lambda _: "-"),
    "two minus signs": of_number(lambda n: f"--{n}"),
    "a number too long to read": of_number(lambda _: "7" * 5000),
    "a plus sign": of_number(lambda n: f"+{n.lstrip('-')}"),
    "a leading zero": of_number(lambda n: f"-0{n[1:]}" if n[0] == "-" else f"0{n}"),
    "an underscore": of_number(lambda n: f"{n[:-1]}_{n[-1]}" if len(n) > 2 else f"0_{n[-1]}"),
}
EVIDENCE: Final[dict[str, Kind]] = {
    **{f"certificates: {name}": kind for name, kind in PARAGRAPHS.items()},
    **{f"certificate: {name}": kind for name, kind in HEADERS.items()},
    **{f"refutation: {name}": kind for name, kind in STEPS.items()},
    **{f"refutation, text: {name}": kind for name, kind in TEXT.items()},
}
