"""Games from an address: which addresses are read, how they are shown, what goes wrong with them.

Web addresses are read with Python's own client, and the stores of clouds with fsspec, whose other
protocols are not for strangers' files: some read local files, and some run what a file says.
"""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPException, HTTPResponse, IncompleteRead
from pathlib import Path
from typing import IO, Final, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    url2pathname,
)

from sanproof.verify.errors import Failure

EXTRA: Final = "pip install 'sanproof[scan]'"
WEB: Final = ("http", "https")
STORES: Final = ("s3", "gs", "az")
LOCAL: Final = "file"
PATIENCE_SECONDS: Final = 60
"""How long a server may say nothing."""

_SECRET: Final = re.compile(
    r"(?i)(?<=[?&])([^=&]*(?:sig|signature|token|key|password|credential|secret)[^=&]*)=[^&]*"
)
"""A part of a query whose value opens a door, by what such parts are called."""


def is_address(name: str) -> bool:
    """Check whether a name is an address, and not a path."""
    return "://" in name


def shown(name: str) -> str:
    """An address as it may be printed and kept: without passwords and signatures."""
    if not is_address(name):
        return name
    parts = urlsplit(name)
    place = parts.netloc.rpartition("@")[2]
    query = _SECRET.sub(r"\1=***", f"?{parts.query}")[1:]
    return urlunsplit(parts._replace(netloc=place, query=query))


def opened_address(address: str) -> AbstractContextManager[IO[bytes]]:
    """Open an address for reading.

    Raises:
        Failure: It is not of a sort that is read, or what reads it is not installed.
        OSError: It cannot be read, or an HTTPException or a ValueError: see :func:`why_not`.
    """
    scheme = address.partition("://")[0].lower()
    if "::" in address or scheme not in {*WEB, *STORES, LOCAL}:
        known = ", ".join(f"{name}://" for name in (LOCAL, *WEB, *STORES))
        raise Failure(f"{shown(address)} is not an address that can be read. These can: {known}")
    if scheme == LOCAL:
        return Path(url2pathname(urlsplit(address).path)).open("rb")
    return _web(address) if scheme in WEB else _stored(address)


def why_not(error: BaseException) -> str | None:
    """Return what is wrong with a web server's answer, or with none; None for other errors."""
    match error:
        case HTTPError() if "infinite loop" in str(error):
            return "the server redirects in circles"
        case HTTPError():
            reason = " ".join(str(error.reason).split())[:80]
            return f"the server answers {error.code}" + (f" ({reason})" if reason else "")
        case URLError():
            why = error.reason
            told = why.strerror if isinstance(why, OSError) and why.strerror else str(why)
            return f"no server answers: {told}"
        case HTTPException():
            return "the server breaks off, or its answer is not HTTP"
        case ConnectionError():
            return f"the connection is lost: {error.strerror}"
        case TimeoutError():
            return f"the server did not answer for {PATIENCE_SECONDS} seconds"
        case _:
            return None


LOST: Final = (HTTPException, ConnectionError, TimeoutError)
"""What is raised when a connection breaks."""


def read_block(stream: IO[bytes], size: int) -> bytes:
    """Read some bytes of an opened stream; none at the end.

    Raises:
        HTTPException: A server's answer ends before the length that was announced.
    """
    block = stream.read(size)
    if not block and isinstance(stream, HTTPResponse) and stream.length:
        raise IncompleteRead(b"", stream.length)
    return block


def _web(address: str) -> IO[bytes]:
    opener = OpenerDirector()  # the usual one reads files and FTP as well
    for handler in (
        *(ProxyHandler, HTTPHandler, HTTPSHandler, HTTPRedirectHandler),
        *(HTTPErrorProcessor, HTTPDefaultErrorHandler),
    ):
        opener.add_handler(handler())
    request = Request(address, headers={"User-Agent": "sanproof"})  # noqa: S310 - a web address
    answer = opener.open(request, timeout=PATIENCE_SECONDS)
    if answer is None:  # a redirection to an address of another sort
        raise OSError("the server redirects elsewhere")
    return cast("IO[bytes]", answer)


@contextmanager
def _stored(address: str) -> Iterator[IO[bytes]]:
    try:
        import fsspec  # noqa: PLC0415 - for addresses only
    except ImportError as error:
        raise Failure(f"{shown(address)} is an address: {EXTRA} to read it.") from error
    try:
        stream = fsspec.open(address, "rb")
        with stream as found:
            yield cast("IO[bytes]", found)
    except ImportError as error:
        raise Failure(f"{shown(address)} cannot be read: {error}.") from error
