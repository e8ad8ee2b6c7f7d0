"""Small wrong changes of a module, made by operators on its syntax tree.

An operator looks at one node and gives what may stand in its place. Docstrings, annotations and
the texts of error messages are left alone. Every change is of what the module does, or might do.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

Node = TypeVar("Node", bound=ast.AST)


class Mutant(NamedTuple):
    """A wrong change of a module.

    Attributes:
        module: The module's name.
        where: The function, with its class; empty at the level of the module.
        operator: What was done.
        old: The node as it was, on one line, as Python would write it.
        new: What stands in its place; empty if nothing does.
        ordinal: Which of several changes that are alike so far, from 1.
        source: The whole module, changed.
    """

    module: str
    where: str
    operator: str
    old: str
    new: str
    ordinal: int
    source: str

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        """The fields that tell it from all others, however the module is formatted."""
        return self[:6]

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

Path = tuple[tuple[str, int | None], ...]
"""The way from the module down to a node: the fields, and the positions in lists."""
Place = tuple[ast.AST, Path, str]
"""A node, the way to it, and the function in which it stands."""

SKIPPED: Final = {
    *("annotation", "returns", "decorator_list", "bases", "type_params", "exc", "msg"),
    "format_spec",
}
"""Fields that say nothing of what is done: annotations, and what an error says."""


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


def places(node: ast.AST, path: Path = (), where: str = "") -> Iterator[Place]:
    """Yield a node and all nodes below it that do something, in the order of the text."""
    yield node, path, where
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        where = f"{where}.{node.name}".lstrip(".")
    for name, value in ast.iter_fields(node):
        if name in SKIPPED or (isinstance(node, ast.Constant) and name == "value"):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            is_wording = isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)
            if isinstance(child, ast.AST) and not _is_text(child) and not is_wording:
                index = i if isinstance(value, list) else None
                yield from places(child, (*path, (name, index)), where)


def replaced(tree: ast.Module, path: Path, new: ast.AST | None) -> str:
    """Return the source of the module with another node at the end of a way."""
    parent: Any = tree
    for name, index in path[:-1]:
        value = getattr(parent, name)
        parent = value if index is None else value[index]
    name, index = path[-1]
    holder, key = (vars(parent), name) if index is None else (getattr(parent, name), index)
    old, holder[key] = holder[key], new
    source = ast.unparse(tree) + "\n"
    holder[key] = old
    return source


def _in_short(node: ast.AST) -> str:
    """Return a node on one line: of a compound statement, its first."""
    return ast.unparse(node).strip().partition("\n")[0]


class Site(NamedTuple):
    """A change that is not made yet: as in :class:`Mutant`, with the way to the node."""

    where: str
    operator: str
    old: str
    new: str
    ordinal: int
    path: Path
    node: ast.AST | None


def sites(tree: ast.Module) -> Iterator[Site]:
    """Yield every change that an operator makes, in the order of the text."""
    seen: dict[tuple[str, ...], int] = {}
    for node, path, where in places(tree):
        for operator in OPERATORS:
            for name, new in operator(node):
                old = _in_short(node)
                short = "" if new is None or isinstance(new, ast.Pass) else _in_short(new)
                key = (where, name, old, short)
                seen[key] = seen.get(key, 0) + 1
                yield Site(*key, seen[key], path, new)


def mutate(module: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of the text.

    Of two operators that write the same module, the first has it.
    """
    tree = ast.parse(source)
    written = {ast.unparse(tree) + "\n"}
    for site in sites(tree):
        changed = replaced(tree, site.path, site.node)
        if changed not in written:
            written.add(changed)
            yield Mutant(module, *site[:5], changed)


def draw(module: str, source: str, random: Random) -> Mutant:
    """Draw one mutant of a module, without making the others."""
    tree = ast.parse(source)
    original = ast.unparse(tree) + "\n"
    every = list(sites(tree))
    while True:
        site = random.choice(every)
        changed = replaced(tree, site.path, site.node)
        if changed != original:
            return Mutant(module, *site[:5], changed)
