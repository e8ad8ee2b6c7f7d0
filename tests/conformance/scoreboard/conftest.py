"""The browser of the pages' tests."""

from tests.reports.conftest import browser, visit

__all__ = ["browser", "visit"]
