"""Where the rewritten texts of sources are."""

from sanproof.verify.scan.rewriting import rewritten_names


def test_names_keep_folders_stay_inside_and_differ() -> None:
    within = [
        *("a.pgn", "A.PGN.gz", "a.pgn", "sub/a.pgn.zst", "a.pgn/b.pgn", "x.zip/c.pgn"),
        *("../../etc/d.pgn", "/e.pgn", "", ".0001.part", "games"),
    ]
    names = rewritten_names(within)
    assert names == [
        *("a.pgn", "0002-A.pgn", "0003-a.pgn", "sub/a.pgn", "0002-b.pgn", "x.zip/c.pgn"),
        *("etc/d.pgn", "e.pgn", "games.pgn", "0002-.0001.pgn", "games"),
    ]
