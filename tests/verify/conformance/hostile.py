"""An adapter that knows the moves of the initial position, and does harm at the case Nc3.

Or it does several harms, one in each of the first cases.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BEHAVIOUR, *MORE = sys.argv[1:]


def say(line: object) -> bool:
    sys.stdout.write(f"{line if isinstance(line, str) else json.dumps(line)}\n")
    sys.stdout.flush()
    return True


def die(text: str = "", code: int = 1) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
    os._exit(code)


def sleep(*_: object) -> None:
    time.sleep(600)


def close(number: int) -> bool:
    os.close(number)
    sleep()
    return True


def endless(text: str) -> None:
    while True:
        sys.stdout.write(text)


def every_other_time() -> bool:
    mark = Path(MORE[0])
    is_time = not mark.exists()
    mark.touch() if is_time else mark.unlink()
    return is_time


def start_another() -> None:
    if os.fork() == 0:
        Path(MORE[0]).write_text(str(os.getpid()))
        Path(MORE[0]).rename(MORE[1])
    sleep()


GREETINGS: dict[str, Callable[[], Any]] = {
    "never greets": sleep,
    "greets badly": lambda: say("hello"),
    "ends before it greets": lambda: sys.exit("no such library"),
    "greets at times": lambda: every_other_time() or sys.exit(1),
}
ALWAYS: dict[str, Callable[[], Any]] = {
    "always crashes": die,
    "always hangs": sleep,
    "greets at times": die,
    "starts others": start_another,
}
HARM: dict[str, Callable[[dict[str, Any]], Any]] = {
    "hangs": sleep,
    "crashes": lambda _: die("thread 'main' panicked at \x1b[31msrc/san.rs\n", 101),
    "is killed": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "crashes once": lambda right: die() if every_other_time() else say(right),
    "closes its output": lambda _: close(1),
    "answers another case": lambda _: say({"id": 10**9, "result": "b1c3"}),
    "writes garbage": lambda _: say("Warning: \x1b]0;title\x07 ::error::Nc3"),
    "writes no line": lambda _: endless("x" * 65536),
    "writes lines": lambda _: endless("{}\n"),
    "nests": lambda _: say("[" * 200_000),
    "gives both": lambda right: say(right | {"rejected": "no"}),
    "gives a number": lambda right: say(right | {"result": 7}),
    "writes errors": lambda right: sys.stderr.write("e" * 5_000_000) and say(right),
    "closes its input": lambda right: say(right) and close(0),
}


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """Return the right answer."""
    if BEHAVIOUR == "skips":
        return {"id": case["id"], "skip": "tired"}
    *piece, file, _ = san = case["san"]
    origin = ("b1" if file in "ac" else "g1") if piece else f"{file}2"
    return {"id": case["id"], "result": origin + san[-2:]}


GREETINGS.get(BEHAVIOUR, str)()  # which does no harm
greeting = {"sanproof": 1, "name": "hostile", "version": "1", "language": "Python"}
say(greeting | {"operations": ["read"]})
time.sleep(0.5 if BEHAVIOUR == "skips" else 0)
for line in iter(sys.stdin.readline, ""):
    asked = json.loads(line)
    ALWAYS.get(BEHAVIOUR, str)()
    harms = {"Nc3": BEHAVIOUR} if BEHAVIOUR != "several" else dict(enumerate(MORE, 1))
    HARM.get(harms.get(asked["id"], harms.get(asked["san"], "")), say)(answer(asked))
if BEHAVIOUR == "several":
    sleep()  # and does not end
