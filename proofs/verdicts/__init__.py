"""A verdict for each string, and a reason for each impossible one. Untrusted."""
