"""The runners that need nothing of sanproof."""
