"""The sessions by which everything is checked: `nox -l` lists them, `nox` runs the usual ones.

Arguments after `--` go to the tool of the session: `nox -s tests -- -k grammar -x`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2026.4.10"
nox.options.default_venv_backend = "virtualenv"
nox.options.error_on_external_run = True
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "types", "tests", "data", "formal", "full"]

LOCKED = ("--require-hashes", "--no-build-isolation", "-r")
"""Nothing is installed whose hash is not in a lock file, the build backends included."""

TWO_WORKERS = ("-n", "2", "--dist", "worksteal")
"""Each takes half of the folders, so that what a folder's tests share is made once, and takes of
the other's when it has done its own."""


def install_once(session: nox.Session, source: str, *arguments: str) -> None:
    """Install something unless the environment already has it from the same bytes of a file."""
    seen = Path(session.virtualenv.location, Path(source).name)
    if not (seen.exists() and seen.read_bytes() == Path(source).read_bytes()):
        session.install(*arguments)
        copy = "import shutil, sys; shutil.copyfile(*sys.argv[1:])"
        session.run_install("python", "-c", copy, source, str(seen), silent=True)


def install_locked(session: nox.Session, lock: str = "dev") -> None:
    """Install the locked tools and dependencies, without sanproof itself."""
    for name in ("bootstrap", lock):
        file = f"requirements/{name}.lock"
        install_once(session, file, *LOCKED, file)


def install_editable(session: nox.Session, lock: str = "dev") -> None:
    """Install locked dependencies, and sanproof as a link to this tree."""
    install_locked(session, lock)
    editable = ("--no-deps", "--no-build-isolation", "--editable", ".")
    install_once(session, "pyproject.toml", *editable)


def install_wheel(session: nox.Session) -> None:
    """Install sanproof as a wheel with its extra `prove`, as a user would get it."""
    install_locked(session, "prove")
    session.install("--no-deps", "--no-build-isolation", "--force-reinstall", ".")


def install_npm(session: nox.Session, folder: str, *, required: bool = True) -> None:
    """Install what a folder's package-lock.json names."""
    session.run_install(
        *("npm", "ci", "--prefix", folder),
        *("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"),
        external=True,
        success_codes=[0] if required else range(256),
    )


def install_node_libraries(session: nox.Session) -> None:
    """Install the chess libraries for Node.js, for tests that are skipped without them."""
    if shutil.which("npm"):
        install_npm(session, "tests/campaigns/replay", required=False)
    if not Path("tests/campaigns/replay/node_modules").exists():
        session.warn("The libraries for Node.js are not there: tests that need them are skipped.")


