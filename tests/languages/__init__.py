"""Exports of the language, tried in the programs for which they are written: `nox -s languages`."""
