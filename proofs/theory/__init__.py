"""Which strings can be played, and why the others cannot. Untrusted."""
