"""Positions as text and pictures, and moves as python-chess writes them. Untrusted."""
