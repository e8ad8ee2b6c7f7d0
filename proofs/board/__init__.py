"""Positions as text and pictures, and what python-chess says of a move in them. Untrusted."""
