"""Reads and writes SAN in a position, and explains the result. Untrusted."""
