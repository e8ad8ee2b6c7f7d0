"""Findings about a list, a game or a library, with a writer for each format."""
