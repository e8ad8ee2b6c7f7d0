"""Forged certificates and refutations.

What is no refutation any more is told by a checker of its own, the plainest that there can be.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import Clause
from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME, closing_formula, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES
from sanproof.proofs.rules.cubes import Cube, all_cubes, exchanged_san
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.search.refute import closing_certificate
from sanproof.proofs.verdicts.rulings import bare_strings, with_suffixes
from sanproof.reports.tables.names import FULL_LIST
from tests.forgeries.model import PATTERN, Files, Forgery, Kind, Scene, selected, text_of, with_text


class Step(NamedTuple):
    """A line of a refutation."""

    number: int
    literals: tuple[int, ...]
    hints: tuple[int, ...]

    @classmethod
    def read(cls, line: str) -> "Step":
        """The step on a line."""
        number, *rest = map(int, line.split(" "))
        zero = rest.index(0)
        return cls(number, tuple(rest[:zero]), tuple(rest[zero + 1 : -1]))

    def __str__(self) -> str:
        return " ".join(map(str, (self.number, *self.literals, 0, *self.hints, 0)))


class Certificate(NamedTuple):
    """A paragraph of the file of certificates, taken apart and not checked."""

    cube: str
    scope: str
    left_open: tuple[str, ...]
    steps: tuple[Step, ...]

    @classmethod
    def read(cls, paragraph: str) -> "Certificate":
        """The certificate of a paragraph."""
        cube, scope, left_open, *lines = paragraph.removesuffix("\n\n").split("\n")
        strings = left_open.split(" ")[1:]
        steps = map(Step.read, lines)
        return cls(cube.split(" ")[1], scope.split(" ")[1], tuple(strings), tuple(steps))

    def __str__(self) -> str:
        header = [f"cube {self.cube}", f"scope {self.scope}", " ".join(["open", *self.left_open])]
        return "\n".join([*header, *map(str, self.steps)]) + "\n\n"


@cache
def formula_of(cube: str, scope: str, left_open: tuple[str, ...]) -> tuple[Clause, ...]:
    """The formula that a certificate refutes."""
    return tuple(closing_formula(CUBES_BY_NAME[cube], Scope(scope), left_open).clauses)


def is_refutation(certificate: Certificate) -> bool:
    """Whether each step follows by its hints, and the last one is empty: by the definition."""
    cube, scope, left_open, steps = certificate
    known = dict(enumerate(map(set, formula_of(cube, scope, left_open)), 1))
    for number, literals, hints in steps:
        if number != len(known) + 1 or not all(hint in known for hint in hints):
            return False
        true = {-literal for literal in literals}
        for hint in hints:
            possible = [x for x in known[hint] if -x not in true]
            if len(possible) > 1:
                return False
            if not possible:
                break
            true.add(possible[0])
        else:
            return False
        known[number] = set(literals)
    return bool(steps) and not steps[-1].literals


def certificates_of(files: Files) -> list[Certificate]:
    """The certificates of a run."""
    return list(map(Certificate.read, split_certificates(text_of(files, CERTIFICATES))))


def with_certificates(files: Files, certificates: Iterable[Certificate | str]) -> Files:
    """A run with other certificates."""
    return with_text(files, CERTIFICATES, "".join(map(str, certificates)))


def of_paragraphs(change: Callable[[list[Certificate], Random], str]) -> Kind:
    """A change of a run's certificates, which returns the cube that it is about."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        certificates = certificates_of(run)
        item = change(certificates, scene.random)
        return Forgery(with_certificates(run, certificates), (CERTIFICATES,), (item,))

    return forge


def one_missing(certificates: list[Certificate], random: Random) -> str:
    certificates.pop(random.randrange(len(certificates)))
    return "not one certificate for each cube"


def one_twice(certificates: list[Certificate], random: Random) -> str:
    at = random.randrange(len(certificates))
    certificates.insert(at, certificates[at])
    return ""


def many_times(certificates: list[Certificate], random: Random) -> str:
    certificates += [random.choice(certificates)] * 5000
    return ""


def one_for_another(certificates: list[Certificate], random: Random) -> str:
    a, b = random.sample(range(len(certificates)), 2)
    certificates[a] = certificates[b]
    return "not one certificate for each cube"


