"""The files of a run that the page offers: those that a run consists of, and no others."""

from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.reports.archive.door import Archive
from sanproof.reports.tables import names

DESCRIPTIONS: Final = {
    names.FULL_LIST: "every string that can be written, one a line",
    names.BARE_LIST: "the same list without the strings that end with + or #",
    names.WITNESSES: "for each string a position (FEN), the move and the position after it",
    names.GAMES_PGN: "the games: one for each string and each player who can play it (PGN)",
    GAMES: "the same games as plain text, for the audit",
    names.COVER_PGN: "fewer games, which together show every string (PGN)",
    names.COVER: "the same games as plain text, for the audit",
    names.COVER_INDEX: (
        f"for each string the first game of {names.COVER_PGN} that shows it, and the ply"
    ),
    names.IMPOSSIBLE: "every other string of the grammar, with the reason why it is impossible",
    CERTIFICATES: "the refutations that prove the other strings impossible",
    names.SUMMARY: "the counts, for programs",
    names.SUMMARY_TEXT: "the counts, for readers",
    names.MANIFEST: "the SHA-256 of each file, and the versions of the programs",
}
"""What each file of a run is, in the order of the page. Only files named here are published:
a forged run could name any other."""

_STEPS: Final = ((1_000_000, "MB"), (1_000, "kB"))


class Download(NamedTuple):
    """A file that the page offers."""

    name: str
    description: str
    content: bytes


def downloads(archive: Archive) -> list[Download]:
    """The files of the run that are published, in the order of the page.

    Raises:
        ArchiveError: A file is damaged.
    """
    contents = dict(archive.files())
    contents[names.MANIFEST] = (archive.directory / names.MANIFEST).read_bytes()
    return [
        Download(name, description, contents[name])
        for name, description in DESCRIPTIONS.items()
        if name in contents
    ]


def size(content: bytes) -> str:
    """How large a file is, for a reader: ``1.2 MB``, ``56 kB`` or ``318 bytes``."""
    for step, unit in _STEPS:
        if len(content) >= step:
            number = len(content) / step
            return f"{number:.1f} {unit}" if number < 10 else f"{number:,.0f} {unit}"
    return f"{len(content)} bytes"
