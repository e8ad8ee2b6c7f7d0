"""Functions that numba compiles when they are first called. Untrusted.

What was compiled is kept beside the file that it is of, or in the home, which takes some seconds
once; if another file changes whose constants or functions it took, numba does not see it. An
assignment of a whole array takes numba longer to compile than a loop.
"""

import os
import sys
import warnings
from collections.abc import Callable
from multiprocessing import current_process
from typing import Any, Final, TypeVar, cast

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import numba

F = TypeVar("F", bound=Callable[..., Any])

ZERO: Final = cast("int", np.int64(0))
"""For what a compiled function is called with: for a plain 0, numba compiles it once more."""


SAID: Final = "SANPROOF_COMPILES_ANEW"
"""The environment variable that tells a command's workers that it was said."""


def compiled(function: F, **options: Any) -> F:  # noqa: ANN401 - of numba
    """Compile a function; in each process again if there is no place to keep it."""
    try:
        return cast("F", numba.njit(cache=True, **options)(function))
    except RuntimeError:
        _say_why()
        return cast("F", numba.njit(**options)(function))


def _say_why() -> None:
    """Say once in a command, here or in its first worker, why it compiles anew."""
    if SAID not in os.environ and current_process().name in ("MainProcess", "Worker-1"):
        os.environ[SAID] = "yes"
        sys.stderr.write(
            "sanproof: Its loops are compiled anew in each process, because neither its own folder "
            "nor a cache in the home can be written: set NUMBA_CACHE_DIR to a folder that can.\n"
        )
