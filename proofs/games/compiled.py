"""Functions that numba compiles when they are first called. Untrusted.

What was compiled is kept beside the file that it is of, which takes some seconds once; if another
file changes whose constants or functions it took, numba does not see it. An assignment of a whole
array takes numba longer to compile than a loop.

Compiled code that is found is run. Where it cannot be kept beside the file, numba takes the folder
that NUMBA_CACHE_DIR names, or one in the home: neither is used if another user can write to it, and
Python's -I and -E have NUMBA_CACHE_DIR ignored, as they do for PYTHONPYCACHEPREFIX.
"""

import os
import stat
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    import numba
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
    if folder != beside and _others_can_write(folder):
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


def _others_can_write(folder: Path) -> bool:
    """Check whether another user, but for root, can write to a folder, or put another there."""
    for place in (folder, *folder.parents):
        found = place.stat()
        shared = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if place != folder and found.st_mode & stat.S_ISVTX:
            shared = 0  # as /tmp is: only its owner can move what is there
        if shared or found.st_uid not in {0, os.geteuid()}:
            return True
    return False


def inlined(function: F) -> F:
    """Have a function become a part of the loops that call it: a call would take longer."""
    return cast("F", numba.njit(inline="always")(function))
