"""The command line, and the packages behind it: runs, audits, scans and more. Untrusted."""
