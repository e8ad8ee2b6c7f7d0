"""Settings that all tests share."""

import signal

from hypothesis import settings

# What a shell starts in the background ignores Ctrl-C, and so would all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and nohup, that the terminal is closed

# An example may build a formula, whose time depends on what else the machine does.
settings.register_profile("sanproof", deadline=None)
settings.load_profile("sanproof")
