"""What stands around a command and is not as it was: its files, its folder, the servers it asks."""

import os
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Final

from tests.campaigns.attack.ending import SCAN, World, about, check_end, run_part
from tests.campaigns.attack.stores import PRECIOUS
from tests.campaigns.forging.model import NotCaught
from tests.verify.command import command, sanproof
from tests.verify.scan.test_addresses import TEXT, answer, server

MODULES: Final = (
    *("multiprocessing", "pickle", "json", "chess", "click", "numpy", "sqlite3", "venv", "pip"),
    *("verify", "proofs", "reports", "sitecustomize", "usercustomize", "tests", "random"),
)


# Files that were changed between two calls of a command that writes


def changed_between(world: World) -> None:
    """A file that a command has written is changed, and the command given again."""
    out = world.folder / "out"
    commands = {
        "verify": run_part(out),
        "scan": ["scan", str(world.games), "--out", str(out), *SCAN],
        "report": ["report", str(world.sound), "--out", str(out)],
        "report of a scan": ["report", str(world.scanned), "--out", str(out)],
        "scoreboard": ["conformance", "report", "--out", str(out)],
        "suite": ["conformance", "export", "--out", str(out)],
        "export": ["export", "--what", "strings", "--out", str(out / "strings.txt")],
        "certificates": [
            *("export", "--run", str(world.sound), "--what", "certificates", "--out", str(out))
        ],
    }
    name = world.random.choice(sorted(commands))
    if name == "export":
        out.mkdir()
    elif name == "verify":  # which takes longest
        shutil.copytree(world.sound, out)
    if name != "verify":
        done = sanproof(*commands[name])
        if done.returncode:
            raise NotCaught(f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")
    files = sorted(path for path in out.rglob("*") if path.is_file() and "sqlite3" not in path.name)
    path = world.random.choice(files)
    precious = world.folder / PRECIOUS
    precious.write_text("precious")
    how, before = world.random.choice(sorted(CHANGES)), path.read_bytes()
    CHANGES[how](path, precious)
    done = sanproof(*commands[name])
    with about(f"{name}, {path.relative_to(out)} {how}"):
        check_end(done.returncode, done.stderr)
        if precious.read_text() != "precious":
            raise NotCaught("a file outside was written")
        if done.returncode == 0 and not _is_whole(path, before):
            raise NotCaught(f"exit code 0, and {path.name} is not as it was")


def _is_whole(path: Path, before: bytes) -> bool:
    """Whether a file is there again; times differ, and a log is not written twice."""
    if path.name in ("summary.json", "manifest.json", "run.log", "scan.log") or not before:
        return path.exists() or path.suffix == ".log"
    return path.is_file() and path.read_bytes() == before


def _emptied(path: Path, _: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path, _: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _extended(path: Path, _: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def _edited(path: Path, _: Path) -> None:
    content = bytearray(path.read_bytes() or b"x")
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _removed(path: Path, _: Path) -> None:
    path.unlink()


def _linked(path: Path, precious: Path) -> None:
    path.unlink()
    path.symlink_to(precious)


def _made_a_directory(path: Path, _: Path) -> None:
    path.unlink()
    path.mkdir()


def _made_a_pipe(path: Path, _: Path) -> None:
    path.unlink()
    os.mkfifo(path)


CHANGES: Final[dict[str, Callable[[Path, Path], None]]] = {
    "emptied": _emptied,
    "cut": _cut,
    "extended": _extended,
    "edited": _edited,
    "removed": _removed,
    "a link": _linked,
    "a directory": _made_a_directory,
    "a pipe": _made_a_pipe,
}


# Folders that are not ours


def hostile_folder(world: World) -> None:
    """A command in a folder full of modules, each of which notes that it was run."""
    for name in MODULES:
        note = f"open({str(world.folder / 'was_run')!r}, 'a').write({name!r} + ' ')\n"
        (world.folder / f"{name}.py").write_text(note)
    shutil.copy(world.games, world.folder / "games.pgn")
    arguments = world.random.choice(
        (
            ["explain", "--prove", "O-O"],
            ["find", "O-O"],
            ["read", "Nf3"],
            ["gate", "--run", str(world.sound), "games.pgn"],
            ["scan", "--out", "scanned", "games.pgn", "--no-fast", "--workers", "2"],
            ["scan", "--check", "games.pgn"],
            ["audit", str(world.runs_folder / "run"), "--workers", "2"],
            ["verify", "--out", "run", "--only", "O-O", "--workers", "2", "--no-games"],
            ["conformance", "run", "python-chess", "--only", "castling.*"],
        )
    )
    done = subprocess.run(
        command(*arguments, first="import sys; sys.path[:1] = []; "),
        cwd=world.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    said = " ".join(arguments[:2])
    if (world.folder / "was_run").exists():
        raise NotCaught(f"{said} runs {(world.folder / 'was_run').read_text()}")
    with about(said):
        check_end(done.returncode, done.stderr)


# Servers that lie


def _circle(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 302, Location=handler.path)


def _elsewhere(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 302, Location="file:///etc/hostname")


def _longer(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 200, TEXT, **{"Content-Length": "100000"})


def _no_length(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 200, TEXT, **{"Content-Length": "-7"})


def _lost(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def _no_http(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x00\x01\x02\r\n\r\n")


def _false_encoding(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 200, b"\x1f\x8bno gzip", Content_Encoding="gzip")


def _false_chunks(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"ffffffffffffffff\r\n" + TEXT)


def _many_headers(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 200, TEXT, **{f"X-{number}": "x" for number in range(500)})


def _one_long_header(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 200, TEXT, X="x" * (1 << 20))


def _a_page(handler: BaseHTTPRequestHandler) -> None:
    answer(handler, 200, b"<!doctype html><title>Log in</title>")


def _status(code: int) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: answer(handler, code)


SERVERS: Final[dict[str, Callable[[BaseHTTPRequestHandler], None]]] = {
    "a circle": _circle,
    "elsewhere": _elsewhere,
    "a length that is too long": _longer,
    "a negative length": _no_length,
    "a lost connection": _lost,
    "no HTTP": _no_http,
    "a false encoding": _false_encoding,
    "false chunks": _false_chunks,
    "many headers": _many_headers,
    "one long header": _one_long_header,
    "a page in place of games": _a_page,
    **{f"status {code}": _status(code) for code in (201, 204, 206, 301, 304, 401, 403, 404, 500)},
}
HARMLESS: Final = frozenset({"many headers", "a negative length", "status 206", "status 201"})
"""What may be read all the same."""


def lying_server(world: World) -> None:
    """Games from a server that does not do what it says."""
    name = world.random.choice(sorted(SERVERS))
    with server(SERVERS[name]) as address:
        check = world.random.random() < 0.5
        where = ["--check"] if check else ["--out", str(world.folder / "out")]
        done = sanproof("scan", *where, address)
    named = f"{address} cannot be read: " in done.stderr or f"{address} is damaged (" in done.stderr
    with about(name):
        check_end(done.returncode, done.stderr, is_said=not named)
        if (
            done.returncode == 0
            and name not in HARMLESS
            and (check or name != "a page in place of games")
        ):
            raise NotCaught("exit code 0")
