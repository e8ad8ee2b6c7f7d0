"""The sessions by which everything is checked: `nox -l` lists them, `nox` runs the usual ones.

Arguments after `--` go to the tool of the session: `nox -s tests -- -k grammar -x`.
"""

from __future__ import annotations

import json
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


SMOKE = (
    *("tests/generator/test_files.py", "tests/proofs/rules/test_squares.py"),
    *("tests/verify/notation/test_writing.py", "tests/verify/findings"),
    *("tests/sanproof/test_api.py", "tests/test_sessions.py"),
)
"""Tests of each package that start no search: what is broken everywhere is broken there as well."""

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


def install_editable(session: nox.Session) -> None:
    """Install the locked dependencies, and sanproof as a link to this tree."""
    install_locked(session)
    editable = ("--no-deps", "--no-build-isolation", "--editable", ".")
    install_once(session, "pyproject.toml", *editable)


def install_wheel(session: nox.Session) -> None:
    """Install the locked dependencies, and sanproof as a wheel, as a user would get it."""
    install_locked(session)
    session.install("--no-deps", "--no-build-isolation", "--force-reinstall", ".")


def run_tests(session: nox.Session, *arguments: str) -> None:
    """Run tests; what they load is compiled once, and the libraries were when they came."""
    session.run("pytest", *arguments, env={"PYTHONDONTWRITEBYTECODE": ""})


def install_browser_tools(session: nox.Session) -> None:
    """Install what looks at the page in a browser; without one, skip the session."""
    if not shutil.which("chromium"):
        session.skip("install Chromium first (Debian: apt-get install chromium)")
    install_editable(session)
    session.install(*LOCKED, "requirements/page.lock")


def install_node_libraries(session: nox.Session, *, required: bool = True) -> None:
    """Install the locked chess libraries for Node.js, if npm is there."""
    if shutil.which("npm"):
        session.run_install(
            *("npm", "ci", "--prefix", "tests/replay"),
            *("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"),
            external=True,
            success_codes=[0] if required else range(256),
        )
    if not required and not Path("tests/replay/node_modules").exists():
        session.warn("The libraries for Node.js are not there: tests that need them are skipped.")


def need_coq(session: nox.Session, *programs: str) -> None:
    """Skip the session, loudly, unless Coq and what else it takes are installed."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        session.skip(
            f"NOT PROVED IN COQ: {' and '.join(missing)} missing. Install Coq 8.16 or later and "
            "OCaml first (Debian: apt-get install coq ocaml)"
        )


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format and the arrows between the packages (arguments go to ruff check)."""
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
    """Run the tests on two workers, without the slow ones (arguments go to pytest)."""
    install_editable(session)
    install_node_libraries(session, required=False)  # for the adapter for chess.js
    run_tests(session, *TWO_WORKERS, "-m", "not browser and not slow", *session.posargs)


@nox.session
def smoke(session: nox.Session) -> None:
    """Run a few tests of each package that search nothing (arguments go to pytest)."""
    install_editable(session)
    run_tests(session, *TWO_WORKERS, "-m", "not slow", *(session.posargs or SMOKE))


@nox.session
def every_test(session: nox.Session) -> None:
    """Run all tests, the slow ones as well, on fresh random examples (arguments go to pytest)."""
    install_editable(session)
    install_node_libraries(session, required=False)
    fresh = "--hypothesis-profile=fresh"
    run_tests(session, *TWO_WORKERS, "-m", "not browser", fresh, *session.posargs)


@nox.session
def page(session: nox.Session) -> None:
    """Look strings up on the page in a real browser (arguments go to pytest)."""
    install_browser_tools(session)
    session.run("pytest", "-m", "browser", "tests/reports", *session.posargs)


@nox.session
def site(session: nox.Session) -> None:
    """Build the site, follow all its links in a real browser, and ask Lighthouse (from npm).

    `-- --out site` keeps it; `-- --slowdown 2` is for Lighthouse on a machine that is slow itself.
    """
    install_editable(session)
    session.install(*LOCKED, "requirements/site.lock")
    options = dict(zip(session.posargs[::2], session.posargs[1::2], strict=False))
    out = options.get("--out") or str(Path(session.create_tmp()) / "site")
    session.run("python", "-m", "docs.site.build", out)
    if not shutil.which("chromium"):
        session.skip("NOT WALKED: install Chromium first (Debian: apt-get install chromium)")
    session.install(*LOCKED, "requirements/page.lock")
    session.run("python", "-m", "tests.site.walk", out)
    if not shutil.which("npx"):
        session.skip("NOT ASKED: install Node.js with npm first, for Lighthouse")
    slowdown = options.get("--slowdown", "4")
    session.run("python", "-m", "tests.site.lighthouse", out, "--slowdown", slowdown)


