"""Searches for inputs that break the rules by which inputs are read."""
