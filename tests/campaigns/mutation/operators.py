"""Small wrong changes of a module, made by operators on its syntax tree.

An operator looks at one node and gives what may stand in its place. Docstrings, annotations and
the texts of error messages are left alone. Every change is of what the module does, or might do.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True)
class Mutant:
    """A wrong change of a module, named by what does not depend on how the module is formatted.

    Attributes:
        module: The module's name.
        where: The function, with its class; empty at the level of the module.
        operator: What was done.
        old: The node as it was, on one line, as Python would write it.
        new: What stands in its place; empty if nothing does.
        ordinal: Which of several changes that are alike so far, from 1.
        source: Returns the whole module, changed.
    """

    module: str
    where: str
    operator: str
    old: str
    new: str
    ordinal: int
    source: Callable[[], str]

    def __str__(self) -> str:
        number = f" ({self.ordinal})" if self.ordinal > 1 else ""
        where = f"{self.module}:{self.where}" if self.where else self.module
        return f"{where}: {self.operator}{number}: `{self.old}` -> `{self.new}`"


Change = tuple[str, ast.AST | None]
"""An operator's name, and the node that it puts in place of another; None for nothing."""

COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
BINARY: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NAMES: Final = {
    "TRUE": "FALSE", "WHITE": "BLACK", "file_of": "rank_of", "FILES": "RANKS", "KING": "KNIGHT",
    "DIAGONAL": "ORTHOGONAL", "DIRECTIONS": "ORTHOGONAL", "all": "any", "min": "max",
    "sorted": "list", "set": "list", "frozenset": "list", "FILE_LETTERS": "RANK_DIGITS",
    "STRINGS": "GAMES", "GAMES": "CERTIFICATES", "exchanged_cube": "cube_of",
}  # fmt: skip
"""A name, and another one that might be written in its place; both ways."""
OTHER_NAMES: Final = {**{b: a for a, b in NAMES.items()}, **NAMES}
VARIADIC: Final = ("add", "forbid", "both", "either")
"""Functions that take any number of arguments in any order, of which one may be forgotten."""
ATTRIBUTES: Final = {"removesuffix": "removeprefix", "rpartition": "partition", "append": "index"}


def _literal(value: str | bytes | int) -> ast.Constant:
    return ast.Constant(value=value)


def _not(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    return ast.UnaryOp(op=ast.Not(), operand=node)


def _with(node: Node, **fields: object) -> Node:
    """Return the node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _shorter(values: list[Any]) -> Iterator[list[Any]]:
    """Yield a list without each of its elements."""
    for i in range(len(values)):
        yield values[:i] + values[i + 1 :]


def of_comparison(node: ast.AST) -> Iterator[Change]:
    """Yield another comparison, with the border or without, or the opposite."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARISONS[type(op)]:
                yield "comparison", _with(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])


def of_boolean(node: ast.AST) -> Iterator[Change]:
    """Yield ``and`` for ``or``, and one of the conditions forgotten."""
    if isinstance(node, ast.BoolOp):
        yield "and/or", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for kept in _shorter(node.values):
            yield "condition dropped", kept[0] if len(kept) == 1 else _with(node, values=kept)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", node.operand


def of_condition(node: ast.AST) -> Iterator[Change]:
    """Yield the opposite condition; one branch for both; all for some."""
    if isinstance(node, ast.If | ast.While):
        yield "negated", _with(node, test=_not(node.test))
    if isinstance(node, ast.IfExp):
        yield "always the first", node.body
        yield "always the second", node.orelse
    if isinstance(node, ast.comprehension):
        for i, kept in enumerate(_shorter(node.ifs)):
            opposite = [_not(x) if j == i else x for j, x in enumerate(node.ifs)]
            yield "negated", _with(node, ifs=opposite)
            yield "condition dropped", _with(node, ifs=kept)


