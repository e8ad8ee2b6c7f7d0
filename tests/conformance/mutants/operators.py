"""Mutation operators: every small wrong change to the functions and tables of :mod:`tests.oracle`.

A condition is turned around, dropped (always true, always false), and narrowed: made false, or
true, in one situation (a kind of man, a line, a colour, a side, a purpose, a capture, a check) or
in two at once. A statement is left out, always or in such situations. An entry of a table is left
out, or another one stands in its place. A number is one more or one less, a text is another.
"""

import ast
import copy
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any, Final, NamedTuple

from tests import oracle

ATOMS: Final = {
    "kind": tuple(f"kind == {kind!r}" for kind in "PNBRQK"),
    "colour": ("colour == 'w'", "colour == 'b'"),
    "line": tuple(f"line == {line!r}" for line in ("file", "rank", "diagonal", "leap", "none")),
    "side": ("side == 'K'", "side == 'Q'"),
    "purpose": tuple(
        f"purpose == {purpose!r}"
        for purpose in ("out", "through", "into", "king", "others", "sign")
    ),
    "captures": ("captures", "not captures"),
    "in_check": ("in_check", "not in_check"),
    "along": ("along",),
    "reading": tuple(f"reading == {name!r}" for name in ("moving", "twin", "reply")),
    "material": ("material == 'few'", "material == 'late'"),
}
"""For a name in scope, the situations that it tells apart."""
PAIRS: Final = (
    ("kind", "line"),
    ("kind", "purpose"),
    ("line", "purpose"),
    ("kind", "side"),
    ("colour", "side"),
)
"""Which situations are combined, in the functions that say who attacks what and how."""
PAIRED: Final = {"attacked", "is_legal", "gives_check", "replies", "castlings", "pawn_captures"}
NEVER: Final = {
    (f"kind == {kind!r}", f"line == {line!r}")
    for kind, lines in {
        "P": ("file", "rank", "leap"),
        "N": ("file", "rank", "diagonal"),
        "B": ("file", "rank", "leap"),
        "R": ("diagonal", "leap"),
        "Q": ("leap",),
        "K": ("leap",),
    }.items()
    for line in (*lines, "none")
}
"""Kinds of men do not attack on these lines, so there is nothing to narrow."""
LABELS: Final = {"moving", "twin", "reply", "out", "through", "into", "king", "others", "sign"}
"""Texts that only say why a question is asked."""
UNTOUCHED: Final = {"position_of", "fen_of", "square_of", "uci_of", "move_of", "in_check", "is_few"}
"""What only carries questions and answers, or tells situations apart."""
CONTEXT: Final = set(ATOMS)
"""Names that are assigned to tell situations apart: leaving out such a statement is no mutant."""


class Mutant(NamedTuple):
    """One change: in which function or table, at which site of it, by which operator, to what."""

    place: str
    site: int
    operator: str
    change: str

    @property
    def name(self) -> str:
        """The name of the mutant."""
        return f"{self.place}:{self.site}:{self.operator}:{self.change}"


def situations(place: str, names: set[str]) -> Iterator[tuple[str, str]]:
    """The situations that names in scope tell apart, with the operator's name: one, then two."""
    for name, atoms in ATOMS.items():
        if name in names:
            yield from ((name, atom) for atom in atoms)
    for one, other in PAIRS if place in PAIRED else ():
        if {one, other} <= names:
            for first, second in product(ATOMS[one], ATOMS[other]):
                if place != "attacked" or (first, second) not in NEVER:
                    yield f"{one}+{other}", f"{first} and {second}"


class Site(NamedTuple):
    """A place of a function that can be changed: the node, and the expressions in its stead.

    Of a statement they say when it is left out; ``variants`` are (operator, source) pairs. The
    context has the names in scope on which they depend.
    """

    number: int
    node: ast.AST
    is_statement: bool
    context: tuple[str, ...]
    variants: tuple[tuple[str, str], ...]


@cache
def functions() -> dict[str, ast.FunctionDef]:
    """The functions of the plain implementation that are mutated, by name."""
    tree = ast.parse(inspect.getsource(oracle))
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.name not in UNTOUCHED
        and not node.name.startswith("_")
    }


