"""Mutation operators: every small wrong change to the functions and tables of :mod:`tests.oracle`.

A condition is turned around, dropped (always true, always false), and narrowed: made false, or
true, in one situation (a kind of piece, a line, a colour, a side, a purpose, a capture, a check) or
in two at once. A statement is left out, always or in such situations. An entry of a table is left
out, or another one stands in its place. A number is one more or one less, a text is another.

A function is compiled once, so that each of its sites asks ``_at`` for its value: a mutant answers
otherwise at one site, a probe notes what the values were.
"""

import ast
import copy
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from itertools import product
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
"""The situations that are combined, in the functions that say who attacks what and how."""
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
"""Such kinds do not attack on these lines, so there is nothing to narrow."""
LABELS: Final = {"moving", "twin", "reply", "out", "through", "into", "king", "others", "sign"}
"""Texts that only say why a question is asked."""
UNTOUCHED: Final = {"position_of", "fen_of", "square_of", "uci_of", "move_of", "in_check", "is_few"}
"""The functions that only carry questions and answers, or tell situations apart."""


class Mutant(NamedTuple):
    """One change: in which function or table, at which site of it, by which operator, to what."""

    place: str
    site: int
    operator: str
    change: str


class Site(NamedTuple):
    """A place of a function that can be changed: the node, and the expressions in its stead.

    In them ``_`` stands for the value that is changed. Of a statement they say when it is left
    out; ``variants`` are (operator, source) pairs. The context has the names in scope on which
    they depend.
    """

    number: int
    node: ast.AST
    is_statement: bool
    context: tuple[str, ...]
    variants: tuple[tuple[str, str], ...]

    def changed(self, change: str) -> Callable[..., Any]:
        """Return what a change makes of the value and the context; of a statement, whether."""
        made = f"not ({change})" if self.is_statement else change
        function: Callable[..., Any] = eval(f"lambda _, {', '.join(self.context)}: {made}")
        return function


@cache
def functions() -> dict[str, ast.FunctionDef]:
    """Return the functions of the oracle that are mutated, by name."""
    tree = ast.parse(inspect.getsource(oracle))
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and node.name not in UNTOUCHED
        and not node.name.startswith("_")
    }


@cache
def sites() -> dict[tuple[str, int], Site]:
    """Return all sites of functions, in the order of the code and of :func:`ast.walk`."""
    return {
        (name, site.number): site
        for name, function in functions().items()
        for site in _sites(function)
    }


@cache
def mutants() -> list[Mutant]:
    """Return all mutants, in the order of the code; then those of tables."""
    found = [
        Mutant(place, site.number, operator, change)
        for (place, _), site in sites().items()
        for operator, change in site.variants
    ]
    return [*found, *_tables()]


def mutated(mutant: Mutant) -> AbstractContextManager[None]:
    """Have the oracle be a mutant while the context lasts."""
    if mutant.operator == "table":
        return _with({mutant.place: _tables()[mutant]})
    change = sites()[mutant.place, mutant.site].changed(mutant.change)

    def at(_: str, number: int, value: object, *context: object) -> object:
        return change(value, *context) if number == mutant.site else value

    return _with({mutant.place: _hooked()[mutant.place]}, at)


def probed(note: Callable[[str, int, bool, tuple[Any, ...]], None]) -> AbstractContextManager[None]:
    """Have the oracle note, at each site, the value and its context while the context lasts."""

    def at(place: str, number: int, value: object, *context: object) -> object:
        note(place, number, bool(value), context)
        return value

    return _with(_hooked(), at)


@contextmanager
def _with(parts: Mapping[str, object], at: Callable[..., object] | None = None) -> Iterator[None]:
    old = {name: getattr(oracle, name) for name in parts}
    vars(oracle).update(parts, _at=at)
    try:
        yield
    finally:
        vars(oracle).update(old)
        del vars(oracle)["_at"]


@cache
def _hooked() -> dict[str, object]:
    """Return the functions of the oracle, compiled so that each site asks ``_at``."""
    found: dict[str, object] = {}
    for original in functions().values():
        function = copy.deepcopy(original)
        tree = ast.Module(body=[_Hooks(function).visit(function)], type_ignores=[])
        exec(compile(ast.fix_missing_locations(tree), "mutant", "exec"), vars(oracle), found)
    return found


class _Hooks(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef) -> None:
        self.place = function.name
        self.sites = {id(site.node): site for site in _sites(function)}

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401 - a node of its own sort
        site = self.sites.get(id(node))
        changed: Any = super().generic_visit(node)
        if site is None:
            return changed
        call = ast.parse(f"_at({self.place!r}, {site.number}, True, {', '.join(site.context)})")
        asked: ast.Call = call.body[0].value  # type: ignore[attr-defined]
        if isinstance(changed, ast.stmt):
            return ast.If(test=asked, body=[changed], orelse=[])
        asked.args[2] = changed
        return asked


# Sites of functions


