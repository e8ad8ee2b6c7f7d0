"""Files of JSON that may be anybody's are read in bounded memory, or refused with a sentence."""

import lzma
from pathlib import Path

import pytest

from sanproof.verify.conformance.files import (
    MOST_COMMAS,
    MOST_OF_A_SUITE,
    MOST_OF_RESULTS,
    MOST_PARTS,
    read_limited,
)
from sanproof.verify.errors import Failure


@pytest.mark.parametrize("name", ["a.json", "a.json.xz"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[" + b"0" * MOST_OF_RESULTS + b"]", "more than 16 MiB"),
        (b"[" + b"[]," * MOST_PARTS + b"0]", "objects"),
        (b"[" + b"1," * (MOST_COMMAS + 1) + b"1]", "values"),
    ],
    ids=["large", "parts", "values"],
)
def test_what_would_take_much_memory_is_refused(
    name: str, content: bytes, says: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(lzma.compress(content, preset=0) if name.endswith(".xz") else content)
    with pytest.raises(Failure, match=says):
        read_limited(path, MOST_OF_RESULTS if says != "values" else MOST_OF_A_SUITE)


def test_what_is_no_larger_is_read(tmp_path: Path) -> None:
    content = b"[" + b"1," * MOST_COMMAS + b"1]"
    (tmp_path / "a.json").write_bytes(content)
    assert read_limited(tmp_path / "a.json", MOST_OF_A_SUITE) == content
