"""Functions that numba compiles when they are first called. Untrusted.

What was compiled is kept beside the file that it is of, which takes some seconds once; if another
file changes whose constants or functions it took, numba does not see it. An assignment of a whole
array takes numba longer to compile than a loop.

Compiled code that is found is run. Where it cannot be kept beside the file, numba takes the folder
that NUMBA_CACHE_DIR names, or one in the home: neither is used if another user can write to it, and
Python's -I and -E have NUMBA_CACHE_DIR ignored, as they do for PYTHONPYCACHEPREFIX.
"""

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from sanproof.proofs.games.machine_code import others_can_write

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    import numba
    from numba.core.types.abstract import Type
else:
    # numba reads .numba_config.yaml in the current folder, which may name another place for what
    # was compiled; and it runs what it finds there. Without a reader of YAML it does not.
    _yaml = sys.modules.get("yaml")
    sys.modules["yaml"] = None
    if sys.flags.ignore_environment:
        for name in [name for name in os.environ if name.startswith("NUMBA_")]:
            del os.environ[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import numba
    finally:
        del sys.modules["yaml"]
        if _yaml is not None:
            sys.modules["yaml"] = _yaml

ZERO: Final = cast("int", np.int64(0))
"""For what a compiled function is called with: for a plain 0, numba compiles it once more."""


def compiled(function: F) -> F:
    """Compile a function, in each process again if the cache cannot be written, or others can."""
    try:
        made: Any = numba.njit(cache=True)(function)
    except RuntimeError:
        return cast("F", numba.njit(function))
    cache = made._cache  # noqa: SLF001 - numba has no door to it
    folder = Path(cache.cache_path).resolve()
    beside = Path(function.__code__.co_filename).resolve().parent / "__pycache__"
    if folder != beside and others_can_write(folder):
        return cast("F", numba.njit(function))
    kept = cache._cache_file  # noqa: SLF001
    kept._load_index = partial(_load_index, kept._load_index)  # noqa: SLF001
    return cast("F", made)


def _load_index(load: Callable[[], dict[Any, Any]]) -> dict[Any, Any]:
    """Return the index of a cache, empty if it is damaged or names what another version had."""
    try:
        return load()
    except Exception:  # noqa: BLE001 - whatever a pickle may raise
        return {}


def part(function: F) -> F:
    """Compile a function with each loop that calls it, and keep it with that loop only."""
    return cast("F", numba.njit(function))


def machine_code(
    function: "numba.core.dispatcher.Dispatcher", arguments: Sequence[object]
) -> tuple[str, bytes]:
    """Compile a part for arguments like these, without those that call it; its symbol and its code.

    It calls nothing of numba's: it can neither allocate nor raise.
    """
    alone: dict[str, Any] = {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made = numba.njit(error_model="numpy", **alone)(function.py_func)
    kinds = tuple(map(_type_of, arguments))
    made.compile(kinds)
    found = made.overloads[kinds]
    code = found.library._get_compiled_object()  # noqa: SLF001 - numba has no door to it
    return found.fndesc.llvm_func_name, code


def _type_of(value: object) -> "Type":
    """Return numba's type of an argument, of an array even if it cannot be written."""
    if isinstance(value, tuple):
        made: Any = numba.types.BaseTuple
        return cast("Type", made.from_types([*map(_type_of, value)], type(value)))
    if isinstance(value, np.ndarray):
        return numba.types.Array(numba.from_dtype(value.dtype), value.ndim, "C")
    return numba.types.int64


def inlined(function: F) -> F:
    """Have a function become a part of the loops that call it: a call would take longer."""
    return cast("F", numba.njit(inline="always")(function))