@nox.session
def pictures(session: nox.Session) -> None:
    """Take the pictures of the page that the documentation shows again."""
    install_browser_tools(session)
    session.run("python", "-m", "tests.reports.page.pictures")


@nox.session(venv_backend="none")
def vendor(session: nox.Session) -> None:
    """Build the page's board again from its libraries, and see that the bytes are the same."""
    if not shutil.which("npm"):
        session.skip("install Node.js with npm first")
    session.chdir("reports/page/vendor")
    session.run("npm", "ci", "--ignore-scripts", external=True)
    session.run("npm", "run", "build", external=True)
    session.run("git", "diff", "--exit-code", ".", external=True)


@nox.session
def full(session: nox.Session) -> None:
    """Decide every string from nothing and audit it (arguments go to sanproof verify).

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
    install_editable(session)
    if "--make" in session.posargs:
        run = Path(session.create_tmp()) / "run"
        shutil.rmtree(run, ignore_errors=True)
        session.run("sanproof", "verify", "--out", str(run))
        session.run("python", "-m", "sanproof.reports.exports.publish", str(run), "data")
    session.run("sanproof", "audit", "data")


@nox.session
def suite(session: nox.Session) -> None:
    """Write the published conformance suite again, and see that the bytes are the same.

    `-- --impossible` also refutes again what chess does not allow, which takes some minutes.
    """
    install_editable(session)
    session.run("python", "-m", "conformance.suite.publish", "data/conformance")
    if "--impossible" in session.posargs:
        session.run("python", "-m", "conformance.suite.impossible", "data/conformance")
    session.run("git", "diff", "--exit-code", "data/conformance", external=True)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure time and memory; fails on nothing but an error (arguments go to the benchmark)."""
    install_editable(session)
    session.run("python", "tests/bench.py", *session.posargs)


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
        # What reads the sources and runs none of them.
        ("requirements/lint.lock", ("--group", "lint", "--constraints", dev)),
        # What the GitHub actions install; the second with the solvers.
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
def adequacy(session: nox.Session) -> None:
    """Compare the encoding and the criteria of `find` with python-chess, in both directions.

    `nox -s adequacy -- --cases 1000000` is a long session of the encoding alone.
    """
    install_editable(session)
    session.run("python", "-m", "tests.proofs.encoding.adequacy", *session.posargs)
    if not session.posargs:
        criteria = ("--cases", "4000", "--answers", "40")  # by itself it takes 20,000
        session.run("python", "-m", "tests.proofs.find.adequacy", *criteria)


@nox.session
def formal(session: nox.Session) -> None:
    """Prove the theorem in Coq from nothing, and compare what Coq says (`-- --coqchk`, slowly)."""
    need_coq(session, "coqc")
    install_editable(session)
    build = str(Path(session.create_tmp()) / "formal")
    session.run("python", "-m", "sanproof.proofs.formal.build", "data", build, *session.posargs)


@nox.session
def formal_comparison(session: nox.Session) -> None:
    """Compare the definitions in Coq with python-chess, and plant errors in them.

    Arguments go to the comparison: `nox -s formal_comparison -- --seed 2`; then none are planted.
    """
    need_coq(session, "coqc", "ocamlopt")
    install_editable(session)
    build = Path(session.create_tmp()) / "player"
    comparison = ("tests.proofs.formal.comparison", "--build", str(build))
    session.run("python", "-m", *comparison, *session.posargs)
    adapter = f"python -m tests.proofs.formal.adapter {build / 'player'}"
    session.run("sanproof", "conformance", "run", adapter)
    if not session.posargs:
        table = str(Path(session.create_tmp()) / "planted.md")
        session.run("python", "-m", "tests.proofs.formal.planted", "--out", table)


