"""A search for answers of servers that keep a reader, fill its memory or end in another error."""

import gzip
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from time import monotonic, sleep
from typing import Final
from unittest.mock import patch

from sanproof.verify.errors import Failure
from tests.campaigns.forging.model import NotCaught
from tests.verify.scan.test_addresses import TEXT, read

PATIENCE_SECONDS: Final = 0.4
MAX_SECONDS: Final = 15
STATUS: Final = (
    *(["HTTP/1.1 200 OK"] * 6),
    *("HTTP/1.0 200", "HTTP/1.1 100 Continue", "HTTP/1.1 206 Part", "HTTP/1.1 302 Found"),
    *("HTTP/1.1 99999 x", "HTTP/9.9 200 OK", "HTTP/1.1 200 " + "x" * 100_000, "", "\0", "SSH-2.0"),
)
HEADERS: Final = (
    *(f"Content-Length: {n}" for n in (0, 5, len(TEXT), -1, 1 << 70, "x", "005", "5, 6", "")),
    *(["Transfer-Encoding: chunked"] * 4),
    *("Transfer-Encoding: gzip", "Transfer-Encoding: chunked, x", "Content-Encoding: gzip"),
    *("Location: /", "Location: http://[", "Location: //127.0.0.1:1/", "Location: file:///etc"),
    *("Connection: close", "Connection: upgrade", "Upgrade: x", "A: b", " folded", "A", "\0: x"),
    *("Set-Cookie: a=b", "A: " + "x" * 100_000, "\n".join(f"A{i}: x" for i in range(5000))),
)
BODY: Final = (
    *(TEXT, b"5\r\n1. e4\r\n", b"0\r\n\r\n", b"0\r\nA: b\r\n", b"-1\r\n", b"f" * 17 + b"\r\n"),
    *(b"1;x", b"\r\n", b"\0" * 1000, gzip.compress(b"\0" * (1 << 20)), b"ffffff\r\n", b"x" * 5000),
)


def drawn(random: Random) -> tuple[bytes, bytes, str]:
    """Return an answer that is drawn: how it begins, what is repeated, and how it ends."""
    head = [random.choice(STATUS), *random.choices(HEADERS, k=random.randrange(4))]
    line = random.choice(("\r\n", "\r\n", "\r\n", "\n"))
    begins = line.join([*head, "", ""]).encode("latin-1")
    begins += b"".join(random.choices(BODY, k=random.randrange(3)))
    parts = (*BODY, b"A: b\r\n", b"HTTP/1.1 100 Continue\r\n\r\n")
    return begins, random.choice(parts), random.choice(("close", "reset", "wait", "go on", "drip"))


@contextmanager
def serving(begins: bytes, repeated: bytes, end: str) -> Iterator[str]:
    """Run a server that gives each client this answer; yield its address."""

    def reply(client: socket.socket) -> None:
        with client, suppress(OSError):
            client.recv(1 << 16)
            client.sendall(begins)
            if end == "reset":
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            until = monotonic() + MAX_SECONDS + 5
            while end in {"go on", "drip", "wait"} and monotonic() < until:
                client.sendall({"go on": repeated * 50, "drip": repeated[:1], "wait": b""}[end])
                sleep(0 if end == "go on" else 0.05)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=reply, args=listener.accept()[:1], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/games.pgn"
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def search(random: Random) -> None:
    """Read an answer that is drawn.

    Raises:
        NotCaught: It keeps us, or is not refused in a sentence.
    """
    answer = drawn(random)
    begun = monotonic()
    with (
        patch("sanproof.verify.scan.addresses.PATIENCE_SECONDS", PATIENCE_SECONDS),
        patch("sanproof.verify.scan.addresses.MIN_BYTES_PER_SECOND", 1 << 30),
        serving(*answer) as address,
    ):
        try:
            read(address)
        except Failure:
            pass
        except Exception as error:
            raise NotCaught(f"{answer!a:.400}: {type(error).__name__}: {error}") from error
    if (seconds := monotonic() - begun) > MAX_SECONDS:
        raise NotCaught(f"{answer!a:.400} keeps us for {seconds:.0f} s")
