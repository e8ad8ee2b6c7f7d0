"""Runs everyday commands in honest but unusual surroundings: each must work as anywhere else.

``python -m tests.campaigns.environments [WORD]``: no home, one that a group may write, one that
nobody may write; a user without an entry in the list of users; strange names of folders; other
masks of rights; Numba switched off, or with a cache of its own. The exit code is 1 if a command
ends otherwise than it does at home. It needs root for another user, as in a container.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.verify.command import ROOT, command

GAME: Final = '[Event "x"]\n\n1. e4 e5 2. Ng1f3 *\n'
LIST: Final = ROOT / "data" / "san_strings.txt"
COMMANDS: Final[tuple[tuple[tuple[str, ...], int], ...]] = (
    (("verify", "--only", "Ka1*", "--workers", "2", "--out", "run"), 0),
    (("scan", "--check", "games.pgn"), 1),
    (("explain", "Ba1b2+"), 1),
    (("gate", str(LIST)), 0),
    (("export", "--what", "strings", "--out", "strings.csv"), 0),
    (("report", "run", "--out", "page"), 0),
)
"""The commands, and how each ends: a move is not canonical, a string is impossible."""
NOBODY: Final = 64_321
PATIENCE_SECONDS: Final = 600


class Surroundings(NamedTuple):
    """Where a command runs.

    Attributes:
        variables: Of the environment, with ``{home}`` for its home; one that is None is unset.
        folder: The name of the working folder.
        home_mode: The rights of the home.
        mask: The mask of rights.
        user: The number of the user.
    """

    variables: dict[str, str | None] = {}  # noqa: RUF012 - never changed
    folder: str = "work"
    home_mode: int = 0o755
    mask: int = 0o022
    user: int = os.getuid()


ALL: Final = {
    "as usual": Surroundings(),
    "no home": Surroundings({"HOME": None}),
    "a home of the group": Surroundings(home_mode=0o775),
    "a home that is read-only": Surroundings(home_mode=0o555, user=NOBODY),
    "a user without an entry": Surroundings({"HOME": None}, user=NOBODY),
    "mask 000": Surroundings(mask=0),
    "mask 077": Surroundings(mask=0o077),
    "temporary files elsewhere": Surroundings({"TMPDIR": "{home}"}),
    "strange names": Surroundings(folder="a b\né"),
    "Numba switched off": Surroundings({"NUMBA_DISABLE_JIT": "1"}),
    "Numba's own cache": Surroundings({"NUMBA_CACHE_DIR": "{home}/numba"}),
}


def prepared(where: Surroundings, base: Path) -> tuple[Path, Path]:
    """Make the home and the working folder."""
    home, work = base / "home", base / where.folder
    for folder in (home, work):
        folder.mkdir()
        os.chown(folder, where.user, -1)
    (work / "games.pgn").write_text(GAME)
    home.chmod(where.home_mode)
    return home, work


def ends(where: Surroundings, base: Path) -> Iterator[str]:
    """Run all commands; yield what ends otherwise than it should."""
    home, work = prepared(where, base)
    given = {"HOME": "{home}", "PYTHONPATH": str(ROOT), **where.variables}
    kept = {name: value for name, value in os.environ.items() if name not in given}
    own = {name: value.format(home=home) for name, value in given.items() if value is not None}
    become: Callable[[], object] | None = None
    if where.user != os.getuid():
        become = _becoming(where.user)
    for arguments, code in COMMANDS:
        done = subprocess.run(
            command(*arguments),
            cwd=work,
            env={**kept, **own},
            umask=where.mask,
            preexec_fn=become,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        if done.returncode != code:
            last = done.stderr.strip().splitlines()[-1:] or [""]
            yield f"{arguments[0]} ends with {done.returncode}, not {code}: {last[0][:300]}"


def _becoming(user: int) -> Callable[[], object]:
    def become() -> None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)

    return become


def main(word: str = "") -> int:
    """Print what goes wrong; return 1 if anything does."""
    code = 0
    for name, where in ALL.items():
        if word not in name:
            continue
        if where.user != os.getuid() and os.getuid():
            sys.stdout.write(f"{name}: not tried, for it needs root\n")
            continue
        with TemporaryDirectory(prefix="sanproof-where-") as folder:
            Path(folder).chmod(0o755)
            wrong = list(ends(where, Path(folder)))
            shutil.rmtree(Path(folder), ignore_errors=True)
            Path(folder).mkdir(exist_ok=True)
        sys.stdout.write(f"{name}: {'; '.join(wrong) or 'all as usual'}\n")
        sys.stdout.flush()
        code |= bool(wrong)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
