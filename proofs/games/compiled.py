"""Functions that numba compiles when they are first called. Untrusted.

What was compiled is kept beside the file that it is of, in the home, or in ``NUMBA_CACHE_DIR``,
which takes some seconds once; numba does not notice changes in other files whose constants or
functions it took. An assignment of a whole array takes it longer to compile than a loop.
"""

import warnings
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import numba

F = TypeVar("F", bound=Callable[..., Any])

ZERO: Final = cast("int", np.int64(0))
"""For what a compiled function is called with: for a plain 0, numba compiles it once more."""


def compiled(function: F, **options: Any) -> F:  # noqa: ANN401 - of numba
    """Compile a function; in each process again if there is no place to keep it."""
    try:
        return cast("F", numba.njit(cache=True, **options)(function))
    except RuntimeError:  # neither its folder nor the home can be written
        return cast("F", numba.njit(**options)(function))
