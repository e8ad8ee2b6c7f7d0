"""The independent replay: games of a run, replayed by programs that share no code."""