def exchanged(certificates: list[Certificate], random: Random) -> str:
    a, b = random.sample(range(len(certificates)), 2)
    certificates[a], certificates[b] = certificates[b], certificates[a]
    return "not one certificate for each cube"


def names_exchanged(certificates: list[Certificate], random: Random) -> str:
    """Each under the other's name."""
    a, b = sorted(random.sample(range(len(certificates)), 2))
    names = certificates[a].cube, certificates[b].cube
    certificates[a] = certificates[a]._replace(cube=names[1])
    certificates[b] = certificates[b]._replace(cube=names[0])
    return ""


def refutations_exchanged(certificates: list[Certificate], random: Random) -> str:
    a, b = random.sample(range(len(certificates)), 2)
    one, other = certificates[a], certificates[b]
    certificates[a] = one._replace(steps=other.steps)
    certificates[b] = other._replace(steps=one.steps)
    return ""


def of_another_cube(scene: Scene) -> Forgery:
    """A sound certificate of a cube that the run does not need, and one that is no cube's."""
    run = scene.any_run()
    certificates: list[Certificate | str] = list(certificates_of(run))
    other = closing_certificate(all_cubes()[0], ["O-O", "O-O+", "O-O#"])
    strange = [other, "cube Nb9\nscope check\nopen\n1 0 1 0\n\n", other.replace("O-O", "o-o")]
    certificates.insert(0, scene.random.choice(strange))
    return Forgery(with_certificates(run, certificates), (CERTIFICATES,))


Change = Callable[[Certificate, Random], Certificate]