def sites(function: ast.FunctionDef) -> list[Site]:
    """The sites of a function, in the order of :func:`ast.walk`.

    In a change, ``_`` stands for the condition that is changed.
    """
    found = []
    scopes = dict(_scopes(function.body, {arg.arg for arg in function.args.args}))
    conditions = {id(node) for node in _conditions(function)}
    aside = _aside(function)
    words = {id(node) for node in _words(function)}
    for number, node in enumerate(ast.walk(function)):
        names = scopes.get(id(node), set())
        if id(node) in aside:
            continue
        variants: list[tuple[str, str]] = []
        if id(node) in conditions:
            variants = [("negate", "not _"), ("drop", "True"), ("drop", "False")]
            for operator, atom in situations(function.name, names):
                variants.append((operator, f"_ and not ({atom})"))
                variants.append((operator, f"_ or ({atom})"))
        elif isinstance(node, ast.Constant) and id(node) not in words:
            variants = [("constant", other) for other in _others(node.value)]
        elif _can_be_left_out(node):
            variants = [("leave out", "True"), *situations(function.name, names)]
        if variants:
            context = tuple(name for name in ATOMS if name in names)
            found.append(Site(number, node, _can_be_left_out(node), context, tuple(variants)))
    return found


@cache
def _sources() -> dict[tuple[str, int], str]:
    return {
        (name, site.number): ast.unparse(site.node)
        for name, function in functions().items()
        for site in sites(function)
    }


def source_of(mutant: Mutant) -> str:
    """The code that a mutant changes; of a table its name."""
    return _sources().get((mutant.place, mutant.site), mutant.place)


def _aside(function: ast.FunctionDef) -> set[int]:
    """The nodes of assignments to names that are never used: they only tell situations apart."""
    used = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    return {
        id(node)
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id not in used
        for node in ast.walk(statement)
    }


def _scopes(body: list[ast.stmt], names: set[str]) -> Iterator[tuple[int, set[str]]]:
    """For each node the names that are bound for certain when it is reached."""
    known = set(names)
    for statement in body:
        inner = set(known)
        if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
            inner.add(statement.target.id)
        blocks = [getattr(statement, part, []) for part in ("body", "orelse")]
        if isinstance(statement, ast.If | ast.For):
            heads: list[ast.AST] = [getattr(statement, "test", None) or statement.iter]  # type: ignore[union-attr]
            yield id(statement), set(known)
        else:
            heads, blocks = [statement], []
        for head in heads:
            yield from [(id(node), set(known)) for node in ast.walk(head)]
        for block in blocks:
            yield from _scopes(block, inner)
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                for node in ast.walk(target):
                    if isinstance(node, ast.Name):
                        known.add(node.id)


def _conditions(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp):
            yield node.test
        elif isinstance(node, ast.BoolOp):
            yield from node.values
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.GeneratorExp) and isinstance(node.elt, ast.Compare):
            yield node.elt
        elif (
            isinstance(node, ast.Return)
            and isinstance(node.value, ast.UnaryOp | ast.Call)
            and _is_truth(function)
        ):
            yield node.value


def _is_truth(function: ast.FunctionDef) -> bool:
    return isinstance(function.returns, ast.Name) and function.returns.id == "bool"


def _can_be_left_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return True
        return isinstance(target, ast.Name) and isinstance(node.value, ast.BinOp | ast.Constant)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Break | ast.Continue)


