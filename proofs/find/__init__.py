"""Finds positions by their move and by criteria, or proves that there are none.

Untrusted: python-chess confirms each answer, and the kernel's checker follows each refutation.
"""
