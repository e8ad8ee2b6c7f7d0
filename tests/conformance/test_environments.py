import hashlib
import json
import os
from pathlib import Path

import pytest

from conformance import environments
from conformance.environments import NotInstalled, install, install_all
from conformance.registry import ADAPTERS, Library


def library(registry: str, **more: str) -> Library:
    about = {"name": "kit", "key": "kit", "version": "1", "language": "Python", "licence": ""}
    return Library(**about | {"registry": registry, "adapter": "chessops.mjs", "home": ""} | more)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for environments; the programs of package managers are those in ``bin``."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(environments, "PINNED", tmp_path / "pinned")
    return tmp_path


def program(folder: Path, name: str, text: str) -> None:
    path = folder / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    path.chmod(0o755)


def lock(folder: Path, *keys: str) -> None:
    """Write lock files of npm."""
    (folder / "pinned").mkdir()
    for key in keys:
        text = json.dumps({"packages": {"": {"name": key}}})
        (folder / "pinned" / f"{key}.json").write_text(text, "utf-8")


def test_npm_installs_what_the_lock_names_beside_the_adapter(folder: Path) -> None:
    program(folder, "npm", 'echo "$@" > asked; cat package.json > seen; ls >> seen')
    lock(folder, "kit")
    install(library("npm"), folder / "out")
    made = folder / "out" / "kit"
    assert (made / "asked").read_text("utf-8").startswith("ci --ignore-scripts")
    assert (made / "seen").read_text("utf-8").startswith('{"name": "kit"}')
    assert "package-lock.json" in (made / "seen").read_text("utf-8")
    assert (made / "chessops.mjs").read_bytes() == (ADAPTERS / "chessops.mjs").read_bytes()


def test_what_cannot_be_installed_stops_nothing_and_is_said(folder: Path) -> None:
    program(folder, "npm", '[ "${PWD##*/}" = good ] || { echo no such package; exit 1; }')
    lock(folder, "bad", "good")
    both = [library("npm", key="bad"), library("npm", key="good")]
    assert install_all(both, folder / "out") == {"bad": "npm: no such package", "good": ""}


def test_a_program_that_is_missing_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.setenv("PYENV_ROOT", str(folder))
    lock(folder, "kit")
    with pytest.raises(NotInstalled, match="npm is not installed"):
        install(library("npm"), folder / "out")
    with pytest.raises(NotInstalled, match=r"it needs Python 3\.99"):
        install(library("PyPI", python="3.99"), folder / "out")


@pytest.mark.parametrize("is_right", [True, False])
def test_a_debian_package_with_another_hash_is_refused(folder: Path, *, is_right: bool) -> None:
    program(folder, "apt-get", 'printf package > kit_1_all.deb; [ "$2" = kit=1 ]')
    program(folder, "dpkg-deb", 'touch "$3/extracted"')
    kit = library("Debian", sha256=hashlib.sha256(b"package" if is_right else b"other").hexdigest())
    if is_right:
        install(kit, folder / "out")
    else:
        with pytest.raises(NotInstalled, match="another SHA-256"):
            install(kit, folder / "out")
    assert (folder / "out" / "kit" / "extracted").exists() == is_right
