"""Makes the files of a release of the last commit, and installs it: ``... release [--tag v1.0.0]``.

``OUT/dist`` has what goes to PyPI, ``OUT/files`` the data for those who want no Python, with
``SHA256SUMS``, and ``OUT/notes.md`` the first section of the changelog. The wheel and those that it
needs make an index, in a folder; pip and uv know no other. Then the first command of README is run,
in an environment that nothing else is in.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
EXPORTS: Final = {
    "vocabulary.json": ("--what", "vocabulary"),
    "witnesses.epd": ("--what", "witnesses"),
    "tokenizer.json": ("--what", "tokenizer", "--results", "--special", "[PAD],[BOS],[EOS]"),
    "tokenizer-parts.json": ("--what", "tokenizer", "--parts", "--special", "[PAD],[BOS],[EOS]"),
}
"""The files that `sanproof export` makes for programs that read no packed CSV."""


COMMAND: Final = ("explain", "Ba1b2+")
ANSWER: Final = "Ba1b2+ cannot occur (no-check)."
NO: Final = 1
"""The exit code of `explain` when a string is impossible."""


class ReleaseError(Exception):
    """The commit cannot be released; the message is a sentence."""


def main(arguments: list[str]) -> None:
    """Make all files.

    Raises:
        ReleaseError: The tag, the version and the changelog disagree, or a build is not repeatable.
    """
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tag")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as work:
        tree = committed(Path(work))
        if options.tag is not None:
            check_tag(tree, options.tag)
        out = options.folder / "release"
        shutil.rmtree(out, ignore_errors=True)
        build(tree, out / "dist", Path(work))
        gather(tree, out / "files")
        text = changes((tree / "CHANGELOG.md").read_text(encoding="utf-8"))[1]
        (out / "notes.md").write_text(text, encoding="utf-8")
    install(out, options.folder / "wheels")


def committed(work: Path) -> Path:
    """Return the files of the last commit, as others get them."""
    packed = work / "tree.tar"
    subprocess.run(["git", "archive", "--output", packed, "HEAD"], cwd=ROOT, check=True)
    shutil.unpack_archive(packed, work / "tree")
    return work / "tree"


def changes(changelog: str) -> tuple[str, str]:
    """Return the heading of the changelog's first section, and its text."""
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


# --- As users install it ---


def index(wheels: list[Path], folder: Path) -> str:
    """Make a package index of wheels (PEP 503), and give its address."""
    links: dict[str, list[str]] = {}
    for wheel in wheels:
        name = wheel.name.split("-")[0].lower().replace("_", "-").replace(".", "-")
        links.setdefault(name, []).append(f'<a href="{wheel.resolve().as_uri()}">{wheel.name}</a>')
    for name, anchors in links.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "index.html").write_text("\n".join(anchors), encoding="utf-8")
    return folder.resolve().as_uri()


def check_answer(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Run a command that must give the answer."""
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != NO or done.stdout.split("\n")[0] != ANSWER:
        sys.exit(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")


def install(release: Path, wheels: Path) -> None:
    """Install the release and ask it, with the wheels of what it needs."""
    shutil.rmtree(wheels, ignore_errors=True)
    make = (sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(wheels))
    locked = ("--require-hashes", "--no-build-isolation", "-r", "requirements/run.lock")
    subprocess.run([*make, *locked], check=True)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        address = index(
            [*(release / "dist").glob("*.whl"), *wheels.glob("*.whl")], folder / "index"
        )
        home = {"HOME": work, "PATH": "/usr/bin:/bin", "PIP_CONFIG_FILE": "/dev/null"}
        venv.create(folder / "pip", with_pip=True)
        python = str(folder / "pip" / "bin" / "python")
        pip = (python, "-m", "pip", "--quiet", "--isolated", "install", "--index-url", address)
        subprocess.run([*pip, "sanproof"], cwd=folder, env=home, check=True)
        check_answer([str(folder / "pip" / "bin" / "sanproof"), *COMMAND], folder, home)
        sys.stdout.write("pip install sanproof: installed and asked\n")
        uv = shutil.which("uv")
        if uv is None:
            sys.exit("uv is not installed: `nox -s release` installs it")
        run = (uv, "tool", "run", "--no-config", "--python", sys.executable)
        check_answer([*run, "--default-index", address, "sanproof", *COMMAND], folder, home)
        sys.stdout.write("uvx sanproof: installed and asked\n")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ReleaseError as error:
        sys.exit(str(error))
