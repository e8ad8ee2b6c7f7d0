"""The number of random examples that a property is tried on."""

from math import ceil

from hypothesis import settings


def examples(count: int) -> int:
    """Return so many in the weekly session; in the usual one a part, the same in each run.

    The profiles in :mod:`tests.conftest` say which part: 100 stand for all.
    """
    profile = settings.default
    assert profile is not None
    return ceil(count * profile.max_examples / 100)
