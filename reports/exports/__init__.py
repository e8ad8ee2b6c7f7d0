"""Reads finished runs and writes them in the formats of other programs. Untrusted."""
