"""Compares a user's list of strings with the proven one. Untrusted."""
