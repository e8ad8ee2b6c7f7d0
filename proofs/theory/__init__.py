"""The theory: which strings White can play, which arrangements show it, in words and pictures."""