@nox.session
def mutants(session: nox.Session) -> None:
    """Make small wrong changes in every room; each must be noticed.

    All of the kernel and a sample of the others: `-- --sample 0 --each 20 --only verify.notation`.
    """
    install_editable(session)
    session.run("python", "-m", "tests.mutants", *session.posargs)


@nox.session
def attack_kernel(session: nox.Session) -> None:
    """Show forged evidence to the kernel; it must refuse it all (`-- --count 20`)."""
    install_editable(session)
    session.run("python", "-m", "tests.attack.kernel", *session.posargs)


@nox.session
def attack_commands(session: nox.Session) -> None:
    """Kill and stop runs, damage their stores, forge runs, close streams (`-- --seed 7`)."""
    install_editable(session)
    session.run("python", "-m", "tests.attack.commands", *session.posargs)


@nox.session
def gate_mutants(session: nox.Session) -> None:
    """Make small wrong changes to two generators; the gate must fail each list they change."""
    install_editable(session)
    session.run("python", "-m", "tests.gating.mutants", *session.posargs)


@nox.session
def corruption(session: nox.Session) -> None:
    """Forge and damage runs in many ways; the audit must refuse each (`-- --seed 7 --count 20`)."""
    install_editable(session)
    session.run("python", "-m", "tests.forgeries", *session.posargs)


@nox.session
def damaged_games(session: nox.Session) -> None:
    """Scan 10,000 damaged and random files on both paths (`-- --files 100 --seed 7`)."""
    install_editable(session)
    session.run("python", "-m", "tests.verify.scan.damaged", *session.posargs)


@nox.session
def replay(session: nox.Session) -> None:
    """Have other programs replay the games of a run (`-- DIR`; by default the one of `full`)."""
    install_editable(session)
    install_node_libraries(session)  # what is missing is said by the last command
    session.run("pytest", "tests/replay")
    report = Path(session.create_tmp()) / "replay.md"
    run = session.posargs or [str(report.parents[2] / "full" / "tmp" / "run")]
    session.run("python", "-m", "tests.replay", *run, "--report", str(report))


@nox.session
def packages(session: nox.Session) -> None:
    """Scan the game files in packages of PyPI, npm and Debian, and compare other readers.

    What they say of each game differs only as `tests/packages/differences.csv` explains.
    """
    install_editable(session)
    session.run("python", "-m", "tests.packages", session.create_tmp())


@nox.session
def suite_mutants(session: nox.Session) -> None:
    """Make a plain implementation of chess wrong in thousands of ways; the suite must notice.

    `-- --each 10` judges every tenth; `-- --keep` writes both tables of docs/cases.md again.
    """
    install_editable(session)
    session.install("pytest")
    session.run("python", "-m", "tests.verify.conformance.mutants", *session.posargs)


