"""Identifies what results depend on: the versions of the tools, and all our code.

Stores on disk, a cluster's workers and manifests all use this definition of "the same code". It
covers every module, because all of them can change a result or how it is written.
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
"""The packages on which the results of a run depend."""
SOLVERS: Final = ("numba", "pysat", "pysolvers", "z3")
"""The solvers' packages, and the one that compiles the search for paths."""
SECOND_SOLVER: Final = ("z3",)
CODE: Final = "code"


def provenance(*tools: str) -> dict[str, str]:
    """Return the versions of these packages, and the hash of all our code."""
    return {name: version_of(name) for name in tools} | {CODE: hash_of_code()}


@cache
def version_of(package: str) -> str:
    """Return the version of a package, or ``none`` if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


@cache
def hash_of_code() -> str:
    """Return the hash of all our modules and their tables, imported or not, as they first were.

    An installed package has data besides, in the folder ``published``.
    """
    folder = Path(str(resources.files("sanproof")))
    rooms = os.walk(folder, followlinks=True)
    code = hashlib.sha256()
    for path in sorted(Path(room, name) for room, _, names in rooms for name in names):
        name = path.relative_to(folder)
        if path.suffix in {".py", ".txt"} and "published" not in name.parts:
            content = path.read_bytes()
            code.update(f"{name} {len(content)}\n".encode())
            code.update(content)
    return code.hexdigest()[:16]


def is_installed(*modules: str) -> bool:
    """Check whether modules can be imported, without importing them."""
    return all(find_spec(name) is not None for name in modules)


def require_solvers(who: str, modules: tuple[str, ...] = SOLVERS) -> None:
    """Raise a Failure that names what ``who`` needs, unless these modules are installed."""
    if not is_installed(*modules):
        what = "the solvers" if modules == SOLVERS else modules[0]
        raise Failure(f"{who} needs {what}: pip install 'sanproof[prove]'.")
