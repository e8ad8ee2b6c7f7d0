"""Whether the solvers are installed, which the extra ``prove`` brings: asked before work begins."""

from importlib.util import find_spec
from typing import Final

from sanproof.verify.errors import Failure

SOLVERS: Final = ("numba", "pysat", "pysolvers", "z3")
"""With what compiles the search for paths."""
SECOND_CHECKER: Final = ("dratify",)


def require_solvers(who: str, modules: tuple[str, ...] = SOLVERS) -> None:
    """Check that modules of the extra can be imported; none is.

    Raises:
        Failure: One is missing; the sentence names the extra.
    """
    if any(find_spec(name) is None for name in modules):
        what = "the solvers" if modules == SOLVERS else modules[0]
        raise Failure(f"{who} needs {what}: pip install 'sanproof[prove]'.")
