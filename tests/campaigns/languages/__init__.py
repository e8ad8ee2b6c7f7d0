"""Exports of the language, tried in the programs that read them: `nox -s harden -- languages`."""