def _words(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The constants that say something to people, or tell situations apart."""
    for node in ast.walk(function):
        if isinstance(node, ast.Expr | ast.Raise):
            yield from ast.walk(node) if isinstance(node, ast.Raise) else [node.value]
        elif isinstance(node, ast.Constant) and node.value in LABELS:
            yield node


def _others(value: object) -> Iterator[str]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield repr(value + 1)
        yield repr(value - 1)
    elif isinstance(value, str) and value:
        yield repr("" if len(value) > 1 else "?")


def mutants() -> list[Mutant]:
    """All mutants, in the order of the code."""
    found = [
        Mutant(name, site.number, operator, change)
        for name, function in functions().items()
        for site in sites(function)
        for operator, change in site.variants
    ]
    return found + [mutant for mutant, _ in tables()]


def tables() -> Iterator[tuple[Mutant, Any]]:
    """The mutants of tables, with the table of each."""
    yield from _tables_of_lists()
    for name in ("REACH", "PAWNS", "LAST", "CROSSED", "GOALS"):
        for key, number in getattr(oracle, name).items():
            for other in (number + 1, number - 1):
                yield _table(name, key, 0, str(other), other)
    for name in ("PROMOTIONS", "LETTERS"):
        entries = getattr(oracle, name)
        for index, letter in enumerate(entries):
            left = entries[:index] + entries[index + 1 :]
            yield Mutant(name, index, "table", f"without {letter}"), left
    for index, letter in enumerate("KPq"):
        yield (
            Mutant("PROMOTIONS", 4 + index, "table", f"and {letter}"),
            [*oracle.PROMOTIONS, letter],
        )


def _tables_of_lists() -> Iterator[tuple[Mutant, Any]]:
    for name in ("MOVES", "CAPTURES", "ATTACKS", "BETWEEN", "ENDED"):
        for key, entries in getattr(oracle, name).items():
            for index, entry in enumerate(entries):
                left = entries[:index] + entries[index + 1 :]
                yield _table(name, key, index, f"without {entry}", left)
            if name in {"MOVES", "CAPTURES", "ATTACKS"}:
                for step in oracle.STEPS:
                    if step not in entries:
                        more = [*entries, step]
                        yield _table(name, key, len(entries), f"and {step}", more)


@cache
def _tables() -> dict[Mutant, Any]:
    return dict(tables())


def _table(name: str, key: object, index: int, change: str, value: object) -> tuple[Mutant, Any]:
    changed = copy.copy(getattr(oracle, name))
    changed[key] = value
    return Mutant(name, index, "table", f"{key}: {change}"), changed


class _Replaces(ast.NodeTransformer):
    """Puts another expression in a site's place, or a statement under a condition."""

    def __init__(self, node: ast.AST, make: Callable[[ast.AST], ast.AST]) -> None:
        self.node, self.make = node, make

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.node:
            return ast.copy_location(self.make(node), node)
        changed: ast.AST = super().visit(node)
        return changed


def _left_out(when: str, node: ast.AST) -> ast.AST:
    test = ast.parse(f"not ({when})", mode="eval").body
    return ast.If(test=test, body=[node], orelse=[])  # type: ignore[list-item]


class _Fills(ast.NodeTransformer):
    def __init__(self, node: ast.AST) -> None:
        self.node = node

    def visit_Name(self, name: ast.Name) -> ast.AST:
        return self.node if name.id == "_" else name


def _filled(change: str, node: ast.AST) -> ast.AST:
    """A change's expression with the node for its blank."""
    filled: ast.AST = _Fills(node).visit(ast.parse(change, mode="eval").body)
    return filled


class Mutated:
    """The plain implementation with one mutant in it, while the context lasts."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        if mutant.operator == "table":
            self.value = _tables()[mutant]
            return
        function = copy.deepcopy(functions()[mutant.place])
        node = list(ast.walk(function))[mutant.site]
        if _can_be_left_out(node):
            change = _Replaces(node, lambda node: _left_out(mutant.change, node))
        else:
            change = _Replaces(node, lambda node: _filled(mutant.change, node))
        self.value = compiled(ast.fix_missing_locations(change.visit(function)))

    def __enter__(self) -> ModuleType:
        self.old = getattr(oracle, self.mutant.place)
        setattr(oracle, self.mutant.place, self.value)
        return oracle

    def __exit__(self, *_: object) -> None:
        setattr(oracle, self.mutant.place, self.old)


def compiled(function: ast.AST) -> Callable[..., Any]:
    """The function of a definition, in the plain implementation's names."""
    assert isinstance(function, ast.FunctionDef)
    tree = ast.Module(body=[function], type_ignores=[])
    names: dict[str, Any] = {}
    exec(compile(tree, "mutant", "exec"), vars(oracle), names)
    made: Callable[..., Any] = names[function.name]
    return made
