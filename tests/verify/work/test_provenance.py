"""What is the same code: every module and table of ours, by its name and to the byte."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from sanproof.verify.work import provenance

TREE = {"a.py": "x = 1\n", "b.py": "y = 2\n", "room/c.py": "", "room/table.txt": "e2e4\n"}


def hash_of(tree: Mapping[str, str], folder: Path) -> str:
    """The hash of a package with these files."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sanproof.verify.work.provenance.resources.files", lambda _: folder)
        return provenance.hash_of_code.__wrapped__()


@pytest.mark.parametrize(
    "change",
    [
        {"a.py": "x = 2\n"},
        {"room/c.py": "\n"},
        {"room/table.txt": "e2e3\n"},
        {"room/new.py": ""},
        {"a.py": "x = 1\ny", "b.py": " = 2\n"},
    ],
)
def test_other_code_has_another_hash(change: dict[str, str], tmp_path: Path) -> None:
    first = hash_of(TREE, tmp_path / "one")
    assert first == hash_of(dict(reversed(TREE.items())), tmp_path / "two")
    assert first != hash_of({**TREE, **change}, tmp_path / "three")


def test_a_module_with_another_name_is_other_code(tmp_path: Path) -> None:
    renamed = {name.replace("a.py", "z.py"): text for name, text in TREE.items()}
    assert hash_of(TREE, tmp_path / "one") != hash_of(renamed, tmp_path / "two")


def test_data_and_what_python_compiled_are_no_code(tmp_path: Path) -> None:
    more = {"published/list.txt": "e4\n", "__pycache__/a.pyc": "\0", "page.html": "<p>"}
    assert hash_of(TREE, tmp_path / "one") == hash_of({**TREE, **more}, tmp_path / "two")


def test_what_is_not_installed_has_no_version() -> None:
    assert provenance.version_of("no-such-package-as-this") == provenance.MISSING
    found = provenance.provenance("chess", "no-such-package-as-this")
    assert list(found) == ["chess", "no-such-package-as-this", provenance.CODE]
    assert found["chess"][0].isdigit()
    assert found[provenance.CODE] == provenance.hash_of_code() != ""
