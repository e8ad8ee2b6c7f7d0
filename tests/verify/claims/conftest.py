"""The sound runs of the forgers, for those who replay their games."""

from tests.verify.audit.conftest import made

__all__ = ["made"]
