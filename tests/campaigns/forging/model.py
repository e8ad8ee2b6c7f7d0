"""The things all forgeries share: their start, how they are laid down, when one is caught.

A forgery is caught if the audit refuses it with one line that names the file, and the item if
there is one. Whatever else happens is a mistake of the audit.
"""

import json
import lzma
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final, NamedTuple
from unittest import mock

import pytest

from sanproof.proofs.board.witness import checked_witness
from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.san import list_order
from sanproof.reports.tables.files import gzipped
from sanproof.reports.tables.names import MANIFEST, SUMMARY
from sanproof.verify.audit import whole
from sanproof.verify.audit.whole import AuditResult, audit
from sanproof.verify.claims import replay
from sanproof.verify.claims.manifest import make_manifest, read_manifest
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.work.executors import Inline
from sanproof.verify.work.progress import Scale
from tests.verify.command import sanproof, shared_folder
from tests.verify.command import verify as verify_arguments

PATTERN: Final = "[aBN]*xb[18]*"
"""A run without games: six cubes, with promotions of both players and pieces with twins."""
OTHER_PATTERN: Final = "[aN]*xb[18]*"
"""Another run, of fewer of the same cubes."""
PLAYED_PATTERN: Final = "[aN]xb1*"
"""A run with games: of strings that either player writes, and of some that only Black does."""
MAX_TRIES: Final = 1000
"""A change that changes nothing so often never will."""

Maker = Callable[[Path], object]
"""Makes something else in the place of a file, such as a pipe."""
Files = dict[str, bytes]


class Forgery(NamedTuple):
    """A run with something wrong in it.

    Attributes:
        files: The files.
        named: The files of which the audit has to name one.
        items: Of these, too, its message has to hold one.
        instead: What is made in the place of a file.
        harmless: Whether it may be as good as before. Then it may pass, but as the same.
    """

    files: Files
    named: tuple[str, ...]
    items: tuple[str, ...] = ("",)
    instead: Mapping[str, Maker] = {}
    harmless: bool = False


class Runs(NamedTuple):
    """The sound runs.

    Attributes:
        run: One without games.
        other: Another one.
        played: One with games.
    """

    run: Files
    other: Files
    played: Files


class Scene(NamedTuple):
    """The start of a forgery: the sound runs, as in :class:`Runs`, and chance."""

    run: Files
    other: Files
    played: Files
    random: Random

    def any_run(self) -> Files:
        """Return the run with games or the one without."""
        return self.random.choice((self.run, self.played))

    def run_with(self, name: str) -> Files:
        """Return a run that has this file."""
        return self.any_run() if name in self.run else self.played


Kind = Callable[[Scene], Forgery]


class NotCaught(Exception):
    """The audit passes a forged run, or refuses it in the wrong way."""


# --- Changes of texts ---


def unpack(name: str, content: bytes) -> bytes:
    """Return the text of a file of a run."""
    if name.endswith(".xz"):
        return lzma.decompress(content)
    return zlib.decompress(content, wbits=31) if name.endswith(".gz") else content


def pack(name: str, text: bytes) -> bytes:
    """Return the file of a run with this text."""
    if name.endswith(".xz"):
        return lzma.compress(text, preset=1)
    return gzipped(text) if name.endswith(".gz") else text


def text_of(files: Files, name: str) -> str:
    """Return the text of a file of ASCII."""
    return unpack(name, files[name]).decode("ascii")


def sealed(files: Files, changed: Mapping[str, bytes] = MappingProxyType({})) -> Files:
    """Return the files with some changed, and a manifest that is right about them.

    Its counts are those of the summary before the change. A manifest that is changed stays so, and
    what only the kernel reads has none.
    """
    content = {**files, **changed}
    if MANIFEST in changed or SUMMARY not in files:
        return content
    content.pop(MANIFEST, None)
    return content | {MANIFEST: make_manifest(content, json.loads(files[SUMMARY]))}


def with_text(files: Files, name: str, text: str | bytes) -> Files:
    """Return the files with another text in one of them, and a manifest that is right about it."""
    content = text.encode("ascii") if isinstance(text, str) else text
    return sealed(files, {name: pack(name, content)})


