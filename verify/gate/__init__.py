"""Compares somebody's list of strings with the proven one. Untrusted."""
