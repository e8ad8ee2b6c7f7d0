"""Reads finished runs and hands them out in other programs' forms. Untrusted."""
