"""Game files: every move of every game compared with how it is written, and counted. Untrusted."""
