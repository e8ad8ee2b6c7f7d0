"""Makes the published files of the suite from chosen questions."""
