"""Makes the files of a release of the last commit, and installs it: ``... release [--tag v1.0.0]``.

``OUT/dist`` has what goes to PyPI, ``OUT/files`` the data for those who want no Python, with
``SHA256SUMS``, and ``OUT/notes.md`` the first section of the changelog. pip and uv install the
wheel from a folder, with those that it needs, and the first command of README is run.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.verify.command import ROOT

SPECIAL: Final = ("--special", "[PAD],[BOS],[EOS]")
EXPORTS: Final = {
    "vocabulary.json": ("--what", "vocabulary"),
    "witnesses.epd": ("--what", "witnesses"),
    "tokenizer.json": ("--what", "tokenizer", "--results", *SPECIAL),
    "tokenizer-parts.json": ("--what", "tokenizer", "--parts", *SPECIAL),
}
"""The files that `sanproof export` makes for programs that read no packed CSV."""
COMMAND: Final = ("explain", "Ba1b2+")
ANSWER: Final = "Ba1b2+ cannot occur (no-check)."


class ReleaseError(Exception):
    """The commit cannot be released; the message is a sentence."""


def changes(tree: Path) -> tuple[str, str]:
    """Return the heading of the changelog's first section, and its text."""
    changelog = (tree / "CHANGELOG.md").read_text(encoding="utf-8")
    _, heading, text, *_ = re.split(r"^## (.*)$", changelog, flags=re.MULTILINE)
    return heading, text.strip() + "\n"


def check_tag(tree: Path, tag: str) -> None:
    """Compare the tag with the version and with the changelog, which names the day.

    Raises:
        ReleaseError: They disagree.
    """
    version = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    heading, _ = changes(tree)
    if tag != f"v{version}":
        raise ReleaseError(f"The tag is {tag} and the version {version}.")
    if not re.fullmatch(rf"\[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d", heading):
        raise ReleaseError(f"The changelog begins with {heading!r}: name {version} and the day.")


def build(tree: Path, dist: Path, work: Path) -> None:
    """Build sdist and wheel, both again elsewhere, and the wheel from the sdist: the same bytes.

    Raises:
        ReleaseError: The bytes differ.
    """

    def hatch(source: Path, out: Path, *options: str) -> None:
        command = (sys.executable, "-m", "hatchling", "build", *options, "--directory")
        subprocess.run([*command, str(out.resolve())], cwd=source, check=True)

    hatch(tree, dist)
    shutil.copytree(tree, work / "copy", symlinks=True, copy_function=shutil.copy)
    hatch(work / "copy", work / "second")
    (sdist,) = dist.glob("*.tar.gz")
    shutil.unpack_archive(sdist, work / "unpacked")
    (unpacked,) = (work / "unpacked").iterdir()
    hatch(unpacked, work / "third", "--target", "wheel")
    again = [*(work / "second").iterdir(), *(work / "third").iterdir()]
    if len(again) != 3:
        raise ReleaseError("A build gave no sdist or no wheel.")
    for path in again:
        if path.read_bytes() != (dist / path.name).read_bytes():
            raise ReleaseError(f"{path.name} has other bytes in the {path.parent.name} build.")


def gather(tree: Path, out: Path) -> None:
    """Copy the data and the conformance suite, export the tokens, and hash all of it."""
    out.mkdir(parents=True)
    data = tree / "data"
    for folder in (data, data / "conformance", data / "long_form"):
        for path in filter(Path.is_file, folder.iterdir()):
            shutil.copy(path, out / (path.name if folder == data else f"{folder.name}-{path.name}"))
    for name, options in EXPORTS.items():
        command = (sys.executable, "-m", "sanproof", "export", *options, "--out")
        subprocess.run([*command, str((out / name).resolve())], cwd=ROOT, check=True)
    hashes = ((hashlib.sha256(path.read_bytes()), path) for path in sorted(out.iterdir()))
    sums = "".join(f"{found.hexdigest()}  {path.name}\n" for found, path in hashes)
    (out / "SHA256SUMS").write_text(sums, encoding="ascii")


def install(dist: Path, wheels: Path) -> None:
    """Install the release and what it needs from a folder, and ask it.

    Raises:
        ReleaseError: It gives no answer, or another one.
    """
    shutil.rmtree(wheels, ignore_errors=True)
    make = (sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(wheels))
    locked = ("--require-hashes", "--no-build-isolation", "-r", "requirements/run.lock")
    subprocess.run([*make, *locked], check=True)
    for wheel in dist.glob("*.whl"):
        shutil.copy(wheel, wheels)
    from_there = ("--no-index", "--find-links", str(wheels.resolve()))
    uv = shutil.which("uv")
    if uv is None:
        raise ReleaseError("uv is not installed: `nox -s release` installs it.")
    with TemporaryDirectory() as work:
        home = {"HOME": work, "PATH": "/usr/bin:/bin", "PIP_CONFIG_FILE": "/dev/null"}
        venv.create(Path(work, "pip"), with_pip=True)
        programs = Path(work, "pip", "bin")
        pip = (str(programs / "python"), "-m", "pip", "--quiet", "--isolated", "install")
        subprocess.run([*pip, *from_there, "sanproof"], cwd=work, env=home, check=True)
        uvx = (uv, "tool", "run", "--no-config", "--python", sys.executable, *from_there)
        for command in ((str(programs / "sanproof"),), (*uvx, "sanproof")):
            line = [*command, *COMMAND]
            done = subprocess.run(
                line, cwd=work, env=home, capture_output=True, text=True, check=False
            )
            if done.returncode != 1 or done.stdout.split("\n")[0] != ANSWER:
                said = f"{done.stdout}{done.stderr}"
                raise ReleaseError(f"{line} ended with {done.returncode}: {said}")


def main() -> None:
    """Make all files, and install them."""
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tag")
    options = parser.parse_args()
    out = options.folder / "release"
    shutil.rmtree(out, ignore_errors=True)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        # The files of the last commit, as others get them.
        packed = work / "tree.tar"
        subprocess.run(["git", "archive", "--output", packed, "HEAD"], cwd=ROOT, check=True)
        shutil.unpack_archive(packed, work / "tree")
        if options.tag is not None:
            check_tag(work / "tree", options.tag)
        build(work / "tree", out / "dist", work)
        gather(work / "tree", out / "files")
        (out / "notes.md").write_text(changes(work / "tree")[1], encoding="utf-8")
    install(out / "dist", options.folder / "wheels")
    sys.stdout.write("pip and uvx: installed and asked\n")


if __name__ == "__main__":
    try:
        main()
    except ReleaseError as error:
        sys.exit(str(error))