def of_constant(node: ast.AST) -> Iterator[Change]:
    """Yield one more, one less; the opposite; a text that lacks its end, or all."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield "constant", _literal(not value)
    elif isinstance(value, int):
        yield "one more", _literal(value + 1)
        yield "one less", _literal(value - 1)
    elif isinstance(value, str | bytes) and value:
        yield "text emptied", _literal(value[:0])
        if len(value) > 1:
            yield "text without its end", _literal(value[:-1])
            yield "text without its beginning", _literal(value[1:])
    elif isinstance(value, str):
        yield "text for none", _literal("x")


def of_arithmetic(node: ast.AST) -> Iterator[Change]:
    """Yield another operation; a sign lost."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in BINARY:
        yield "operation", _with(node, op=BINARY[type(node.op)]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign dropped", node.operand


def of_collection(node: ast.AST) -> Iterator[Change]:
    """Yield an element forgotten; a slice that goes further."""
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    if isinstance(node, ast.Tuple | ast.List | ast.Set) and is_read:
        for kept in _shorter(node.elts):
            if kept or not isinstance(node, ast.Set):
                yield "element dropped", _with(node, elts=kept)
    if isinstance(node, ast.Dict):
        for keys, values in zip(_shorter(node.keys), _shorter(node.values), strict=True):
            yield "entry dropped", _with(node, keys=keys, values=values)
    if isinstance(node, ast.Slice):
        for name in ("lower", "upper"):
            if getattr(node, name) is not None:
                yield "slice without an end", _with(node, **{name: None})


def of_call(node: ast.AST) -> Iterator[Change]:
    """Yield arguments exchanged or forgotten."""
    if not isinstance(node, ast.Call):
        return
    args = node.args
    if getattr(node.func, "attr", getattr(node.func, "id", "")) in VARIADIC and len(args) > 1:
        for kept in _shorter(args):
            yield "argument dropped", _with(node, args=kept)
    else:
        for i in range(len(args) - 1):
            swapped = [*args[:i], args[i + 1], args[i], *args[i + 2 :]]
            yield "arguments exchanged", _with(node, args=swapped)
    for keyword, kept in zip(node.keywords, _shorter(node.keywords), strict=True):
        if keyword.arg is not None:
            yield "argument dropped", _with(node, keywords=kept)


def of_name(node: ast.AST) -> Iterator[Change]:
    """Yield another name of the same kind."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in OTHER_NAMES:
        yield "another name", _with(node, id=OTHER_NAMES[node.id])
    if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
        yield "another name", _with(node, attr=ATTRIBUTES[node.attr])


def of_statement(node: ast.AST) -> Iterator[Change]:
    """Yield a statement forgotten; nothing returned."""
    simple = ast.Expr | ast.AugAssign | ast.Raise | ast.For | ast.While | ast.Continue
    is_alone = isinstance(node, ast.If) and not node.orelse
    into = isinstance(node, ast.Assign) and not all(isinstance(t, ast.Name) for t in node.targets)
    if isinstance(node, simple) or is_alone or into:
        yield "statement dropped", ast.Pass()
    if isinstance(node, ast.Break):
        yield "break for continue", ast.Continue()
    if isinstance(node, ast.Return) and ast.unparse(node) not in {"return", "return None"}:
        yield "nothing returned", ast.Return(value=None)


OPERATORS: Final[tuple[Callable[[ast.AST], Iterator[Change]], ...]] = (
    of_comparison, of_boolean, of_condition, of_constant, of_arithmetic, of_collection, of_call,
    of_name, of_statement,
)  # fmt: skip


# --- Every place of a module ---

SKIPPED: Final = {
    *("annotation", "returns", "decorator_list", "bases", "type_params", "exc", "msg"),
    "format_spec",
}
"""Fields that say nothing of what is done: annotations, and what an error says."""


class Place(NamedTuple):
    """A node, the function in which it stands, and what holds it: a list, or a node's fields."""

    node: ast.AST
    where: str
    holder: Any
    key: Any

    def with_new(self, tree: ast.Module, new: ast.AST | None) -> str:
        """Return the source of the module with another node in this place."""
        self.holder[self.key] = new
        source = ast.unparse(tree) + "\n"
        self.holder[self.key] = self.node
        return source


def _is_text(node: ast.AST) -> bool:
    """Check whether nothing in a node could be wrong: a docstring, an import, a type's name."""
    is_docstring = (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
    name = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
    is_type = name[:1].isupper() and not name.isupper()
    return is_docstring or is_type or isinstance(node, ast.Import | ast.ImportFrom)


def places(node: ast.AST, where: str = "") -> Iterator[Place]:
    """Yield the place of every node below one that does something, in the order of the text."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        where = f"{where}.{node.name}".lstrip(".")
    for name, value in ast.iter_fields(node):
        if name in SKIPPED or (isinstance(node, ast.Constant) and name == "value"):
            continue
        inside = list(enumerate(value)) if isinstance(value, list) else [(name, value)]
        for key, child in inside:
            is_wording = isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)
            if isinstance(child, ast.AST) and not _is_text(child) and not is_wording:
                yield Place(child, where, value if isinstance(value, list) else vars(node), key)
                yield from places(child, where)


def in_short(node: ast.AST | None) -> str:
    """Return a node on one line: of a compound statement, its first."""
    if node is None or isinstance(node, ast.Pass):
        return ""
    return ast.unparse(node).strip().partition("\n")[0]


def mutate(module: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of the text."""
    tree = ast.parse(source)
    seen = Counter[tuple[str, ...]]()
    for place in places(tree):
        old = ast.unparse(place.node)
        for operator in OPERATORS:
            for name, new in operator(place.node):
                key = (place.where, name, in_short(place.node), in_short(new))
                seen[key] += 1
                if new is None or ast.unparse(new) != old:
                    yield Mutant(module, *key, seen[key], partial(place.with_new, tree, new))
