"""Makes the published files of the suite."""
