"""The files that a scan writes chunk by chunk: rewritten texts, and tables of all moves.

When a scan goes on, what is there is compared with what was written before it is extended.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path, PurePosixPath
from typing import IO, Final

from sanproof.reports.escaping import printable
from sanproof.reports.tables.files import write_whole
from sanproof.verify.errors import Failure, failure
from sanproof.verify.scan.former.folder import check_names, hash_of, hashed
from sanproof.verify.scan.harness import Damage
from sanproof.verify.scan.store import WrittenFile

ROWS_FORMS: Final = ("parquet", "csv")
"""The forms of the table of moves."""
_PACKED: Final = re.compile(r"\.(gz|bz2|zst|xz)$", re.IGNORECASE)
LONGEST_NAME: Final = 255
"""The most bytes of a name, as most file systems have it."""
LONGEST_PATH: Final = 1000
"""The most bytes of a path in the folder, so that the folder's own has room."""
_STEM: Final = 40
"""The characters of a name that follow a number."""
_NO_NAMES: Final = {"/", "//", ".", ".."}


class RewrittenTexts:
    """The rewritten text of each source, which has its name when the scan is done.

    Sources are told by their paths in the folders that were named; empty if nothing is to
    be rewritten. What was written of each before is compared: a file that is not as it was written,
    or is a link, is a Failure.
    """

    def __init__(
        self,
        stack: ExitStack,
        folder: Path,
        withins: Sequence[str],
        before: Sequence[WrittenFile],
    ) -> None:
        self._folder = folder
        self._names = rewritten_names(withins)
        self._parts = [f".{i:04}.part" for i in range(1, len(withins) + 1)]
        self._digests = [hashlib.sha256() for _ in withins]
        self._sizes = [0 for _ in withins]
        self._file: IO[bytes] | None = None  # of one source alone: they come in order
        self._source = -1
        stack.callback(self._close)
        if withins:
            folder.mkdir(exist_ok=True)
        own = {*self._names, *self._parts}
        parents = {str(parent) for name in self._names for parent in Path(name).parents} - {"."}
        check_names(folder, own | parents, own | parents, "scan")
        for within, name in zip(withins, self._names, strict=True):
            self._try(within, name)
        for name, part in zip(self._names, self._parts, strict=True):
            if (folder / name).exists() and not (folder / part).exists():
                (folder / name).rename(folder / part)
        for source, written in enumerate(before[: len(withins)]):
            if written.size or (folder / self._parts[source]).exists():
                self._take_up(source, written)

    def _try(self, within: str, name: str) -> None:
        """Try a name before anything is read: what cannot be written is a Failure now."""
        path = self._folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch()
                path.unlink()
        except OSError as error:
            sentence = f"{printable(str(path))} cannot be written: {error.strerror}."
            raise failure(sentence, error) from error
        if not can_be(PurePosixPath(within)):
            sys.stderr.write(f"{printable(within[:100])} is rewritten as {printable(name)}.\n")

    def _take_up(self, source: int, written: WrittenFile) -> None:
        path = self._folder / self._parts[source]
        digest = hashed(path, written.size)
        if digest is None or digest.hexdigest() != written.sha256:
            raise changed(self._folder / self._names[source])
        os.truncate(path, written.size)  # what was written after it was saved last
        self._digests[source] = digest
        self._sizes[source] = written.size

    def write(self, source: int, text: bytes) -> None:
        """Write what comes next of a source."""
        if source != self._source or self._file is None:
            self._close()
            self._file = (self._folder / self._parts[source]).open("ab")
            self._source = source
        self._file.write(text)
        self._digests[source].update(text)
        self._sizes[source] += len(text)

    def _close(self) -> None:
        """Make durable what was written of the source that is open, and close its file."""
        if self._file is not None:
            with self._file as file:
                self._file = None
                file.flush()
                os.fsync(file.fileno())

    def saved(self) -> list[WrittenFile]:
        """Make durable what was written, and say what it is."""
        self._close()
        pairs = zip(self._sizes, self._digests, strict=True)
        return [WrittenFile(size, digest.hexdigest()) for size, digest in pairs]

    def finish(self, damaged: Mapping[int, Damage]) -> None:
        """Give all files their names; an unreadable source has no file."""
        for source, (part, name) in enumerate(zip(self._parts, self._names, strict=True)):
            if source in damaged and damaged[source].read == "nothing":
                (self._folder / part).unlink(missing_ok=True)
                with suppress(OSError):  # the folders that were made to try its name
                    for parent in PurePosixPath(name).parents[:-1]:
                        (self._folder / parent).rmdir()
                continue
            if not self._sizes[source]:
                (self._folder / part).touch()
            (self._folder / part).replace(self._folder / name)


class MoveTables:
    """The table of the moves of each chunk, in the form with which its name ends.

    Those of the first chunks were written before, and have these hashes by the numbers of their
    chunks: one that is not as it was written is a Failure.
    """

    def __init__(self, folder: Path, form: str, before: Mapping[int, str], chunks: int) -> None:
        self._folder = folder
        self._form = form
        folder.mkdir(exist_ok=True)

        for chunk in range(chunks):
            if hash_of(folder / table_name(chunk, form)) != before.get(chunk):
                raise changed(folder / table_name(chunk, form))

    def write(self, chunk: int, content: bytes) -> str:
        """Write the table of a chunk, and give its hash."""
        name = table_name(chunk, self._form)
        check_names(self._folder, [name], [name], "scan")
        write_whole(self._folder / name, content)
        return hashlib.sha256(content).hexdigest()


def table_name(chunk: int, form: str) -> str:
    """Return the name of the table of a chunk's moves."""
    return f"part-{chunk:08}.{form}"


def rewritten_names(withins: Sequence[str]) -> list[str]:
    """Return the name of each source's text: its path in the named folder, without its packing.

    If that is another's name or folder already, in upper or lower case, or no name that every
    system can write, a number stands before its end.
    """
    names: list[str] = []
    files: set[str] = set()
    folders: set[str] = set()
    for within in withins:
        parts = [part for part in PurePosixPath(within).parts if part not in _NO_NAMES]
        path = PurePosixPath(*parts)
        plain = _PACKED.sub("", path.name)
        is_name = plain and plain not in _NO_NAMES
        path = (path.parent if path.name else path) / (plain if is_name else "games.pgn")
        for chosen in _candidates(path):
            own = str(chosen).casefold()
            above = {str(parent).casefold() for parent in chosen.parents}
            is_taken = own in files or own in folders or not above.isdisjoint(files)
            if not is_taken and can_be(chosen):
                files.add(own)
                folders |= above
                names.append(str(chosen))
                break
    return names


def can_be(path: PurePosixPath) -> bool:
    """Check whether a path can be that of a rewritten text on usual systems, and not one of ours.

    Whether this one can write it is tried.
    """
    parts = [os.fsencode(part) for part in path.parts]
    is_short = sum(map(len, parts)) + len(parts) <= LONGEST_PATH
    return is_short and not any(
        len(part) > LONGEST_NAME or part.lower().endswith(b".part") for part in parts
    )


def _candidates(path: PurePosixPath) -> Iterator[PurePosixPath]:
    """Yield a path, and then its name with numbers before it."""
    yield path
    for number in count(2):
        yield PurePosixPath(f"{number:04}-{path.stem[:_STEM]}.pgn")


def changed(path: Path) -> Failure:
    """Return what is said of a file of a scan that another program wrote to."""
    return Failure(
        f"{path} is not as it was written: "
        "remove the directory of the scan and begin again, or use another DIR."
    )
