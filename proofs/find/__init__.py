"""Finds positions by the move played and what they hold, or refutes that there are any.

Untrusted: python-chess confirms each answer, and refutations are followed by the kernel's checker.
"""