def _sites(function: ast.FunctionDef) -> Iterator[Site]:
    bound = dict(_scopes(function.body, {arg.arg for arg in function.args.args}))
    conditions = set(map(id, _conditions(function)))
    aside = set(map(id, _aside(function)))
    for number, node in enumerate(ast.walk(function)):
        names = bound.get(id(node), set())
        situations = list(_situations(function.name, names))
        variants: list[tuple[str, str]] = []
        if id(node) in aside:
            continue
        if id(node) in conditions:
            variants = [("negate", "not _"), ("drop", "True"), ("drop", "False")]
            for operator, atom in situations:
                variants += [(operator, f"_ and not ({atom})"), (operator, f"_ or ({atom})")]
        elif isinstance(node, ast.Constant):
            variants = [("constant", other) for other in _others(node.value)]
        elif _can_be_left_out(node):
            variants = [("leave out", "True"), *situations]
        if variants:
            context = tuple(name for name in ATOMS if name in names)
            yield Site(number, node, isinstance(node, ast.stmt), context, tuple(variants))


def _situations(place: str, names: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the situations that names in scope tell apart, with the operator: one, then two."""
    for name, atoms in ATOMS.items():
        if name in names:
            yield from ((name, atom) for atom in atoms)
    for one, other in PAIRS if place in PAIRED else ():
        if {one, other} <= names:
            for first, second in product(ATOMS[one], ATOMS[other]):
                if place != "attacked" or (first, second) not in NEVER:
                    yield f"{one}+{other}", f"{first} and {second}"


def _aside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield what says something to people, or only tells situations apart."""
    nodes = list(ast.walk(function))
    used = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for node in nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        is_unused = isinstance(target, ast.Name) and target.id not in used
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_unused or is_docstring or isinstance(node, ast.Raise):
            yield from ast.walk(node)
        elif isinstance(node, ast.Constant) and node.value in LABELS:
            yield node


def _scopes(body: list[ast.stmt], names: set[str]) -> Iterator[tuple[int, set[str]]]:
    """Yield for each node the names that are bound for certain when it is reached."""
    known = set(names)
    for statement in body:
        inner = set(known)
        if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
            inner.add(statement.target.id)
        head: ast.AST = statement
        if isinstance(statement, ast.If | ast.For):
            head = statement.test if isinstance(statement, ast.If) else statement.iter
            yield id(statement), set(known)
            for block in (statement.body, statement.orelse):
                yield from _scopes(block, inner)
        yield from [(id(node), set(known)) for node in ast.walk(head)]
        if isinstance(statement, ast.Assign):
            found = (node for target in statement.targets for node in ast.walk(target))
            known |= {node.id for node in found if isinstance(node, ast.Name)}


def _conditions(function: ast.FunctionDef) -> Iterator[ast.expr]:
    returns = function.returns
    is_truth = isinstance(returns, ast.Name) and returns.id == "bool"
    for node in ast.walk(function):
        value = node.value if is_truth and isinstance(node, ast.Return) else None
        if isinstance(node, ast.If | ast.IfExp):
            yield node.test
        elif isinstance(node, ast.BoolOp):
            yield from node.values
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.GeneratorExp) and isinstance(node.elt, ast.Compare):
            yield node.elt
        elif isinstance(value, ast.UnaryOp | ast.Call):
            yield value


def _can_be_left_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return True
        return isinstance(target, ast.Name) and isinstance(node.value, ast.BinOp | ast.Constant)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Break | ast.Continue)


def _others(value: object) -> Iterator[str]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield repr(value + 1)
        yield repr(value - 1)
    elif isinstance(value, str) and value:
        yield repr("" if len(value) > 1 else "?")


# Tables


@cache
def _tables() -> dict[Mutant, object]:
    """Return the mutants of tables, with the table of each."""
    found: dict[Mutant, object] = {}
    for name in TABLES:
        table = getattr(oracle, name)
        for key, value in table.items():
            for index, change, other in _changes(name, value):
                mutant = Mutant(name, index, "table", f"{key}: {change}")
                found[mutant] = {**table, key: other}
    for name in ("PROMOTIONS", "LETTERS"):
        for index, change, other in _changes(name, getattr(oracle, name)):
            found[Mutant(name, index, "table", change)] = other
    for index, letter in enumerate("KPq"):
        more = [*oracle.PROMOTIONS, letter]
        found[Mutant("PROMOTIONS", 4 + index, "table", f"and {letter}")] = more
    return found


TABLES: Final = (
    *("MOVES", "CAPTURES", "ATTACKS", "BETWEEN", "ENDED"),
    *("REACH", "PAWNS", "LAST", "CROSSED", "GOALS"),
)


def _changes(name: str, value: int | list[Any]) -> Iterator[tuple[int, str, object]]:
    """Yield another number; a list with an entry left out, or another step added."""
    if isinstance(value, int):
        yield from ((0, str(other), other) for other in (value + 1, value - 1))
        return
    for index, entry in enumerate(value):
        yield index, f"without {entry}", value[:index] + value[index + 1 :]
    for step in oracle.STEPS if name in {"MOVES", "CAPTURES", "ATTACKS"} else ():
        if step not in value:
            yield len(value), f"and {step}", [*value, step]
