"""``sanproof shorten``: finds shorter games by search, by counting, or in users' files."""
