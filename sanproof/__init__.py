"""The SAN strings that can occur in a legal chess game, for programs: see :mod:`sanproof.api`.

The trusted rooms are inside this package, so nothing is loaded until it is asked for (PEP 562).
"""

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
