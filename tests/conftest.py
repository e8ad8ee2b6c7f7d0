"""Settings that all tests share."""

from hypothesis import settings

# An example may build a formula, whose time depends on what else the machine does.
settings.register_profile("sanproof", deadline=None)
settings.load_profile("sanproof")