def of_one(change: Change) -> Kind:
    """A change of one certificate, after which it is none of its cube."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        certificates: list[Certificate | str] = list(certificates_of(run))
        fit = [i for i, c in enumerate(certificates_of(run)) if len(c.steps) > 2 < len(c.left_open)]
        at = scene.random.choice(fit)
        before = certificates_of(run)[at]
        certificates[at] = change(before, scene.random)
        return Forgery(with_certificates(run, certificates), (CERTIFICATES,), (before.cube,))

    return forge


def open_string_gone(certificate: Certificate, random: Random) -> Certificate:
    return without_open_string(certificate, random.choice(certificate.left_open))


def without_open_string(certificate: Certificate, gone: str) -> Certificate:
    """Its clause is gone from the formula, and all numbers after it are made to fit."""
    left_open = tuple(san for san in certificate.left_open if san != gone)
    before = certificate.steps[0].number - len(certificate.left_open)
    number = before + certificate.left_open.index(gone)
    steps = without_number(certificate.steps, number)
    return certificate._replace(left_open=left_open, steps=steps)


def without_number(steps: Iterable[Step], gone: int) -> tuple[Step, ...]:
    """The steps after one clause less: numbers move up, and hints to it are left out."""
    return tuple(
        Step(number - 1, literals, tuple(hint - (hint > gone) for hint in hints if hint != gone))
        for number, literals, hints in steps
    )


def open_strings_exchanged(certificate: Certificate, random: Random) -> Certificate:
    a, b = random.sample(range(len(certificate.left_open)), 2)
    left_open = list(certificate.left_open)
    left_open[a], left_open[b] = left_open[b], left_open[a]
    return certificate._replace(left_open=tuple(left_open))


def open_string_twice(certificate: Certificate, random: Random) -> Certificate:
    more = [*certificate.left_open, random.choice(certificate.left_open)]
    return certificate._replace(left_open=tuple(sorted(more, key=list_order)))


def open_string_of_another_cube(certificate: Certificate, random: Random) -> Certificate:
    strange = random.choice(("Qxb5", "O-O", "", "e9", "Q" * 200))
    more = sorted([*certificate.left_open, strange], key=list_order)
    return certificate._replace(left_open=tuple(more))


def every_string_open(certificate: Certificate, _: Random) -> Certificate:
    """Which any refutation closes; but the hints are numbers of another formula."""
    own = strings_of(CUBES_BY_NAME[certificate.cube])
    return certificate._replace(left_open=tuple(sorted(own, key=list_order)))


def strings_of(cube: Cube) -> list[str]:
    """Every string of a cube."""
    return [str(san) for bare in bare_strings(cube) for san in with_suffixes(bare)]


def another_scope(certificate: Certificate, random: Random) -> Certificate:
    """One with another formula: of pawns, kings and castlings both scopes say the same."""
    cube, own, left_open, _ = certificate
    others = [
        scope.value
        for scope in Scope
        if formula_of(cube, scope.value, left_open) != formula_of(cube, own, left_open)
    ]
    return certificate._replace(scope=random.choice([*others, "exact", "", "GEOMETRY"]))


def another_header(certificate: Certificate, random: Random) -> str:
    """Lines that say more, less or the same otherwise."""
    text = str(certificate)
    lines = text.split("\n")
    texts = [
        text.replace("cube ", "cube  ", 1),
        text.replace("cube ", "Cube ", 1),
        text.replace("open", "open ", 1),
        "\n".join([lines[1], lines[0], *lines[2:]]),
        "\n".join(lines[1:]),
        "\n".join([lines[0], *lines[2:]]),
        "\n".join([*lines[:3], "c a comment", *lines[3:]]),
        text.replace("\n", "\n\n", 1),
    ]
    return random.choice(texts)


def header_changed(scene: Scene) -> Forgery:
    run = scene.any_run()
    certificates: list[Certificate | str] = list(certificates_of(run))
    at = scene.random.randrange(len(certificates))
    certificates[at] = another_header(certificates_of(run)[at], scene.random)
    return Forgery(with_certificates(run, certificates), (CERTIFICATES,))


def open_string_added(scene: Scene) -> Forgery:
    """A weaker certificate that holds; what it no longer refutes is missed elsewhere."""
    certificates: list[Certificate | str] = list(certificates_of(scene.run))
    at = scene.random.randrange(len(certificates))
    certificate = certificates_of(scene.run)[at]
    cube = CUBES_BY_NAME[certificate.cube]
    wanted = selected(PATTERN).selected or (lambda _: True)
    listed = text_of(scene.run, FULL_LIST).split("\n")
    own = {san: str(exchanged_san(parse_san(san))) for san in strings_of(cube) if wanted(san)}
    san = scene.random.choice([san for san in own if not {san, own[san]}.intersection(listed)])
    left_open = sorted([*certificate.left_open, san], key=list_order)
    certificates[at] = closing_certificate(cube, left_open)
    assert is_refutation(Certificate.read(str(certificates[at])))
    files = with_certificates(scene.run, certificates)
    return Forgery(files, (CERTIFICATES,), (san, own[san]))  # for either player


def broken(change: Callable[[list[Step], Random], object]) -> Kind:
    """Changes of a refutation's steps, until they refute nothing any more."""

    def changed(certificate: Certificate, random: Random) -> Certificate:
        steps = list(certificate.steps)
        while is_refutation(certificate._replace(steps=tuple(steps))):
            change(steps, random)
        return certificate._replace(steps=tuple(steps))

    return of_one(changed)


def some_step(steps: Sequence[Step], random: Random) -> int:
    return random.randrange(len(steps))


def last_step_missing(steps: list[Step], _: Random) -> None:
    del steps[-1]


def last_step_only(steps: list[Step], _: Random) -> None:
    first = steps[0].number
    steps[:] = [steps[-1]._replace(number=first)]


def no_steps(steps: list[Step], _: Random) -> None:
    steps.clear()


def step_missing(steps: list[Step], random: Random) -> None:
    """The steps after it have other numbers, and so have the hints to them."""
    at = some_step(steps, random)
    gone = steps.pop(at).number
    steps[at:] = without_number(steps[at:], gone)


def step_too_strong(steps: list[Step], random: Random) -> None:
    at = random.choice([i for i, step in enumerate(steps) if step.literals] or [0])
    steps[at] = steps[at]._replace(literals=steps[at].literals[1:])


def literal_negated(steps: list[Step], random: Random) -> None:
    at = random.choice([i for i, step in enumerate(steps) if step.literals])
    first, *rest = steps[at].literals
    steps[at] = steps[at]._replace(literals=(-first, *rest))


