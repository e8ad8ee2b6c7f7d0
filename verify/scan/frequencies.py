"""How often strings were played, as columns of numbers: small to send, and quick to add.

A string is its number in the list of proven strings, from 0.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int32 = NDArray[np.int32]
    Int64 = NDArray[np.int64]

COLUMNS = 5
"""The number of the string, and what :class:`verify.scan.chunks.Seen` has."""


def packed(played: "Int64", seen: "Int32") -> bytes:
    """Pack what was counted in a chunk, of the strings that were played.

    Their numbers are ascending; what was seen are the columns of :class:`verify.scan.chunks.Seen`.
    """
    import numpy as np  # noqa: PLC0415 - of the fast path

    columns = np.empty((COLUMNS, len(played)), dtype="<i4")
    columns[0] = played
    columns[1:] = seen
    return columns.tobytes()


def unpacked(data: bytes) -> "Int64":
    """The columns of what was packed, as 64 bits."""
    import numpy as np  # noqa: PLC0415

    return np.frombuffer(data, dtype="<i4").reshape(COLUMNS, -1).astype(np.int64)


class Sums:
    """How often each string was played in the chunks that were taken in, and where first.

    The columns are those of :class:`verify.scan.tally.Occurrences`.
    """

    def __init__(self) -> None:
        self._columns: Any = None

    def take(self, source: int, games_before: int, data: bytes, size: int) -> None:
        """Take in what was packed of the next chunk of a source, after so many games of it.

        The size is the number of strings there are.
        """
        if not data:
            return
        number, times, games, game, ply = unpacked(data)
        columns = self._table(size)
        new = columns[0, number] == 0
        columns[0, number] += times
        columns[1, number] += games
        columns[2, number[new]] = source
        columns[3, number[new]] = games_before + game[new]
        columns[4, number[new]] = ply[new]

    def _table(self, size: int) -> Any:  # noqa: ANN401 - NumPy's
        import numpy as np  # noqa: PLC0415

        if self._columns is None:
            self._columns = np.zeros((COLUMNS, size), dtype=np.int64)
        return self._columns

    def played(self) -> Iterator[tuple[int, list[int]]]:
        """The number of each string that was played, with its row."""
        if self._columns is None:
            return
        times = self._columns[0].tolist()
        rows = self._columns.T.tolist()
        for number in range(len(times)):
            if times[number]:
                yield number, rows[number]

    def as_json(self) -> list[list[int]]:
        """Everything, to be stored."""
        if self._columns is None:
            return []
        columns: list[list[int]] = self._columns.tolist()
        return columns

    def read(self, value: list[list[int]], size: int) -> None:
        """Take what was stored; a ValueError if it is of another number of strings."""
        if value and [len(column) for column in value] != [size] * COLUMNS:
            raise ValueError("other strings")
        if value:
            self._table(size)[:] = value
