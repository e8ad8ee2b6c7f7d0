"""The names of a run's files, and the files of a run without games, with games, with a cover."""

from typing import Final

from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS

BARE_LIST: Final = "san_strings.txt"
FULL_LIST: Final = STRINGS
WITNESSES: Final = "witnesses.csv"
IMPOSSIBLE: Final = "impossible.csv.xz"
SUMMARY: Final = "summary.json"
SUMMARY_TEXT: Final = "summary.md"
GAMES_PGN: Final = "games.pgn.xz"
COVER: Final = "cover.txt.xz"
COVER_PGN: Final = "cover.pgn"
COVER_INDEX: Final = "cover.csv"
MANIFEST: Final = "manifest.json"
OBSERVED: Final = "observed.csv.gz"
OBSERVED_SOURCE: Final = "observed.json"
OBSERVED_LICENCE: Final = "observed-license.txt"

FILES: Final = (
    *(BARE_LIST, FULL_LIST, WITNESSES, IMPOSSIBLE),
    *(CERTIFICATES, SUMMARY, SUMMARY_TEXT),
)
"""The files of every finished run, besides its manifest."""
WITH_GAMES: Final = (*FILES, GAMES, GAMES_PGN)
WITH_COVER: Final = (*WITH_GAMES, COVER, COVER_PGN, COVER_INDEX)
PUBLISHED_AS: Final = {
    WITNESSES: f"{WITNESSES}.gz",
    COVER_PGN: f"{COVER_PGN}.xz",
    COVER_INDEX: f"{COVER_INDEX}.xz",
}
"""The names of large files as published, that is packed; a run does not pack them.

A look-up waits for the witnesses, and gzip unpacks them in a quarter of xz's time.
"""
OBSERVED_FILES: Final = (OBSERVED, OBSERVED_SOURCE, OBSERVED_LICENCE)
"""The other files of published data: counts of played strings, made by others."""
