"""``sanproof shorten``: shorter games for strings, searched, counted out or sent by users."""
