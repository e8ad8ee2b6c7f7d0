from hypothesis import strategies as st

from sanproof.verify.scan.borders import game_starts

LINES = (
    *('[Event "a"]', '[Site "b"]', "", " ", "1. e4 e5 *", "1-0", "0-1 ", "[%eval 1]"),
    *('[Event "a"]\n\n[Site "b"]', '[Event "a"]\n% b\n\n[Site "b"]', '[Event "a"] e4\n'),
    *(
        "\x1a",
        "1. d4",
        "Nf3 e5",
        "e2e4",
        "\ufeff1. c4",
        '\ufeff[Event "d"]',
        "½-½",
        "1\u20130",
        "1/2",
    ),
    *("{ open", "}", "% remark", "\r", "d4 1/2-1/2", '  [Event "c"]', "[broken", "\ufeff"),
)
texts = st.lists(st.sampled_from(LINES), max_size=30).map(lambda lines: "\n".join(lines).encode())


def begins(text: bytes) -> list[bytes]:
    return [text[start : start + 12] for start in game_starts(text)]


def test_a_game_begins_at_each_tag_section() -> None:
    text = b'\xef\xbb\xbf\n[Event "a"]\n[Site "x"]\n\n1. e4 *\n[Event "b"]\n\n*\n'
    assert begins(text) == [b'[Event "a"]\n', b'[Event "b"]\n']
    assert game_starts(text.replace(b"\n", b"", 1)) == [0, text.index(b'[Event "b') - 1]


def test_without_tags_a_game_begins_after_a_result_and_an_empty_line() -> None:
    assert begins(b"1. e4 e5 1-0\n\n1. d4 *\n") == [b"1. e4 e5 1-0", b"1. d4 *\n"]
    assert len(begins(b"1. e4 e5\n\n1. d4 *\n")) == 1
    assert len(begins(b"1. e4 e5 1-0\n2. d4 *\n")) == 1
