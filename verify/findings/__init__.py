"""What is wrong with a list, a game or a library: one finding, and a writer for each format."""
