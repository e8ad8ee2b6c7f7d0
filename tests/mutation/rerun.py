"""A part of the universe decided and audited by this tree's own command.

As a program: ``python -m tests.mutation.rerun "Nxa1*"``. The run ends with an error if a string
stays undecided, if the solvers disagree, or if the generator claims other strings.
"""

import subprocess
import sys
from tempfile import TemporaryDirectory

PROGRAM = "import sys; sys.argv[0] = 'sanproof'; from verify.commands.start import main; main()"


def main(pattern: str) -> int:
    """The exit code of the first command that fails."""
    with TemporaryDirectory() as directory:
        for command in (
            ["verify", "--out", directory, "--only", pattern, "--workers", "1"],
            ["audit", directory, "--workers", "1"],
        ):
            code = subprocess.run([sys.executable, "-c", PROGRAM, *command], check=False).returncode
            if code:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
