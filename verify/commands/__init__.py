"""The commands, one file for each: what is asked, handed on, and said. Untrusted."""
