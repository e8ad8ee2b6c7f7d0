"""Generators of SAN strings with small wrong changes, which the gate must find and lead to."""
