"""Searches the shortest game of each string, and proves a lower bound for it. Untrusted.

Measured for the published table, of which the kernel accepts all 57,216 games
(:mod:`proofs.shortest.checks`): by whichever player is earlier, a string is known at ply 19.2 on
average, and its bound is 16.2; 11,910 strings are exact. Queens named by their square (`Qb6e3#`)
are at 28.3.
"""
