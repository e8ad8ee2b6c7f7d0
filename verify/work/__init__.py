"""What the features of verify stand on: workers, signals, progress, sealed stores."""
