"""Commands under attack, as they are started by users."""
