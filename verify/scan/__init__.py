"""Reads game files, compares every move with its SAN, and counts the strings. Untrusted."""
