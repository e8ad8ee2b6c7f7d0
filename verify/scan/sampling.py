"""A cluster's workers are strangers: what they say of a chunk is checked, of some all of it.

To check a scan wholly is to scan again, which would leave nothing for the cluster to do. A sample
is enough, because no verdict rests on counts: it is there to find a machine that is broken or lies,
and one that falsifies many chunks is found soon. What would refute the theorem is always read here.
"""

import secrets
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Final

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.chunks import Chunk, ChunkResult, Options, digest_of
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.work.executors import Inline, checked

ONE_IN: Final = 20
"""So many chunks for each that is scanned here too. Nobody else knows which: it is drawn."""


class Sampling(Executor):
    """Has chunks scanned by others, and the first and one in twenty by processes of ours as well.

    A future fails with :class:`Unfinished` if what comes back is wrong.
    """

    def __init__(self, others: Executor, own: Executor) -> None:
        self._others = others
        self._own = own
        self._begun = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401 - as an executor
        """Have a chunk scanned; whether it is scanned here too is drawn now."""
        drawn = not self._begun or secrets.randbelow(ONE_IN) == 0
        self._begun = True
        own = self._own if drawn else Inline()
        check: Callable[..., None] = check_again if drawn else check_result
        done = self._others.submit(fn, *args, **kwargs)
        return checked(done, lambda result: own.submit(check, *args, result))


def check_result(chunk: Chunk, options: Options, result: object) -> None:
    """Check what costs next to nothing; and all of it, if it would refute the theorem."""
    if not isinstance(result, ChunkResult) or result.digest != digest_of(chunk):
        raise _wrong(chunk)
    counts: object = result.counts
    refuting: object = result.refuting
    if not (isinstance(counts, dict) and isinstance(refuting, list)):
        raise _wrong(chunk)
    if refuting or counts.get("lines") != chunk.data.count(b"\n"):
        check_again(chunk, options, result)


def check_again(chunk: Chunk, options: Options, result: ChunkResult) -> None:
    """Scan the chunk here: the results are the same wherever it is scanned."""
    if scan_chunk(chunk, options) != result:
        raise _wrong(chunk)


def _wrong(chunk: Chunk) -> Unfinished:
    return Unfinished(
        f"A worker of the cluster gave a wrong result for a part of {chunk.source}, which is not "
        "kept. Other results of that machine may be wrong: find it, and scan into a new DIR."
    )
