"""The files that the page offers: what a run consists of, and nothing that a forger adds."""

from pathlib import Path

import pytest

from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.page.downloads import DESCRIPTIONS, downloads, size
from sanproof.reports.tables.names import MANIFEST, WITH_COVER
from tests.reports.page.samples import sample


def test_every_file_of_a_run_is_described() -> None:
    assert set(DESCRIPTIONS) == {*WITH_COVER, MANIFEST}


def test_the_files_of_the_published_data_are_all_described(published: Archive) -> None:
    offered = {download.name: download for download in downloads(published)}
    assert set(offered) == {name for name, _ in published.files()} | {MANIFEST}
    for name, content in published.files():
        assert offered[name].content == content
        assert offered[name].description == DESCRIPTIONS[name]


@pytest.mark.parametrize(
    "name", ["evil.js", "index.html", "x.svg", ".htaccess", "san_strings.html"]
)
def test_a_file_that_no_run_has_is_not_offered(tmp_path: Path, name: str) -> None:
    with pytest.raises(ArchiveError, match="names of files"):
        downloads(sample(tmp_path, {name: b"alert(1)"}))


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (56_233, "56 kB"),
        (999_999, "1,000 kB"),
        (1_000_000, "1.0 MB"),
        (2_936_093, "2.9 MB"),
    ],
)
def test_sizes_are_for_readers(length: int, expected: str) -> None:
    assert size(bytes(length)) == expected
