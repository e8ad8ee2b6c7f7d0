"""Every value, list and spelling of a run's files, changed in every way: kinds made from a schema.

A file is read as a tree. A *place* is a path in it, with ``ANY`` for any branch; what stands there
is a list, a text or a number, and each of these has its changes.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel.certificates import split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS
from sanproof.proofs.rules.san import list_order
from tests.campaigns.forging.model import MAX_TRIES, Files, Forgery, Kind, text_of, with_text
from tests.campaigns.forging.parts import (
    is_as_good,
    read_certificates,
    read_games,
    write_games,
)

ANY: Final = object()
PATIENCE: Final = 20
"""After so many changes that leave a text as good as it was, one of them is taken."""

Tree = Any
Path = tuple[Any, ...]
Change = Callable[[Any, Random, Any], Any]
"""Makes another value of one, perhaps of what stands in another such place."""
Changes = Mapping[str, Change]


# --- Changes ---


def by_two(change: Callable[[Any, int, int], Any]) -> Change:
    """Change what has parts at two of them, the first and the second."""

    def changed(value: Any, random: Random, _: Any) -> Any:  # noqa: ANN401 - lists, tuples, texts
        if len(value) < 2:
            return value
        return change(value, *sorted(random.sample(range(len(value)), 2)))

    return changed


def always(value: object) -> Change:
    """Put this in the place of anything."""
    return lambda *_: value


def put_in_order(change: Change) -> Change:
    """Change one of some strings, and sort them as the list is."""

    def changed(strings: Any, random: Random, others: Any) -> Any:  # noqa: ANN401
        if not strings:
            return strings
        at = random.randrange(len(strings))
        other = random.choice(others or strings)
        string = change(strings[at], random, other)
        return tuple(sorted((*strings[:at], string, *strings[at + 1 :]), key=list_order))

    return changed


def another_suffix(san: str, random: Random, _: object) -> str:
    bare = san.rstrip("+#")
    return bare + random.choice([s for s in ("", "+", "#", "!", "++") if bare + s != san])


STRANGE: Final = (
    *("a1", "axa8", "Kaxa1", "O-O=Q", "Rxa1=Q", "a8", "a3=N", "Naxa1+", "Nh8xb1", "e4", "Qh4#"),
    *("Kb2", "P", "--", "O-O-O-O", "Q" * 200, "0000", "e1e1", "a9a1", "N@e4", "exact", "Pa3"),
)
"""Strings that are never written, moves that are never played, and names of nothing."""
OF_SETS: Final[Changes] = {
    "one missing": by_two(lambda x, i, _: x[:i] + x[i + 1 :]),
    "one twice": by_two(lambda x, i, j: x[:i] + x[j : j + 1] + x[i:]),
    "one for another": by_two(lambda x, i, j: x[:i] + x[j : j + 1] + x[i + 1 :]),
    "one left": by_two(lambda x, i, _: x[i : i + 1]),
    "the first missing": by_two(lambda x, *_: x[1:]),
    "cut off": by_two(lambda x, i, _: x[: i + 1]),
    "all twice": by_two(lambda x, *_: x * 2),
    "none": lambda x, *_: x[:0],
}
ORDERS: Final[Changes] = {
    "two exchanged": by_two(
        lambda x, i, j: x[:i] + x[j : j + 1] + x[i + 1 : j] + x[i : i + 1] + x[j + 1 :]
    ),
    "one moved": by_two(lambda x, i, j: x[:i] + x[i + 1 : j + 1] + x[i : i + 1] + x[j + 1 :]),
    "from back to front": by_two(lambda x, *_: x[::-1]),
    "begun in the middle": by_two(lambda x, _, j: x[j:] + x[:j]),
}
OF_LISTS: Final[Changes] = {**OF_SETS, **ORDERS}
OF_PARTS: Final[Changes] = {**OF_LISTS, "another's": lambda _x, _r, other: other}
OF_TEXTS: Final[Changes] = {
    **{f"letters, {name}": change for name, change in OF_LISTS.items()},
    "another's": OF_PARTS["another's"],
    "white space": lambda x, r, _: r.choice(("{} ", " {}", "{}\t")).format(x),
    "the other case": lambda x, *_: x.swapcase(),
    "a strange one": lambda _x, r, _o: r.choice(STRANGE),
}
OF_SANS: Final[Changes] = {**OF_TEXTS, "another suffix": another_suffix}
OF_SCOPES: Final[Changes] = {
    **OF_TEXTS,
    "another's": lambda _x, r, _o: r.choice([scope.value for scope in Scope]),
}
OF_NUMBERS: Final[Changes] = {
    "another's": OF_PARTS["another's"],
    "one less": lambda x, *_: x - 1,
    "one more": lambda x, *_: x + 1,
    "two less": lambda x, *_: x - 2,
    "the opposite": lambda x, *_: -x,
    "zero": always(0),
    "far off": lambda x, *_: x + 10**6,
    "huge": always(10**30),
    "too long to read": always(10**4000),
}
SPELLINGS: Final = (
    *("", "x", "inf", "-", "-0", "{}.0", "0x{}", "{}e0", "--{}", "+{}", "0{}", "{}_0"),
    *("{} ", "\t{}", "{}\u0661"),
)
"""Of a number, as only some readers take it."""
OF_INTEGERS: Final[Changes] = {
    **OF_NUMBERS,
    "spelt otherwise": lambda x, r, _: r.choice(SPELLINGS).format(x),
}


# --- Files ---


class Place(NamedTuple):
    """A path in a tree, and the changes of what stands there."""

    path: Path
    changes: Changes


class Schema(NamedTuple):
    """The ways to read and to write a file, and what is changed in it."""

    file: str
    read: Callable[[str], Tree]
    write: Callable[[Tree], str]
    places: Mapping[str, Place]


def read_words(text: str) -> list[list[str]]:
    """Return the words of each line."""
    return [line.split(" ") for line in text.split("\n")]


def read_paragraphs(text: str) -> list[list[str]]:
    """Return the lines of each certificate."""
    return [paragraph[:-2].split("\n") for paragraph in split_certificates(text)]


def write_paragraphs(paragraphs: list[list[str]]) -> str:
    """Return the text of certificates of these lines."""
    return "".join("\n".join(lines) + "\n\n" for lines in paragraphs)


LINES: Final = (
    *("{0}\n{0}", "{0}\f{0}", "\n{0}", "c by hand\n{0}", "{0} ; best", "p cnf 9 9\n{0}"),
    *("{0}\n{1} d 1 0", "{1} d 1 0", "{1} 5 0 -1 2 0\n{0}", "it is so", "0", "{1}", "{1} 0 0 0"),
    *("{0} 0", " " * 60_000, "{1} " + "-1 " * 9000 + "0 1 0"),
)
"""A line, or its first number, written as no line is."""
OF_LINES: Final[Changes] = {
    **OF_TEXTS,
    "spoilt": lambda x, r, _: r.choice(LINES).format(x, x.partition(" ")[0]),
    "other white space": lambda x, r, _: x.replace(" ", r.choice(("  ", "\t", "")), 1),
    "no zero at the end": lambda x, *_: x[: x.rindex(" ")] if " " in x else x,
    "no zero between": lambda x, *_: x.replace(" 0 ", " ", 1),
}
"""Of a line of a certificate."""


def write_lines(games: list[list[str]]) -> str:
    """Return the text of games of these words, sorted."""
    return "".join(f"{line}\n" for line in sorted(filter(None, map(" ".join, games))))


OPEN: Final = {name: put_in_order(change) for name, change in OF_SANS.items()}
SCHEMAS: Final[dict[str, Schema]] = {
    "list": Schema(
        STRINGS,
        lambda text: text.split("\n"),
        lambda strings: "\n".join(sorted(strings, key=list_order)),
        {"strings": Place((), OF_SETS), "a string": Place((ANY,), OF_SANS)},
    ),
    "games": Schema(
        GAMES,
        read_games,
        write_games,
        {
            "all": Place((), OF_SETS),
            "moves": Place((ANY, "moves"), OF_PARTS),
            "a move": Place((ANY, "moves", ANY), OF_TEXTS),
            "ply": Place((ANY, "ply"), OF_INTEGERS),
            "string": Place((ANY, "san"), OF_SANS),
        },
    ),
    "games, words": Schema(GAMES, read_words, write_lines, {"a line": Place((ANY,), OF_LISTS)}),
    "certificates": Schema(
        CERTIFICATES,
        read_certificates,
        lambda found: "".join(map(str, found)),
        {
            "all": Place((), OF_LISTS),
            "cube": Place((ANY, "cube"), OF_TEXTS),
            "scope": Place((ANY, "scope"), OF_SCOPES),
            "open": Place((ANY, "left_open"), OF_PARTS),
            "an open string": Place((ANY, "left_open"), OPEN),
            "steps": Place((ANY, "steps"), OF_PARTS),
            "number": Place((ANY, "steps", ANY, "number"), OF_INTEGERS),
            "literals": Place((ANY, "steps", ANY, "literals"), OF_PARTS),
            "a literal": Place((ANY, "steps", ANY, "literals", ANY), OF_INTEGERS),
            "hints": Place((ANY, "steps", ANY, "hints"), OF_PARTS),
            "a hint": Place((ANY, "steps", ANY, "hints", ANY), OF_INTEGERS),
        },
    ),
    "certificates, text": Schema(
        CERTIFICATES,
        read_paragraphs,
        write_paragraphs,
        {"lines": Place((ANY,), OF_PARTS), "a line": Place((ANY, ANY), OF_LINES)},
    ),
}


def choose(tree: Tree, path: Path, random: Random) -> tuple[Path, Any]:
    """Return a place that fits a path, and what stands there; ANY skips what is empty."""
    place, value = [], tree
    for key in path:
        if key is ANY and not value:
            return choose(tree, path, random)
        keys = list(value) if isinstance(value, dict) else range(len(value))
        chosen = random.choice(keys) if key is ANY else key
        of_class = isinstance(key, str) and not isinstance(value, dict)
        value = getattr(value, key) if of_class else value[chosen]
        place.append(chosen)
    return tuple(place), value


def put(tree: Tree, place: Path, value: object) -> Tree:
    """Return a tree with another value in a place."""
    if not place:
        return value
    key, *rest = place
    if isinstance(tree, dict):
        return tree | {key: put(tree[key], tuple(rest), value)}
    if isinstance(key, str):
        return tree._replace(**{key: put(getattr(tree, key), tuple(rest), value)})
    return type(tree)((*tree[:key], put(tree[key], tuple(rest), value), *tree[key + 1 :]))


def changed(tree: Tree, path: Path, change: Change, random: Random) -> tuple[Path, Tree]:
    """Change something in a tree; return where, and the tree."""
    place, value = choose(tree, path, random)
    other = choose(tree, path, random)[1]
    return place, put(tree, place, change(value, random, other))


def forging(schema: Schema, place: Place, change: Change) -> Kind:
    """Change what stands in a place; it may pass only if it is as good by definition."""

    def forge(files: Files, random: Random) -> Forgery:
        old = text_of(files, schema.file)
        tree = schema.read(old)
        for tried in range(MAX_TRIES):
            text = schema.write(changed(tree, place.path, change, random)[1])
            as_good = text != old and is_as_good(schema.file, old, text)
            if text != old and (not as_good or tried > PATIENCE):
                return Forgery(with_text(files, schema.file, text), as_good)
        raise ValueError(f"nothing is changed in {schema.file}: {place.path}")

    return forge


EVIDENCE: Final[dict[str, Kind]] = {
    f"{title}: {name}: {how}": forging(schema, place, change)
    for title, schema in SCHEMAS.items()
    for name, place in schema.places.items()
    for how, change in place.changes.items()
}
