"""The things that go wrong in a worker process; a module that a worker can import."""

from typing import NoReturn

from sanproof.verify.work.log import log


def greet() -> None:
    """Log a greeting."""
    log.info("greetings from %s", "a worker")


class Uncopyable(Exception):
    """An error that cannot be made again from its text."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def fail_with_what_cannot_be_copied() -> NoReturn:
    """Fail with an error that another process cannot read."""
    raise Uncopyable("one", "two")


def return_what_cannot_be_copied() -> object:
    """Return what another process cannot read."""
    return lambda: None
