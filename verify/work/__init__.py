"""The basis of long commands: workers, clusters, signals, progress and stores. Untrusted."""
