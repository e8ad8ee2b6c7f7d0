"""Identifies what results depend on: the versions of the tools, and all code of ours.

There is one definition of "the same code", for what is kept on disk, for what a cluster's workers
must have, and for what a manifest says. It covers every module, for all of them can change a result
or how it is written.
"""

import hashlib
import os
from functools import cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sanproof.verify.errors import Failure

TOOLS: Final = ("sanproof", "chess", "z3-solver", "python-sat")
"""The packages on which what a run finds depends."""
SOLVERS: Final = ("numba", "pysat", "pysolvers", "z3")
"""With what compiles the search for paths."""
SECOND_SOLVER: Final = ("z3",)
CODE: Final = "code"

_PUBLISHED: Final = "published"
"""The data in an installed package, which is no code."""


def provenance(*tools: str) -> dict[str, str]:
    """Return the versions of these packages, and the hash of all code of ours."""
    return {name: version_of(name) for name in tools} | {CODE: hash_of_code()}


@cache
def version_of(package: str) -> str:
    """Return the version of a package; ``none`` if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


@cache
def hash_of_code() -> str:
    """Return the hash of all our modules and their tables, whether or not they were imported.

    It is taken once: a process's modules are those of the time when it started.
    """
    folder = Path(str(resources.files("sanproof")))
    rooms = os.walk(folder, followlinks=True)
    code = hashlib.sha256()
    for path in sorted(Path(room, name) for room, _, names in rooms for name in names):
        name = path.relative_to(folder)
        if path.suffix in {".py", ".txt"} and _PUBLISHED not in name.parts:
            content = path.read_bytes()
            code.update(f"{name} {len(content)}\n".encode())
            code.update(content)
    return code.hexdigest()[:16]


def is_installed(*modules: str) -> bool:
    """Check whether modules can be imported; none is."""
    return all(find_spec(name) is not None for name in modules)


def require_solvers(who: str, modules: tuple[str, ...] = SOLVERS) -> None:
    """Check that modules of the extra can be imported; a Failure names it if one is missing."""
    if not is_installed(*modules):
        what = "the solvers" if modules == SOLVERS else modules[0]
        raise Failure(f"{who} needs {what}: pip install 'sanproof[prove]'.")
