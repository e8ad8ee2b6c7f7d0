"""Asks chess libraries to read and write SAN, and judges their answers. Untrusted."""
