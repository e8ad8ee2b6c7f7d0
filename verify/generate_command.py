"""``sanproof generate``, which needs neither a run nor a library."""

import os
import sys

from generator.files import write_published_files


def run_generate(directory: str) -> None:
    """Write both published files into a directory, which is made if it is not there.

    Raises:
        OSError: The directory could not be made, or a file or standard output not be written.
    """
    os.makedirs(directory, exist_ok=True)  # noqa: PTH103 - to import pathlib takes as long as this
    for path in write_published_files(directory):
        sys.stdout.write(f"{path}\n")
    sys.stdout.flush()
