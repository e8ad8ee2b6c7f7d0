"""The commands, which read arguments, call other packages, and print the results. Untrusted."""
