"""The floor of verify: workers, signals, progress, sealed stores."""
