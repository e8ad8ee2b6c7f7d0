"""``sanproof scan --merge DIR... --out DIR``: finished scans become one.

What is written is what one scan of all the files would have written. Each scan is read as when it
is taken up again, except for its game files, which need not be there.
"""

import hashlib
import heapq
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sanproof.reports.tables.files import whole_folder
from sanproof.verify.errors import Failure, Interrupted, failure
from sanproof.verify.scan.chunks import Options
from sanproof.verify.scan.former.folder import hash_of
from sanproof.verify.scan.former.signals import in_order
from sanproof.verify.scan.former.store import differing, reader
from sanproof.verify.scan.outputs import FILES, write_outputs
from sanproof.verify.scan.rewriting import ROWS_FORMS, changed, rewritten_names, table_name
from sanproof.verify.scan.scanner import REWRITTEN, ROWS, file_names, versions
from sanproof.verify.scan.store import ScanStore, State, Tally


class Part(NamedTuple):
    """A finished scan that is to be added."""

    directory: Path  # where it is
    origin: dict[str, Any]  # what its results depend on
    state: State  # what it keeps, without the sums of its moves, which are read when they are added


class Place(NamedTuple):
    """A source of a part, by their numbers."""

    part: int
    source: int


def merge(directories: Sequence[Path], out: Path, proven: bytes) -> dict[str, Any]:
    """Add finished scans, made with these proven strings, in a new or empty directory; the summary.

    Sources come in the order of their names, except where a scan has them in another order.

    Raises:
        Failure: A directory holds no finished scan, or scans cannot be added, or there is something
            in ``out``.
        Interrupted: The user stopped it; nothing is kept.
    """
    try:
        if out.is_dir() and any(out.iterdir()):
            raise Failure(f"{out} is not empty: name an empty directory, or a new one.")
        out.parent.mkdir(parents=True, exist_ok=True)
        with in_order(), whole_folder(out) as building:
            return _merged(directories, building, proven)
    except KeyboardInterrupt as error:
        raise Interrupted("Interrupted; nothing is kept, and no scan was changed.") from error
    except OSError as error:
        raise failure(
            f"{error.filename or out} cannot be used: {error.strerror}.", error
        ) from error


def _merged(directories: Sequence[Path], out: Path, proven: bytes) -> dict[str, Any]:
    parts = [_part(directory, proven) for directory in directories]
    _check_settings(parts)
    order = _in_order(parts)
    _check_names(parts, order)
    sources = [parts[part].state.sources[source] for part, source in order]
    settings = parts[0].origin | {"files": file_names(sources)}
    rewritten = [parts[p].state.rewritten[s] for p, s in order] if settings["rewrite"] else []
    state = State(sources, 1, rewritten, Tally.of(len(sources)))
    with ScanStore(out, settings) as store:
        store.note_files((*FILES, ROWS, REWRITTEN))
        if settings["rows"]:
            (out / ROWS).mkdir()
        for number, part in enumerate(parts):
            _add(part, [i for i, place in enumerate(order) if place.part == number], state, store)
        if settings["rewrite"]:
            _copy_rewritten(parts, order, state, out / REWRITTEN)
        store.save_state(state, {})
        return write_outputs(out, state, store, settings, proven.decode("ascii").split())


def _part(directory: Path, proven: bytes) -> Part:
    """Return the finished scan that a directory holds, of this sanproof with these strings."""
    with _opened(directory) as store:
        ours = versions() | {"strings": hashlib.sha256(proven).hexdigest()}
        if other := [name for name, value in ours.items() if store.origin.get(name) != value]:
            raise Failure(
                f"{directory} holds a scan with other {', '.join(other)} than this sanproof: "
                "merge with the one that made it, or scan again."
            )
        state = _state(store)
    return Part(directory, store.origin, state._replace(tally=Tally.of(0)))


def _opened(directory: Path) -> ScanStore:
    if not (directory / ScanStore.NAME).is_file():
        raise Failure(f"{directory} holds no scan: name what --out of a scan named.")
    return ScanStore(directory, None)


