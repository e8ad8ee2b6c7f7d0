"""The sessions by which everything is checked: `nox -l` lists them, `nox` runs the usual ones.

The others are *campaigns*, long checks across rooms, and `lock`, which recompiles the lock files.

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

WORKERS = ("-n", "3", "--dist", "worksteal")
"""For two cores: some tests wait. Each takes a third of the folders, so that what a folder's tests
share is made once, and takes of the others' when it has done its own."""


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


def install_npm(session: nox.Session, *options: str, required: bool = True) -> None:
    """Install what tests/package-lock.json names."""
    quietly = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    codes = [0] if required else range(256)
    command = ("npm", "ci", "--prefix", "tests", *quietly, *options)
    session.run_install(*command, external=True, success_codes=codes)


def install_npm_if_possible(session: nox.Session) -> None:
    """Install chess.js: without it a few checks are left out."""
    if shutil.which("npm"):
        install_npm(session, "--omit=optional", required=False)
    if not Path("tests/node_modules/chess.js").exists():
        session.warn("What is for Node.js is not there: what needs it is skipped.")


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
    """Check the types, strictly (arguments go to mypy)."""
    install_locked(session)
    session.run("mypy", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests on three workers, without the slow ones (arguments go to pytest)."""
    install_editable(session)
    install_npm_if_possible(session)
    run_tests(session, *WORKERS, "-m", "not browser and not slow", *session.posargs)


@nox.session
def every_test(session: nox.Session) -> None:
    """Run all tests, the slow ones as well, on fresh random examples (arguments go to pytest)."""
    install_editable(session)
    install_npm_if_possible(session)
    fresh = "--hypothesis-profile=fresh"
    run_tests(session, *WORKERS, "-m", "not browser", fresh, *session.posargs)


@nox.session
def full(session: nox.Session) -> None:
    """Decide every string from scratch and audit it (arguments go to sanproof verify).

    Without arguments games and cover are left out, which take ten times as long; `-- --games`
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
        # The packages of the GitHub actions, and with the solvers those of the sessions that prove.
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
    session.run("python", "-m", "sanproof.proofs.formal.build", "data", build)
    if "--coqchk" in session.posargs:  # a minute for each file: some take it hours (124)
        check = ("timeout", "60", "coqchk", "-silent", "-Q", build, "Sanproof", "-norec")
        for name in sorted(path.stem for path in Path(build).glob("*.vo")):
            if not name.startswith(("Extract", "Question")):  # they hold no proof
                session.run(*check, f"Sanproof.{name}", external=True, success_codes=[0, 124])


# --- Campaigns: long checks that are no test of one room, run every week (weekly.yml) ---


def need(session: nox.Session, **programs: str) -> None:
    """End the session if a program is missing; say which Debian package has it."""
    missing = [debian for name, debian in programs.items() if not shutil.which(name)]
    if missing:
        session.error(f"NOTHING WAS CHECKED: apt-get install {' '.join(missing)}")


def folder_of(session: nox.Session) -> str:
    """Return a folder for the files of a session."""
    return str(Path(session.create_tmp()).absolute())


@nox.session
def mutants(session: nox.Session) -> None:
    """Make small wrong changes to every room, which its tests must notice (2 h).

    `-- --sample 0 --each 20 --only verify.notation` takes twenty of one room.
    """
    install_editable(session)
    session.run("python", "-m", "tests.campaigns.mutation", *session.posargs)


@nox.session
def adequacy(session: nox.Session) -> None:
    """Compare the encoding and the criteria of `find` with python-chess (15 min)."""
    install_editable(session)
    session.run("python", "-m", "tests.proofs.encoding.adequacy", *session.posargs)
    session.run("python", "-m", "tests.proofs.find.adequacy")


@nox.session
def hostile(session: nox.Session) -> None:
    """Read random and damaged games, lists, texts and positions (20 min; `-- --seed 7`)."""
    install_editable(session)
    session.run("python", "-m", "tests.campaigns.hostile", *session.posargs)


@nox.session
def forging(session: nox.Session) -> None:
    """Show forged evidence to the kernel (10 min; `-- --seed 7 --count 20`)."""
    install_editable(session)
    session.run("python", "-m", "tests.campaigns.forging", *session.posargs)


@nox.session
def coq(session: nox.Session) -> None:
    """Compare Coq's definitions with python-chess, and tell Coq lies (35 min; `-- --seed 2`)."""
    need(session, coqc="coq", ocamlopt="ocaml")
    install_editable(session)
    folder = folder_of(session)
    build = f"{folder}/build"
    session.run("python", "-m", "tests.proofs.formal.comparison", *session.posargs)
    session.run("python", "-m", "tests.proofs.formal.planted")
    session.run("python", "-m", "sanproof.proofs.formal.build", "data", build)
    session.run("python", "-m", "tests.campaigns.coq_lies", build)
    session.run("python", "-m", "tests.proofs.formal.suite_lies", f"{folder}/suite")


@nox.session
def replay(session: nox.Session) -> None:
    """Have other programs replay the games of `full -- --games`, and read rewritten ones."""
    need(session, **{"pgn-extract": "pgn-extract", "node": "nodejs", "npm": "npm"})
    install_editable(session)
    install_npm(session, "--omit=optional")
    session.run("python", "-m", "tests.campaigns.replay", *session.posargs)


@nox.session
def suite(session: nox.Session) -> None:
    """Prove the core's answers in Coq, write again what follows from it, count mutants (15 min)."""
    need(session, coqc="coq", ocamlopt="ocaml")
    install_editable(session)
    core, build = "data/conformance/core.json", f"{folder_of(session)}/suite"
    session.run("python", "-m", "sanproof.proofs.formal.suite", core, build)
    session.run("python", "-m", "conformance.suite.publish", "--again", "data/conformance")
    session.run("python", "-m", "tests.conformance.mutants.measure")
    made = ("data/conformance", "docs/tables")
    session.run("git", "diff", "--exit-code", *made, external=True)


@nox.session
def libraries(session: nox.Session) -> None:
    """Ask chess libraries the suite, and make the scoreboard (60 min; `-- --keep`)."""
    need(session, node="nodejs", npm="npm", tclsh="tcl")
    install_editable(session)
    session.run("python", "-m", "tests.campaigns.libraries", folder_of(session), *session.posargs)


@nox.session
def pages(session: nox.Session) -> None:
    """Run what the pages say, in environments and programs of their own (15 min)."""
    need(session, cc="gcc", go="golang-go", cargo="cargo", javac="default-jdk", node="nodejs")
    install_editable(session)
    session.install(*LOCKED, "requirements/languages.lock")
    install_npm(session)
    folder = folder_of(session)
    session.run("python", "-m", "tests.campaigns.blocks", f"{folder}/blocks", *session.posargs)
    session.run("python", "-m", "tests.campaigns.languages")
    session.run("python", "-m", "tests.campaigns.programs", f"{folder}/programs")


@nox.session
def browser(session: nox.Session) -> None:
    """Use the pages in a real browser; axe-core looks at them (5 min)."""
    need(session, chromium="chromium")
    install_editable(session)
    session.install(*LOCKED, "requirements/page.lock")
    session.run("pytest", "-m", "browser", *(session.posargs or ("tests",)))


@nox.session
def site(session: nox.Session) -> None:
    """Build the site into .nox/site/tmp/site."""
    install_editable(session)
    session.install(*LOCKED, "requirements/site.lock")
    session.run("python", "-m", "docs.site.build", f"{folder_of(session)}/site")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure commands (`-- --rounds 3 --against DIR`, in turn with another checkout)."""
    install_editable(session)
    session.run("python", "-m", "tests.campaigns.bench", *session.posargs)


@nox.session
def release(session: nox.Session) -> None:
    """Build a release twice to the same bytes; pip and uv install it (`-- --tag v1.0.0`)."""
    install_editable(session)
    session.install(*nox.project.dependency_groups(nox.project.load_toml("pyproject.toml"), "lock"))
    session.run("python", "-m", "tests.campaigns.release", folder_of(session), *session.posargs)