def npm_package(folder: Path) -> None:
    """Put into a folder what npm packs: the runner, the two suites, and where the project lives."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree("conformance/runners/javascript", folder)
    for level in ("smoke", "core"):
        shutil.copy(f"data/conformance/{level}.json", folder)
    project = nox.project.load_toml("pyproject.toml")
    address = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    about = json.loads((folder / "package.json").read_text("utf-8"))
    about["repository"] = {
        "type": "git",
        "url": f"git+{address}.git",
        "directory": "conformance/runners/javascript",
    }
    (folder / "package.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


@nox.session
def runners(session: nox.Session) -> None:
    """Ask chess.js and python-chess the suite with nothing of sanproof, from an empty folder.

    The npm package is packed and installed beside chess.js; the one file of Python is copied.
    """
    folder = Path(session.create_tmp()).resolve()
    adapters = Path("conformance/adapters").resolve()
    suites = Path("data/conformance").resolve()
    package = folder / "package"
    npm_package(package)
    shutil.copy(adapters / "chessjs.mjs", folder)
    shutil.copy("verify/conformance/libraries/python_chess.py", folder)
    shutil.copy("verify/conformance/sanproof_runner.py", folder)
    session.install("chess")
    with session.chdir(folder):
        (folder / "package.json").write_text('{"private": true}')
        packed = session.run("npm", "pack", "--silent", "./package", external=True, silent=True)
        archive = f"./{str(packed).strip().splitlines()[-1]}"
        session.run("npm", "install", "--silent", archive, "chess.js", external=True)
        adapter = ("--", "node", "chessjs.mjs", "--strict")
        for option in ("--write-known", "--known"):  # it fails a few; what failed is known then
            asked = ("npx", "sanproof-conformance", "core", option, "known.txt", *adapter)
            session.run(*asked, external=True)
        core = str(suites / "core.json")
        session.run("python", "-P", "sanproof_runner.py", core, "--", "python", "python_chess.py")


@nox.session
def libraries(session: nox.Session) -> None:
    """Install the world's chess libraries, ask them the suite, and make the scoreboard.

    Each library has an environment of its own; `-- --keep` keeps the results in `data/` and the
    table in docs/libraries.md, and `-- chess.js esca` is about these libraries only. `-- --full 60`
    asks each cases of the full suite for a minute instead, and tables what fails; with more seconds
    it goes on.
    """
    install_editable(session)
    folder = Path(session.create_tmp())
    results = folder / "results.json.xz"
    keys = [key for key in session.posargs if key != "--keep"]
    seconds = ""
    if "--full" in keys:
        place = keys.index("--full")
        _, seconds = (keys.pop(place) for _ in range(2))
    session.run("python", "-m", "conformance.environments", str(folder), *keys)
    if seconds:
        table = "docs/tables/beyond.csv" if "--keep" in session.posargs else f"{folder}/beyond.csv"
        session.run("python", "-m", "conformance.beyond", str(folder), seconds, table, *keys)
        return
    suite = "data/conformance/core.json"
    session.run("python", "-m", "conformance.survey", str(folder), suite, str(results), *keys)
    board = str(folder / "scoreboard")
    session.run("sanproof", "conformance", "report", str(results), "--out", board)
    if "--keep" in session.posargs:
        session.run("python", "-m", "conformance.keep", str(results))


@nox.session
def release(session: nox.Session) -> None:
    """Build the files of a release twice, and install them as users will (`-- --tag v1.0.0`).

    pip and uv get an index of this folder's wheels, and nothing else.
    """
    install_editable(session)
    folder = Path(session.create_tmp())
    arguments = list(session.posargs)
    if "--out" in arguments:
        place = arguments.index("--out")
        _, out = (arguments.pop(place) for _ in range(2))
    else:
        out = str(folder / "release")
        shutil.rmtree(out, ignore_errors=True)
    session.run("python", "-m", "tests.release", out, *arguments)
    wheels = folder / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    session.run("pip", "wheel", "--wheel-dir", str(wheels), *LOCKED, "requirements/run.lock")
    session.install(*nox.project.dependency_groups(nox.project.load_toml("pyproject.toml"), "lock"))
    session.run("python", "-m", "tests.installing", out, str(wheels))


@nox.session
def languages(session: nox.Session) -> None:
    """Try the exports of the language in the programs that read them (`-- re2 c`; none else then).

    They are `python -m tests.languages`' checks: tokenizers, engines of regular expressions,
    grammars, C and Node.js.
    """
    for program in ("node", "npm", "cc"):
        if shutil.which(program) is None:
            session.skip(f"NOTHING WAS TRIED: {program} is missing (apt-get install npm gcc)")
    install_editable(session)
    session.install(*LOCKED, "requirements/languages.lock")
    session.run(
        *("npm", "ci", "--prefix", "tests/languages", "--ignore-scripts"),
        *("--no-audit", "--no-fund", "--loglevel=error"),
        external=True,
    )
    session.run("python", "-m", "tests.languages", *session.posargs)


@nox.session
def acl2(session: nox.Session) -> None:
    """Have ACL2's checker of LRAT, which is proved sound, check every refutation; needs ACL2."""
    if shutil.which("acl2") is None:
        packages = "acl2 acl2-books acl2-books-certs acl2-books-source"
        session.skip(f"NOTHING WAS CHECKED: ACL2 is not installed (apt-get install {packages})")
    install_editable(session)
    session.run("python", "-m", "tests.acl2", *session.posargs)


@nox.session
def trust(session: nox.Session) -> None:
    """Print the table of TRUST.md: the files that an audit rests on, with their line counts."""
    install_editable(session)
    session.run("python", "-m", "tests.trust", *session.posargs)
