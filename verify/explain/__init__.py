"""Answers whether one string can occur, and why. Untrusted."""
