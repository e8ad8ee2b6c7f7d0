"""Numbers positions: a bijection between the whole numbers below a size and some positions.

Untrusted: a wrong number can spoil a sample or a test's input, never a verdict.
"""
