"""Installs a release as users do: ``python -m tests.campaigns.installing RELEASE WHEELS``.

Its wheel and those it needs make an index, in a folder; pip and uv know no
other. Then the first command of README is run, in an environment that nothing else is in.
"""

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

COMMAND: Final = ("explain", "Ba1b2+")
ANSWER: Final = "Ba1b2+ is impossible (no-check)."
MOST_BYTES: Final = 40_000_000
"""So much may be installed without extras."""
NO: Final = 1
"""What `explain` ends with when a string is impossible."""


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


def weight(packages: Path) -> int:
    """How many bytes the files of a folder of packages have, without the installer's own."""
    return sum(
        file.stat().st_size
        for entry in packages.iterdir()
        if not entry.name.startswith(("pip", "setuptools", "pkg_resources", "_distutils"))
        for file in [entry, *entry.rglob("*")]
        if file.is_file()
    )


def check(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Run a command that must give the answer."""
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode != NO or done.stdout.split("\n")[0] != ANSWER:
        sys.exit(f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}")


def main(release: Path, wheels: Path) -> None:
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
        check([str(folder / "pip" / "bin" / "sanproof"), *COMMAND], folder, home)
        (packages,) = (folder / "pip" / "lib").glob("python*/site-packages")
        installed = weight(packages)
        if installed > MOST_BYTES:
            sys.exit(f"sanproof installs {installed:,} bytes, more than {MOST_BYTES:,}")
        print(f"pip install sanproof: {installed:,} bytes installed, and asked")  # noqa: T201
        uv = shutil.which("uv")
        if uv is None:
            sys.exit("uv is not installed: `nox -s harden -- release` installs it")
        run = (uv, "tool", "run", "--no-config", "--python", sys.executable)
        check([*run, "--default-index", address, "sanproof", *COMMAND], folder, home)
        print("uvx sanproof: installed and asked")  # noqa: T201


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
