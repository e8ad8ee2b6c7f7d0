"""Settings that all tests share."""

import signal

from hypothesis import settings

# What a shell starts in the background ignores Ctrl-C, and so would all that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and nohup, that the terminal is closed

# An example may build a formula, whose time depends on what else the machine does. The examples are
# the same in each run, so that who breaks a property hears of it, and not whoever comes next. Once
# a week others are drawn, and four times as many: `nox -s every_test`.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("fresh", deadline=None, print_blob=True, max_examples=100)
settings.load_profile("same")
