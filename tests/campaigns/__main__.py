"""Runs a campaign of ``campaigns.toml``: ``python -m tests.campaigns NAME [ARGUMENTS]``.

Without a name, or with ``--list``, it prints the table; with ``--json``, the campaigns that the
weekly workflow runs. ``nox -s harden -- NAME`` installs first what the campaign needs.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = Path(__file__).with_name("campaigns.toml")
FOLDERS: Final = ROOT / ".nox" / "campaigns"
PYTHON: Final = {"python": (sys.executable,), "pytest": (sys.executable, "-m", "pytest")}


@dataclass(frozen=True)
class Campaign:
    """One entry of the table, whose head explains the fields."""

    name: str
    does: str
    run: tuple[str, ...]
    minutes: int
    arguments: str = ""
    weekly: bool = True
    needs: dict[str, str] = field(default_factory=dict)
    locks: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    npm: str = ""
    after: str = ""

    @property
    def debian(self) -> str:
        """The Debian packages that it needs."""
        return " ".join(dict.fromkeys(self.needs.values()))

    def missing(self) -> str:
        """Return the Debian packages whose programs are not there."""
        return " ".join(
            dict.fromkeys(debian for name, debian in self.needs.items() if not shutil.which(name))
        )

    def commands(self, arguments: Sequence[str]) -> list[list[str]]:
        """Return its commands, with arguments where they belong."""
        places = {"folder": FOLDERS / self.name, "arguments": shlex.join(arguments)}
        words = [shlex.split(command.format_map(places)) for command in self.run]
        return [[*PYTHON.get(first, (first,)), *rest] for first, *rest in words]


def read_table() -> dict[str, Campaign]:
    """Return the campaigns by name."""
    tables = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: Campaign(name, **entry) for name, entry in tables.items()}


def printed(campaigns: Sequence[Campaign]) -> str:
    """Return the table as text, for people."""
    width = max(len(campaign.name) for campaign in campaigns)
    lines = []
    for campaign in campaigns:
        when = "weekly" if campaign.weekly else "by hand"
        needs = f"; needs {campaign.debian}" if campaign.debian else ""
        after = f"; after nox -s {campaign.after}" if campaign.after else ""
        about = f"{campaign.does} ({campaign.minutes} min, {when}{needs}{after})"
        lines += textwrap.wrap(
            f"{campaign.name:{width}}  {about}", 100, subsequent_indent=" " * (width + 2)
        )
        lines += [f"{'':{width}}  -- {campaign.name} {campaign.arguments}"] * bool(
            campaign.arguments
        )
    return "\n".join(lines)


def weekly(campaigns: Sequence[Campaign]) -> str:
    """Return, as JSON, what the weekly workflow's matrix is made of."""
    rows = [
        {"name": campaign.name, "debian": campaign.debian, "after": campaign.after}
        for campaign in campaigns
        if campaign.weekly
    ]
    return json.dumps(rows)


def main(arguments: Sequence[str]) -> int:
    """Print the table or run a campaign; return the exit code of its first command that fails."""
    campaigns = read_table()
    if not arguments or arguments[0] in {"--list", "--json"}:
        show = weekly if "--json" in arguments else printed
        sys.stdout.write(show(list(campaigns.values())) + "\n")
        return 0
    name, *rest = arguments
    if name not in campaigns:
        sys.stderr.write(f"There is no campaign {name}: it is one of {', '.join(campaigns)}.\n")
        return 2
    campaign = campaigns[name]
    if missing := campaign.missing():
        sys.stderr.write(f"NOTHING WAS CHECKED: apt-get install {missing}\n")
        return 2
    if rest and not any("{arguments}" in command for command in campaign.run):
        sys.stderr.write(f"The campaign {name} takes no arguments.\n")
        return 2
    (FOLDERS / name).mkdir(parents=True, exist_ok=True)
    for command in campaign.commands(rest):
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        if code := subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
