"""Forged evidence for the kernel, one file for each kind of forgery, and their runner."""
