"""The commands: they read arguments, hand them on, and print what comes back. Untrusted."""
