"""The counts that others published: each has a source that can be opened."""

from urllib.parse import urlsplit

from sanproof.reports.page.claims import CLAIMS


def test_every_count_says_who_and_where() -> None:
    assert len({claim.strings for claim in CLAIMS}) == len(CLAIMS)
    assert [claim.strings for claim in CLAIMS] == sorted(claim.strings for claim in CLAIMS)
    for claim in CLAIMS:
        address = urlsplit(claim.address)
        assert address.scheme in {"http", "https"}
        assert address.netloc
        assert address.path
        assert claim.source
