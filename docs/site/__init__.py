"""The site: its pages come from docs/, from docstrings, from `--help`, and from the data."""
