"""Runs, audits and the command line. Untrusted."""