def literal_of_nothing(steps: list[Step], random: Random) -> None:
    """A variable that the formula does not have is no literal of an empty clause."""
    steps[-1] = steps[-1]._replace(literals=(random.choice((10**6, -(10**6), 10**30)),))


def hint_missing(steps: list[Step], random: Random) -> None:
    at = some_step(steps, random)
    hints = list(steps[at].hints)
    del hints[random.randrange(len(hints)) : random.randrange(len(hints)) + 1]
    steps[at] = steps[at]._replace(hints=tuple(hints))


def hints_exchanged(steps: list[Step], random: Random) -> None:
    a, b = some_step(steps, random), some_step(steps, random)
    one, other = steps[a].hints, steps[b].hints
    steps[a], steps[b] = steps[a]._replace(hints=other), steps[b]._replace(hints=one)


def hint_to_itself(steps: list[Step], random: Random) -> None:
    """Each clause follows from itself, and from those that come after it."""
    at = some_step(steps, random)
    step = steps[at]
    later = random.choice((step.number, steps[-1].number, step.number + 10**6, 0, -1, 10**30))
    steps[at] = step._replace(hints=(later, *step.hints))


def another_number(steps: list[Step], random: Random) -> None:
    at = some_step(steps, random)
    steps[at] = steps[at]._replace(number=steps[at].number + random.choice((-1, 1, 10**6)))


def line_changed(scene: Scene) -> Forgery:
    """A line of a refutation that LRAT knows and the kernel does not, or that nobody knows."""
    run = scene.any_run()
    certificates: list[Certificate | str] = list(certificates_of(run))
    at = scene.random.randrange(len(certificates))
    certificate = certificates_of(run)[at]
    *lines, last, end, end_too = str(certificate).split("\n")
    number = last.split(" ", 1)[0]
    strange = [
        f"{number} d 1 2 3 0",
        f"{number} 5 0 -1 2 0",
        f"{number} 0 0 0",
        f"{number} 0",
        f"{number}",
        "0",
        "c a comment",
        last.replace(" 0 ", "  0 ", 1),
        last + " ",
        last.replace("1", "1_", 1),
        last[:-1],
        "9" * 5000,
        f"{number} {'-1 ' * 9000}0 1 0",
    ]
    lines.insert(scene.random.randrange(3, len(lines) + 1), scene.random.choice(strange))
    certificates[at] = "\n".join([*lines, last, end, end_too])
    files = with_certificates(run, certificates)
    return Forgery(files, (CERTIFICATES,), (certificate.cube,))


KINDS: Final[dict[str, Kind]] = {
    "certificates: one missing": of_paragraphs(one_missing),
    "certificates: one twice": of_paragraphs(one_twice),
    "certificates: one five thousand times": of_paragraphs(many_times),
    "certificates: one for another": of_paragraphs(one_for_another),
    "certificates: order": of_paragraphs(exchanged),
    "certificates: names exchanged": of_paragraphs(names_exchanged),
    "certificates: refutations exchanged": of_paragraphs(refutations_exchanged),
    "certificates: another cube's": of_another_cube,
    "certificate: header": header_changed,
    "certificate: open string added": open_string_added,
    "certificate: open string gone": of_one(open_string_gone),
    "certificate: open string twice": of_one(open_string_twice),
    "certificate: open strings' order": of_one(open_strings_exchanged),
    "certificate: another cube's string": of_one(open_string_of_another_cube),
    "certificate: every string open": of_one(every_string_open),
    "certificate: scope": of_one(another_scope),
    "refutation: last step missing": broken(last_step_missing),
    "refutation: last step only": broken(last_step_only),
    "refutation: none": broken(no_steps),
    "refutation: step missing": broken(step_missing),
    "refutation: step too strong": broken(step_too_strong),
    "refutation: literal negated": broken(literal_negated),
    "refutation: literal of nothing": broken(literal_of_nothing),
    "refutation: hint missing": broken(hint_missing),
    "refutation: hints exchanged": broken(hints_exchanged),
    "refutation: hint to itself": broken(hint_to_itself),
    "refutation: another number": broken(another_number),
    "refutation: a strange line": line_changed,
}
