"""Games from an address: which addresses are read, how they are shown, and unreliable servers.

Web addresses are read with aiohttp, which limits the length and number of headers and refuses what
is not HTTP. Stores of clouds are read with fsspec; its other protocols are not for strangers'
files: some read local files, and some run what a file says.
"""

from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar, cast
from urllib.parse import urlsplit, urlunsplit

from sanproof.verify.errors import Failure

if TYPE_CHECKING:
    import asyncio

    import aiohttp

EXTRA: Final = "pip install 'sanproof[scan]'"
WEB: Final = ("http", "https")
STORES: Final = ("s3", "gs", "az")
LOCAL: Final = "file"
PATIENCE_SECONDS: Final = 60
"""The longest time for which a server may send nothing."""
MIN_BYTES_PER_SECOND: Final = 1000
"""A server that sends less, after as much patience, is left."""
MAX_REDIRECTS: Final = 10

_REDIRECTS: Final = (301, 302, 303, 307, 308)
T = TypeVar("T")


class ServerError(OSError):
    """A server does not answer, or its answer breaks off or is not one."""


def is_address(name: str) -> bool:
    """Check whether a name is an address, and not a path."""
    return "://" in name


def shown(name: str) -> str:
    """Return an address as it may be printed and kept: nothing before ``@`` or after ``?``, ``#``.

    Raises:
        Failure: It is not an address.
    """
    if not is_address(name):
        return name
    try:
        parts = urlsplit(name)
    except ValueError:  # such as http://[
        raise Failure("An address cannot be read: its host is not valid.") from None
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def opened_address(address: str) -> AbstractContextManager[IO[bytes]]:
    """Open an address for reading.

    Raises:
        Failure: It is not of a sort that is read, or the extra that reads it is not installed.
        OSError: It cannot be read (ServerError, of a web address), or a ValueError.
    """
    scheme = address.partition("://")[0].lower()
    if "::" in address or scheme not in {*WEB, *STORES, LOCAL}:
        known = ", ".join(f"{name}://" for name in (LOCAL, *WEB, *STORES))
        raise Failure(f"{shown(address)} is not an address that can be read. These can: {known}")
    if scheme == LOCAL:
        from urllib.request import url2pathname  # noqa: PLC0415 - takes long to import

        return Path(url2pathname(urlsplit(address).path)).open("rb")
    try:
        import aiohttp  # noqa: F401, PLC0415 - for addresses only
        import fsspec  # noqa: F401, PLC0415
    except ImportError as error:
        raise Failure(f"{shown(address)} is an address: {EXTRA} to read it.") from error
    return _web(address) if scheme in WEB else _stored(address)


@contextmanager
def _web(address: str) -> Iterator[IO[bytes]]:
    import asyncio  # noqa: PLC0415 - for addresses only

    import aiohttp  # noqa: PLC0415 - for addresses only

    if "@" in urlsplit(address).netloc:
        raise Failure(
            f"{shown(address)} was given with a name or password: put them into ~/.netrc, from "
            "which they are sent."
        )
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        session = runner.run(_session(aiohttp))
        stack.callback(lambda: runner.run(session.close()))
        body = stack.enter_context(closing(_Body(runner, session, address)))
        yield cast("IO[bytes]", body)


async def _session(library: Any) -> "aiohttp.ClientSession":  # noqa: ANN401 - a module
    """Return a client that unpacks nothing, and takes proxies and passwords from their places."""
    headers = {"User-Agent": "sanproof", "Accept-Encoding": "identity"}
    session: aiohttp.ClientSession = library.ClientSession(
        auto_decompress=False, trust_env=True, headers=headers, timeout=library.ClientTimeout()
    )
    return session


class _Body:
    """The body of a server's answer, read as a file is."""

    def __init__(
        self, runner: "asyncio.Runner", session: "aiohttp.ClientSession", address: str
    ) -> None:
        self._runner = runner
        self._patience = float(PATIENCE_SECONDS)
        self._break: ServerError | None = None
        self._answer = self._wait(_answer(session, address))

    def close(self) -> None:
        """Close the connection."""
        self._answer.close()

    def read(self, size: int) -> bytes:
        """Return as much as has come, up to so many bytes; none at the end.

        Raises:
            ServerError: The answer breaks off, or comes too slowly.
        """
        if self._break:
            raise self._break
        content = self._answer.content
        try:
            block = self._wait(content.read(size))
        except ServerError as error:
            self._break = error
            content.set_exception(cast("Exception", None))  # what came before it can be read
            if not (block := content.read_nowait(-1)):
                raise
        earned = len(block) / MIN_BYTES_PER_SECOND
        self._patience = min(PATIENCE_SECONDS, self._patience + earned)
        return block

    def _wait(self, task: Coroutine[Any, Any, T]) -> T:
        """Run a task to its end, for as long as there is patience, which the wait uses up."""
        import asyncio  # noqa: PLC0415 - for addresses only

        import aiohttp  # noqa: PLC0415 - for addresses only

        begun = monotonic()
        try:
            return self._runner.run(asyncio.wait_for(task, self._patience))
        except TimeoutError as error:
            raise ServerError(
                f"the server sent nothing for {PATIENCE_SECONDS} seconds, or too slowly"
            ) from error
        except aiohttp.ClientConnectorError as error:
            raise ServerError(f"no server answers: {error.strerror}") from error
        except (aiohttp.ClientOSError, ConnectionError) as error:
            raise ServerError("the connection is lost") from error
        except aiohttp.InvalidURL as error:
            raise ServerError("the address is not valid") from error
        except aiohttp.ClientError as error:
            raise ServerError(
                "the server closed the connection early, or does not speak HTTP"
            ) from error
        finally:
            self._patience -= monotonic() - begun


async def _answer(session: "aiohttp.ClientSession", address: str) -> "aiohttp.ClientResponse":
    """Return the answer of the server to which an address leads.

    Raises:
        ServerError: The server answers with an error, or redirects in circles, from https to http
            or to something else that is not on the web.
    """
    for _ in range(MAX_REDIRECTS):
        answer = await session.get(address, allow_redirects=False)
        if answer.ok and answer.status not in _REDIRECTS:
            return answer
        answer.close()
        if answer.status not in _REDIRECTS:
            reason = " ".join((answer.reason or "").split())[:80]
            raise ServerError(f"the server answers {answer.status} ({reason})")
        there = answer.url.join(type(answer.url)(answer.headers.get("Location", "")))
        if there.scheme not in WEB or (answer.url.scheme, there.scheme) == WEB[::-1]:
            raise ServerError("the server redirects elsewhere")
        address = str(there)
    raise ServerError("the server redirects in a loop")


@contextmanager
def _stored(address: str) -> Iterator[IO[bytes]]:
    import fsspec  # noqa: PLC0415 - for addresses only

    try:
        stream = fsspec.open(address, "rb")
        with stream as found:
            yield cast("IO[bytes]", found)
    except ImportError as error:
        raise Failure(f"{shown(address)} cannot be read: {error}.") from error
