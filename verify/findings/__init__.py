"""Findings in a list, a game or a library, and a writer for each format."""
