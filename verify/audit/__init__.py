"""Checks that every file of a run agrees with what the kernel has established. Untrusted."""
