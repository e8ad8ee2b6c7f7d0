"""The Python examples of the pages, whose types are checked: `nox -s types`."""
