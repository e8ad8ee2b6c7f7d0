"""Checks that all files of a run say what the kernel has established. Untrusted."""
