"""Finds witnesses and refutations, with solvers. Untrusted: what it finds is checked."""
