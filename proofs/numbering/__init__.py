"""Numbers positions: each whole number below a size stands for one position, and back.

Untrusted: a wrong number can spoil a sample or a test's input, never a verdict.
"""
