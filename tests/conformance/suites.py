"""The suites as the code builds them, once for all tests of a process."""

from functools import cache
from typing import Final

from conformance.suite.build import core_suite, further_suite
from conformance.suite.publish import smoke_of

core: Final = cache(core_suite)
further: Final = cache(further_suite)
smoke: Final = cache(lambda: smoke_of(core()))
