"""Which SAN strings can occur in a legal chess game, for programs and notebooks.

    >>> import sanproof
    >>> [san for san in ("Qb6e3#", "Ba1b2+", "e9") if sanproof.is_reachable(san)]
    ['Qb6e3#']
    >>> sanproof.look_up("Ba1b2+").reason
    'no-check'
    >>> sanproof.game(sanproof.look_up("Qb6e3#").witness.game).sans[-1]
    'Qb6e3#'
    >>> len(sanproof.gate(sanproof.strings()[1:]).missing)
    1
    >>> sanproof.read("Ng1-f3!").canonical
    'Nf3'
    >>> sanproof.write("g1f3").san
    'Nf3'

Everything is read from the published data; ``run`` names a finished run directory instead.
Only :func:`prove` and :func:`find` search; they, :func:`read` and :func:`write` need no data.

The kernel's package is inside this one, so nothing is loaded until it is asked for (PEP 562).
"""

TYPE_CHECKING = False  # the module `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from sanproof.api import *  # noqa: F403
    from sanproof.api import __all__ as __all__


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415

    api = import_module("sanproof.api")
    if name == "__all__" or name in api.__all__:
        return getattr(api, name)
    raise AttributeError(f"module 'sanproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})  # type: ignore[misc]
