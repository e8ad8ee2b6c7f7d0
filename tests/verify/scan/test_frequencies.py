import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.verify.scan.chunks import ChunkResult, Seen
from sanproof.verify.scan.frequencies import packed
from sanproof.verify.scan.tally import Tally

np = pytest.importorskip("numpy", reason="NumPy is not installed")

STRINGS = ("Nf3", "O-O", "a1", "e4", "e5#")
PROVEN = "\n".join(STRINGS).encode()
numbers = st.integers(1, 1000)
chunks = st.dictionaries(
    st.integers(0, len(STRINGS) - 1), st.builds(Seen, numbers, numbers, numbers, numbers)
)


def as_packed(seen: dict[int, Seen]) -> ChunkResult:
    played = sorted(seen)
    columns = np.array([seen[number] for number in played], dtype=np.int32).reshape(-1, 4).T
    return ChunkResult({"games": 1000}, {}, [], [], packed=packed(np.array(played), columns))


def as_strings(seen: dict[int, Seen]) -> ChunkResult:
    by_string = {STRINGS[number]: value for number, value in seen.items()}
    return ChunkResult({"games": 1000}, by_string, [], [])


@given(st.lists(st.tuples(chunks, st.booleans(), st.booleans()), max_size=8))
@settings(deadline=None)
def test_it_does_not_matter_who_read_a_game(
    parts: list[tuple[dict[int, Seen], bool, bool]],
) -> None:
    mixed, plain = Tally(PROVEN), Tally(PROVEN)
    source = 0
    for seen, is_packed, is_next in parts:
        source += is_next
        mixed.take(source, as_packed(seen) if is_packed else as_strings(seen))
        plain.take(source, as_strings(seen))
        mixed = Tally.read(json.loads(json.dumps(mixed.as_json())), PROVEN, len(parts) + 1)
    assert mixed.places() == plain.places()
    assert mixed.counts == plain.counts


def test_the_first_place_is_that_of_the_first_chunk() -> None:
    tally = Tally(PROVEN)
    for number in range(3):
        tally.take(number // 2, as_packed({3: Seen(2, 1, 7 + number, 5)}))
    assert {san: tuple(place) for san, place in tally.places().items()} == {"e4": (6, 3, 0, 7, 5)}
