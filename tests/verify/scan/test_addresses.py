"""Games from addresses: which are read, what is shown of them, and servers that lie."""

import gzip
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic, sleep

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.scan.addresses import shown
from sanproof.verify.scan.harness import Damage, chunks_of
from sanproof.verify.scan.sources import find_sources
from tests.verify.command import sanproof

TEXT = b'[Event "x"]\n\n1. e4 *\n'
Answer = Callable[[BaseHTTPRequestHandler], object]


def answer(
    handler: BaseHTTPRequestHandler, code: int, content: bytes = b"", **headers: str
) -> None:
    handler.send_response(code)
    for name, value in {"Content-Length": str(len(content)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)


@contextmanager
def server(reply: Answer) -> Iterator[str]:
    """Run a server on the loopback; yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            reply(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/games.pgn"
        running.shutdown()


def read(address: str) -> bytes:
    """Return what stands there; a Failure if it cannot be read."""
    return b"".join(chunk.data for chunk in chunks_of(find_sources([address])))


def test_a_file_and_a_web_server_are_read(tmp_path: Path) -> None:
    (tmp_path / "my games.pgn").write_bytes(TEXT)
    assert read((tmp_path / "my games.pgn").as_uri()) == TEXT
    for content in (TEXT, gzip.compress(TEXT)):
        with server(lambda handler, content=content: answer(handler, 200, content)) as address:  # type: ignore[misc]
            assert read(address) == TEXT


def too_short(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 200, TEXT, **{"Content-Length": "1000"})


def lost(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x00\x01\x02\r\n\r\n")


def too_short_in_pieces(handler: BaseHTTPRequestHandler) -> None:
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"%x\r\n%s\r\nff\r\n[Ev" % (len(TEXT), TEXT))
    handler.close_connection = True


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (lambda handler: answer(handler, 404), "answers 404"),
        (lambda handler: answer(handler, 403), "answers 403"),
        (lambda handler: answer(handler, 500), "answers 500"),
        (lambda handler: answer(handler, 302, Location=handler.path), "redirects in a loop"),
        (lambda handler: answer(handler, 302, Location="file:///etc/hostname"), "the server"),
        (too_short, "closed the connection early"),
        (too_short_in_pieces, "closed the connection early"),
        (lost, "the connection is lost"),
        (no_http, "does not speak HTTP"),
        (lambda handler: answer(handler, 200, b"\x1f\x8b.", Content_Encoding="gzip"), "be read"),
    ],
)
@pytest.mark.usually(3)
def test_what_goes_wrong_is_said(reply: Answer, why: str) -> None:
    with server(reply) as address, pytest.raises(Failure, match=why):
        read(address)


@pytest.mark.parametrize("reply", [too_short, too_short_in_pieces])
def test_all_that_came_before_a_break_is_read(reply: Answer) -> None:
    damages: dict[int, Damage] = {}
    with server(reply) as address:
        sources = find_sources([address])
        found = list(chunks_of(sources, damaged=damages))
    assert b"".join(chunk.data for chunk in found).startswith(TEXT)
    assert [damage.read for damage in damages.values()] == ["before"]


def test_nobody_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/games.pgn"
    with pytest.raises(Failure, match="no server answers"):
        read(address)
    run = sanproof("scan", "--check", address)
    assert (run.returncode, run.stdout) == (2, "0 games, 0 moves.\n")
    assert "no server answers" in run.stderr


OTHERS = (
    *("reference://x.pgn::http://127.0.0.1:1/x", "zip://x.pgn::file:///tmp/x.zip", "python://x"),
    *("memory://games.pgn", "ftp://127.0.0.1/x.pgn", "simplecache::http://127.0.0.1/x.pgn"),
)


@pytest.mark.parametrize("address", OTHERS)
def test_other_protocols_and_chains_are_refused(address: str) -> None:
    with pytest.raises(Failure, match="is not an address that can be read"):
        read(address)


def test_secrets_are_never_sent_unasked_nor_shown() -> None:
    address = "https://user:secret1@host:1/a.pgn?auth=secret2&part=1#token=secret3"
    assert shown(address) == "https://host:1/a.pgn"
    (source,) = find_sources([address])
    assert "secret" not in source.name
    for place in ("127.0.0.1:1", "[::1"):
        run = sanproof("scan", "--check", address.replace("host:1", place))
        assert run.returncode == 2
        assert "secret" not in run.stderr + run.stdout
        assert "error in sanproof" not in run.stderr
    with pytest.raises(Failure, match="netrc"):
        read(address)
    assert shown("games/a@b?key=1.pgn") == "games/a@b?key=1.pgn"


HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
ENDLESS = {
    "informational answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "headers": (HEAD, b"A: b\r\n"),
    "a header": (HEAD, b"A"),
    "a negative chunk": (CHUNKED + b"-1\r\n", b"x"),
    "a huge chunk": (CHUNKED + b"f" * 17 + b"\r\n", b"x"),
    "an extension of a chunk": (CHUNKED + b"1;", b"a"),
    "trailers": (CHUNKED + b"1\r\n*\r\n0\r\n", b"A: b\r\n"),
}
"""The beginning of each answer that no client should read for ever, and what is repeated."""


@pytest.mark.parametrize(("begins", "repeated"), ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("pause", [0, 0.02])
@pytest.mark.usually(2)
def test_no_server_keeps_us(
    begins: bytes, repeated: bytes, pause: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Endless answers end as soon as patience does, quick ones and slow ones."""
    monkeypatch.setattr("sanproof.verify.scan.addresses.PATIENCE_SECONDS", 0.4)

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(begins)
        with suppress(OSError):
            while True:
                handler.wfile.write(repeated * (1 if pause else 10_000))
                sleep(pause)

    begun = monotonic()
    with server(reply) as address:
        with suppress(Failure):  # what came before the trailers is read
            assert read(address) == b"*"
        assert monotonic() - begun < 20


def test_a_body_that_drips_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanproof.verify.scan.addresses.PATIENCE_SECONDS", 0.4)

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(HEAD + b"\r\n" + TEXT)
        with suppress(OSError):
            while True:
                handler.wfile.write(b" ")
                sleep(0.05)

    damages: dict[int, Damage] = {}
    with server(reply) as address:
        (chunk,) = chunks_of(find_sources([address]), damaged=damages)
    assert chunk.data.startswith(TEXT)
    assert "too slowly" in damages[0].why
