"""The entry point of the command."""

import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command that ``sys.argv`` names, and end the process with its exit code."""
    try:
        from sanproof.verify.commands.cli import run
        from sanproof.verify.commands.ending import run_to_end
    except KeyboardInterrupt:
        os._exit(130)
    run_to_end(run)