def _state(store: ScanStore) -> State:
    """Return what a store keeps, if its scan is finished."""
    origin = store.origin
    due = Options(b"").settings() | {"files": [], "strings": "", "chunk_bytes": 0}
    due |= dict.fromkeys(versions(), "")
    names: list[str] = []
    try:
        names = reader(list[str])(origin.get("files"))
        reader(list[str])(origin.get("tags"))
        types = [{name: type(value) for name, value in row.items()} for row in (origin, due)]
    except TypeError:
        types = []
    if not types or types[0] != types[1]:
        raise store.damaged("its origin has a wrong shape")
    rows, rewrites = origin["rows"], origin["rewrite"]
    state = store.state(len(names))
    if not state.finished:
        raise Failure(
            f"{store.path.parent} holds a scan that is not finished: run its command again."
        )
    is_whole = len(state.rewritten) == (len(names) if rewrites else 0)
    if file_names(state.sources) != names or not is_whole or rows not in {"", *ROWS_FORMS}:
        raise store.damaged("its sources are not those of its origin")
    return state


def _check_settings(parts: Sequence[Part]) -> None:
    """Refuse scans that were not asked for the same."""
    first = parts[0]
    for part in parts[1:]:
        if other := [name for name in differing(first.origin, part.origin) if name != "files"]:
            raise Failure(
                f"{first.directory} and {part.directory} hold scans with other "
                f"{', '.join(other)}: scan one of them again with the options of the other."
            )


def _in_order(parts: Sequence[Part]) -> list[Place]:
    """All sources: by name, and those of one scan as they are there. Not as the parts are named."""

    def named(number: int) -> Iterator[tuple[list[str], Place]]:
        for i, source in enumerate(parts[number].state.sources):
            yield source.name.split("/"), Place(number, i)

    return [place for _, place in heapq.merge(*map(named, range(len(parts))))]


def _check_names(parts: Sequence[Part], order: Sequence[Place]) -> None:
    """Refuse two sources of one name, and one file in two scans, by its hash.

    It would be unclear which a row is about, and the file would count twice.
    """
    seen: dict[str, Place] = {}
    by_chain: dict[str, Place] = {}
    for place in order:
        source = parts[place.part].state.sources[place.source]
        before = seen.setdefault(source.name, place)
        same = by_chain.setdefault(source.chain, place) if source.chain else place
        if before == place and same.part == place.part:
            continue
        before = same if before == place else before
        other = parts[before.part].state.sources[before.source]
        where = " and ".join(sorted(str(parts[p.part].directory) for p in (before, place)))
        if source.chain == other.chain:
            names = " and ".join(sorted({source.name, other.name}))
            said = "are one file" if source.name != other.name else "is"
            raise Failure(
                f"{names} {said} in {where}, and would count twice: leave one of them out."
            )
        raise Failure(
            f"{source.name} is the name of different files in {where}: scan one of them again "
            "under another name."
        )


def _add(part: Part, own: Sequence[int], state: State, store: ScanStore) -> None:
    """Add a part, whose sources have these numbers in the whole: its sums, and what is kept."""
    starts, own_starts = state.starts(), part.state.starts()
    rows, form = store.path.parent / ROWS, part.origin["rows"]
    with _opened(part.directory) as before:
        found = _state(before)
        if found.sources != part.state.sources:
            raise Failure(f"{part.directory} was changed while it was read: merge again.")
        state.tally.add(found.tally, own)
        with store.at_once():
            for chunk, kept in before.kept():
                source = own[kept.source]
                number = starts[source] + chunk - own_starts[kept.source]
                store.keep(number, kept._replace(source=source))
                if form:
                    old = part.directory / ROWS / table_name(chunk, form)
                    _copy(old, rows / table_name(number, form), kept.rows)


def _copy_rewritten(
    parts: Sequence[Part], order: Sequence[Place], state: State, folder: Path
) -> None:
    """Copy the rewritten texts, under the names that they have in the whole."""
    folder.mkdir()
    before = [rewritten_names([s.within for s in part.state.sources]) for part in parts]
    names = rewritten_names([source.within for source in state.sources])
    for place, source, written, name in zip(
        order, state.sources, state.rewritten, names, strict=True
    ):
        if source.read != "nothing":
            old = parts[place.part].directory / REWRITTEN / before[place.part][place.source]
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            _copy(old, folder / name, written.sha256)


def _copy(old: Path, new: Path, digest: str) -> None:
    """Copy a file whose hash is known; a Failure if it is another file now."""
    if old.is_symlink() or not old.is_file():
        raise changed(old)
    shutil.copyfile(old, new)
    if hash_of(new) != digest:
        raise changed(old)