def run_tests(session: nox.Session, *arguments: str) -> None:
    """Run tests; what they load is compiled once, and the libraries were when they came."""
    session.run("pytest", *arguments, env={"PYTHONDONTWRITEBYTECODE": ""})


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and imports (arguments go to ruff check)."""
    session.install(*LOCKED, "requirements/lint.lock")  # the tools only read, and import nothing
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", "--check")
    session.run("lint-imports", "--no-cache", "--no-logo")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types, strictly, and those of the pages' examples (arguments go to mypy)."""
    install_locked(session)
    examples = str(Path(session.create_tmp()) / "examples")
    session.run("python", "-m", "tests.page_examples", examples)
    files = nox.project.load_toml("pyproject.toml")["tool"]["mypy"]["files"]
    session.run("mypy", *(session.posargs or (*files, examples)))
    if shutil.which("npm"):
        install_npm(session, "tests/page_examples", required=False)
    pyright = "tests/page_examples/node_modules/pyright/index.js"
    if not Path(pyright).exists():
        session.warn("pyright is not there (npm installs it): it is not asked about the examples.")
        return
    python = str(Path(session.bin) / "python")
    session.run("node", pyright, "--pythonpath", python, "--project", examples, external=True)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests on two workers, without the slow ones (arguments go to pytest)."""
    install_editable(session)
    install_node_libraries(session)
    run_tests(session, *TWO_WORKERS, "-m", "not browser and not slow", *session.posargs)


@nox.session
def every_test(session: nox.Session) -> None:
    """Run all tests, the slow ones as well, on fresh random examples (arguments go to pytest)."""
    install_editable(session)
    install_node_libraries(session)
    fresh = "--hypothesis-profile=fresh"
    run_tests(session, *TWO_WORKERS, "-m", "not browser", fresh, *session.posargs)


@nox.session
def full(session: nox.Session) -> None:
    """Decide every string from scratch and audit it (arguments go to sanproof verify).

    Without arguments games and cover are left out, which take ten times as long; `-- --cover`
    finds them too. The games that are published `data` replays.
    """
    install_wheel(session)
    out = Path(session.create_tmp()) / "run"
    shutil.rmtree(out, ignore_errors=True)  # a finished run would only be shown again
    workers = max(2, os.cpu_count() or 2)
    options = session.posargs or ["--no-games"]
    session.run("sanproof", "verify", "--out", str(out), "--workers", str(workers), *options)
    session.run("sanproof", "audit", str(out), "--second-opinion")
    for name in ("san_strings.txt", "san_strings_with_symbols.txt"):  # against what was installed
        session.run("sanproof", "gate", str(out / name))


@nox.session
def data(session: nox.Session) -> None:
    """Audit the published data, theorem included; `-- --make` makes it first."""
    install_editable(session, "prove")
    if "--make" in session.posargs:
        run = Path(session.create_tmp()) / "run"
        shutil.rmtree(run, ignore_errors=True)
        session.run("sanproof", "verify", "--out", str(run))
        session.run("python", "-m", "tests.campaigns.publish", str(run), "data")
    session.run("sanproof", "audit", "data")


@nox.session
def harden(session: nox.Session) -> None:
    """List the campaigns, or run one: `nox -s harden -- NAME ARGUMENTS`."""
    name = next(iter(session.posargs), "")
    if campaign := nox.project.load_toml("tests/campaigns/campaigns.toml").get(name, {}):
        install_editable(session)
    for lock_file in campaign.get("locks", ()):
        session.install(*LOCKED, f"requirements/{lock_file}.lock")
    for group in campaign.get("groups", ()):
        project = nox.project.load_toml("pyproject.toml")
        session.install(*nox.project.dependency_groups(project, group))
    if "npm" in campaign and shutil.which("npm"):  # if it is missing, the campaign says so
        install_npm(session, campaign["npm"])
    session.run("python", "-m", "tests.campaigns", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Recompile the lock files (`nox -s lock -- --upgrade` takes the newest versions)."""
    # Not locked itself: what it writes is read as a diff before it is committed.
    session.install(*nox.project.dependency_groups(nox.project.load_toml("pyproject.toml"), "lock"))
    dev, bootstrap = "requirements/dev.lock", "requirements/bootstrap.lock"
    # All are installed into the same environments, so the others must agree with the first.
    for lock_file, source in (
        (dev, ("pyproject.toml", "--extra", "dev")),
        (bootstrap, ("--group", "bootstrap", "--constraints", dev)),
        # Tools that read the sources and run none of them.
        ("requirements/lint.lock", ("--group", "lint", "--constraints", dev)),
        # The packages of the GitHub actions; the second with the solvers.
        ("requirements/run.lock", ("pyproject.toml", "--constraints", dev)),
        ("requirements/prove.lock", ("pyproject.toml", "--extra", "prove", "--constraints", dev)),
        ("requirements/site.lock", ("pyproject.toml", "--extra", "site", "--constraints", dev)),
        ("requirements/page.lock", ("pyproject.toml", "--extra", "page", "--constraints", dev)),
        # The programs for which `sanproof export` writes the language.
        ("requirements/languages.lock", ("--group", "languages", "--constraints", dev)),
    ):
        session.run(
            *("uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"),
            *("--no-emit-index-url", "--no-emit-find-links"),
            *("--custom-compile-command", "nox -s lock"),
            *("--output-file", lock_file),
            *source,
            *session.posargs,
        )


@nox.session
def formal(session: nox.Session) -> None:
    """Prove the theorem in Coq from scratch, and compare its output (`-- --coqchk`, slowly)."""
    if not shutil.which("coqc"):
        session.skip(
            "NOT PROVED IN COQ: install Coq 8.16 first (Debian: apt-get install coq ocaml)"
        )
    install_editable(session, "run")
    build = str(Path(session.create_tmp()) / "formal")
    session.run("python", "-m", "sanproof.proofs.formal.build", "data", build, *session.posargs)
