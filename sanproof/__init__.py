"""The SAN strings that can occur in a legal chess game.

    >>> import sanproof
    >>> [san for san in ("Qb6e3#", "Ba1b2+", "e9") if sanproof.is_reachable(san)]
    ['Qb6e3#']
    >>> sanproof.look_up("Ba1b2+").reason
    'no-check'
    >>> sanproof.look_up("Qh4#").game.sans
    ('f4', 'e5', 'g4', 'Qh4#')
    >>> sanproof.read("Ng1-f3!").canonical, sanproof.write("g1f3").san
    ('Nf3', 'Nf3')
    >>> sanproof.parse("Nbxd2+")
    San(piece='N', file='b', rank='', capture='x', destination='d2', promotion='', suffix='+')
    >>> sanproof.legal_sans("7k/8/8/8/8/8/6q1/7K w - - 0 1")
    ['Kxg2']
    >>> len(sanproof.gate(sanproof.strings()[1:]).missing)
    1

Strings:   is_reachable look_up prove strings impossible observed automaton language
Notation:  read write legal_sans is_san parse meant
Positions: witnesses games game cover find
Lists, games, libraries: gate scan conformance
Data:      audit data_version

Everything is read from the published data; ``run`` names a finished run directory instead. What
reads data raises ArchiveError if it cannot be read, or lacks what is asked for. Only prove and
find search; they, read and write need no data. In a notebook, answers show their boards.
"""

# The trusted rooms are inside this package, so nothing is loaded until it is asked for (PEP 562).
TYPE_CHECKING = False  # the module `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from sanproof.api import *  # noqa: F403


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415

    api = import_module("sanproof.api")
    if name == "__all__" or name in api.__all__:
        return globals().setdefault(name, getattr(api, name))
    raise AttributeError(f"module 'sanproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})  # type: ignore[misc]