def until_changed(old: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Return what a change makes that is another.

    Raises:
        ValueError: It never is.
    """
    for _ in range(MAX_TRIES):
        if (new := change(old)) != old:
            return new
    raise ValueError("nothing is changed")


def of_text(
    name: str, change: Callable[[str, Random], str], *named: str, harmless: bool = False
) -> Kind:
    """Change the text of a file; the audit names that file, or one of those that are named."""

    def forge(scene: Scene) -> Forgery:
        files = scene.run_with(name)

        def changed(text: bytes) -> bytes:
            return change(text.decode("ascii"), scene.random).encode()

        text = until_changed(unpack(name, files[name]), changed)
        return Forgery(with_text(files, name, text), (name, *named), harmless=harmless)

    return forge


def list_text(strings: Iterable[str]) -> str:
    """Return strings as a forger who knows the order of the list writes them, one a line."""
    return "\n".join(sorted(set(strings), key=list_order))


# --- Runs ---


def make_runs(directory: Path) -> None:
    """Make the runs with the real command, each in a directory of its name."""
    for name, pattern, *options in (
        ("run", PATTERN, "--no-games"),
        ("other", OTHER_PATTERN, "--no-games"),
        ("played", PLAYED_PATTERN),
    ):
        done = sanproof(*verify_arguments(directory / name, pattern, workers=2), *options)
        if done.returncode:
            raise RuntimeError(done.stderr)


def make_runs_once(factory: pytest.TempPathFactory) -> Path:
    """Return the directory of the runs, which are made once, however many processes test."""
    with shared_folder(factory, "forgeries") as base:
        directory = base / "forgeries"
        if not directory.exists():
            making = Path(tempfile.mkdtemp(dir=base))
            make_runs(making)
            making.rename(directory)
    return directory


def read_files(directory: Path) -> Files:
    """Return the files of a run that its manifest names, and the manifest."""
    manifest = (directory / MANIFEST).read_bytes()
    files = {name: (directory / name).read_bytes() for name in read_manifest(manifest).files}
    return files | {MANIFEST: manifest}


def scene_of(runs: Runs, kind: str, number: int, seed: int = 0) -> Scene:
    """Return the scene of the numbered try of a kind: for a seed always the same."""
    return Scene(*runs, Random(f"{seed} {kind} {number}"))


def lay_down(forgery: Forgery, directory: Path) -> None:
    """Make the directory of a forged run."""
    directory.mkdir(exist_ok=True)
    for name, content in forgery.files.items():
        if name not in forgery.instead:
            (directory / name).write_bytes(content)
    for name, make in forgery.instead.items():
        make(directory / name)


# --- Audits ---


Quiet = partial(Scale, None, lambda *_: None)
"""Makes a progress that is not shown."""


@contextmanager
def fast_audits() -> Iterator[None]:
    """Have audits in this process remember what passed; what fails is checked again each time."""
    fast = cache(check_certificate)
    with (
        mock.patch.object(whole, "select", selected),
        mock.patch.object(theorem, "check_certificate", fast),
        mock.patch.object(replay, "checked_witness", cache(checked_witness)),
    ):
        yield


@cache
def selected(pattern: str | None) -> Selection:
    """Return what a pattern selects, remembered: it is looked for in the whole universe."""
    return select(pattern)


def audit_here(directory: Path, *, second_opinion: bool = False) -> AuditResult:
    """Audit in this process, quietly."""
    return audit(directory, Inline(), Quiet(), second_opinion=second_opinion)


def audit_files(files: Files) -> AuditResult:
    """Audit a run of these files."""
    with TemporaryDirectory() as temporary:
        lay_down(Forgery(files, ()), Path(temporary, "run"))
        return audit_here(Path(temporary, "run"))


def check_caught(forgery: Forgery) -> str:
    """Audit a forged run, and return what the audit says; nothing if it may pass and does.

    Raises:
        NotCaught: It passes, it crashes, or its message does not say what is wrong.
    """
    with TemporaryDirectory() as temporary:
        directory = Path(temporary, "run")
        lay_down(forgery, directory)
        try:
            audit_here(directory)
        except EvidenceError as error:
            message = str(error)
        except BaseException as error:
            raise NotCaught(f"it crashes: {error!r}"[:300]) from error
        else:
            if forgery.harmless:
                return ""
            raise NotCaught(f"it passes, with {' or '.join(forgery.named)} wrong")
    if not message.startswith(tuple(f"{name}: " for name in forgery.named)):
        raise NotCaught(f"it does not name {' or '.join(forgery.named)}: {message[:300]}")
    if not any(item in message for item in forgery.items):
        raise NotCaught(f"it does not name {' or '.join(forgery.items)}: {message[:300]}")
    if not message.isprintable():
        raise NotCaught(f"its message is not one line of text: {message[:300]!r}")
    return message
