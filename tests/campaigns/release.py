"""Makes the files of a release of the last commit: ``... release OUT [--tag v1.0.0]``.

``OUT/dist`` has what goes to PyPI, ``OUT/files`` the data for those who want no Python, with
``SHA256SUMS``, and ``OUT/notes.md`` the first section of the changelog.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
EXPORTS: Final = {
    "vocabulary.json": ("--what", "vocabulary"),
    "witnesses.epd": ("--what", "witnesses"),
    "tokenizer.json": ("--what", "tokenizer", "--results", "--special", "[PAD],[BOS],[EOS]"),
    "tokenizer-parts.json": ("--what", "tokenizer", "--parts", "--special", "[PAD],[BOS],[EOS]"),
}
"""What `sanproof export` makes of the published data, for programs that read no packed CSV."""


class ReleaseError(Exception):
    """The commit is none to release; the message is a sentence."""


def main(arguments: list[str]) -> None:
    """Make all files.

    Raises:
        ReleaseError: The tag, the version and the changelog disagree, or a build is not repeatable.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.release", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tag")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as work:
        tree = committed(Path(work))
        if options.tag is not None:
            check_tag(tree, options.tag)
        if options.out.exists() and not (options.out / "notes.md").exists():
            raise ReleaseError(f"{options.out} is no earlier release: name a new folder.")
        shutil.rmtree(options.out, ignore_errors=True)
        build(tree, options.out / "dist", Path(work))
        gather(tree, options.out / "files")
        text = changes((tree / "CHANGELOG.md").read_text(encoding="utf-8"))[1]
        (options.out / "notes.md").write_text(text, encoding="utf-8")


def committed(work: Path) -> Path:
    """The files of the last commit, as others get them."""
    packed = work / "tree.tar"
    subprocess.run(["git", "archive", "--output", packed, "HEAD"], cwd=ROOT, check=True)
    shutil.unpack_archive(packed, work / "tree")
    return work / "tree"


def changes(changelog: str) -> tuple[str, str]:
    """The heading of the changelog's first section, and its text."""
    _, heading, text, *_ = re.split(r"^## (.*)$", changelog, flags=re.MULTILINE)
    return heading, text.strip() + "\n"


def check_tag(tree: Path, tag: str) -> None:
    """Compare the tag with the version and with the changelog, which names the day.

    Raises:
        ReleaseError: They disagree.
    """
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    heading, _ = changes((tree / "CHANGELOG.md").read_text(encoding="utf-8"))
    if tag != f"v{project['version']}":
        raise ReleaseError(f"The tag is {tag} and the version {project['version']}.")
    if not re.fullmatch(rf"\[{re.escape(tag[1:])}\] - \d{{4}}-\d\d-\d\d", heading):
        raise ReleaseError(f"The changelog begins with {heading!r}: name {tag[1:]} and the day.")


def build(tree: Path, dist: Path, work: Path) -> None:
    """Build sdist and wheel, both again elsewhere, and the wheel from the sdist: the same bytes.

    Raises:
        ReleaseError: The bytes differ.
    """
    _hatch(tree, dist)
    shutil.copytree(tree, work / "copy", symlinks=True, copy_function=shutil.copyfile)
    _hatch(work / "copy", work / "second")
    (sdist,) = dist.glob("*.tar.gz")
    shutil.unpack_archive(sdist, work / "unpacked")
    (unpacked,) = (work / "unpacked").iterdir()
    _hatch(unpacked, work / "third", "--target", "wheel")
    for path in sorted(dist.iterdir()):
        for again in (work / "second" / path.name, work / "third" / path.name):
            if again.exists() and again.read_bytes() != path.read_bytes():
                raise ReleaseError(f"{path.name} has other bytes in the {again.parent.name} build.")
    if not any((work / "third").iterdir()):
        raise ReleaseError("The sdist gave no wheel.")


def _hatch(tree: Path, out: Path, *options: str) -> None:
    command = (sys.executable, "-m", "hatchling", "build", *options, "--directory")
    subprocess.run([*command, str(out.resolve())], cwd=tree, check=True)


def gather(tree: Path, out: Path) -> None:
    """Copy the data and the conformance suite, export the tokens, and hash all of it."""
    out.mkdir(parents=True)
    data = tree / "data"
    for folder in (data, data / "conformance", data / "long_form"):
        for path in sorted(filter(Path.is_file, folder.iterdir())):
            shutil.copy(path, out / (path.name if folder == data else f"{folder.name}-{path.name}"))
    for name, options in EXPORTS.items():
        command = (sys.executable, "-m", "sanproof", "export", *options, "--out")
        subprocess.run([*command, str((out / name).resolve())], cwd=ROOT, check=True)
    sums = [
        f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in sorted(out.iterdir())
    ]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="ascii")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ReleaseError as error:
        sys.exit(str(error))
