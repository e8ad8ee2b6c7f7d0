"""An adapter that knows the moves of the initial position, and does harm at the case Nc3."""

import json
import os
import signal
import sys
import time
from pathlib import Path

BEHAVIOUR = sys.argv[1]
MORE = sys.argv[2:]
EVIL = "Nc3"


def say(line: object) -> None:
    sys.stdout.write(f"{line if isinstance(line, str) else json.dumps(line)}\n")
    sys.stdout.flush()


def answer(case: dict[str, str]) -> dict[str, object]:
    san, back = case["san"], case["id"]
    if len(san) == 3:
        origins = {"a": "b1", "c": "b1", "f": "g1", "h": "g1"}
        return {"id": back, "result": origins[san[1]] + san[1:]}
    return {"id": back, "result": f"{san[0]}2{san}"}


def first_time() -> bool:
    mark = Path(MORE[0])
    if mark.exists():
        return False
    mark.touch()
    return True


def harm(case: dict[str, str]) -> None:  # noqa: C901, PLR0912 - a list of sorts of harm
    right, read_ahead = answer(case), sys.stdin.readline
    match BEHAVIOUR:
        case "hangs":
            time.sleep(600)
        case "crashes":
            sys.stderr.write("thread 'main' panicked at \x1b[31msrc/san.rs\n")
            sys.stderr.flush()
            os._exit(101)
        case "is killed":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "crashes once":
            if first_time():
                os._exit(1)
            say(right)
        case "closes its output":
            os.close(1)
            time.sleep(600)
        case "answers twice":
            say(right)
            say(right)
        case "answers out of order":
            say(answer(json.loads(read_ahead())))
            say(right)
        case "answers another case":
            say({"id": 10**9, "result": "b1c3"})
        case "writes garbage":
            say("Warning: \x1b]0;title\x07 ::error::Nc3")
            say(right)
        case "gives both":
            say(right | {"rejected": "no"})
        case "gives a number":
            say({"id": case["id"], "result": 7})
        case "writes errors":
            sys.stderr.write("e" * 5_000_000)
            sys.stderr.flush()
            say(right)
        case "closes its input":
            os.close(0)
            say(right)
            time.sleep(600)
        case _:
            raise ValueError(BEHAVIOUR)


def greet() -> None:
    greeting = {"sanproof": 1, "name": "hostile", "version": "1", "language": "Python"}
    greeting["operations"] = ["read"]
    match BEHAVIOUR:
        case "never greets":
            time.sleep(600)
        case "greets badly":
            say("hello")
        case "ends before it greets":
            sys.exit("no such library")
        case "greets once" if not first_time():
            sys.exit(1)
        case "greets otherwise" if not first_time():
            greeting["version"] = "2"
    say(greeting)


greet()
for number, line in enumerate(iter(sys.stdin.readline, "")):
    case = json.loads(line)
    if BEHAVIOUR == "always crashes" or (BEHAVIOUR.startswith("greets ") and number == 3):
        os._exit(1)
    if BEHAVIOUR == "always hangs":
        time.sleep(600)
    if BEHAVIOUR == "skips":
        say({"id": case["id"], "skip": "tired"})
        continue
    if BEHAVIOUR == "starts others" and number == 0:
        if os.fork() == 0:
            Path(MORE[0]).write_text(str(os.getpid()))
            Path(MORE[0]).rename(MORE[1])
            time.sleep(600)
        time.sleep(600)
    late = ("right", "lasting", "babbles at the end", "dies at the end", "starts others")
    if case["san"] == EVIL and BEHAVIOUR not in late:
        harm(case)
    else:
        say(answer(case))
match BEHAVIOUR:
    case "babbles at the end":
        say("bye")
    case "dies at the end":
        sys.exit(3)
    case "lasting":
        time.sleep(600)
    case _:
        pass
