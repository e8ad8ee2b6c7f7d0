"""Asks several adapters side by side, in one thread: none can hold up another, or the run."""

import selectors
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final

from sanproof.verify.conformance.channel import ENDED_WELL, Channel, LineTooLong
from sanproof.verify.conformance.conversation import Conversation, Trouble
from sanproof.verify.conformance.judge import Outcome
from sanproof.verify.conformance.protocol import LONGEST_LINE
from sanproof.verify.conformance.suite import Case
from sanproof.verify.work import signals

PYTHON_CHESS: Final = Path(__file__).with_name("python_chess.py")
"""Our adapter for python-chess, which is installed beside sanproof."""
_LAST_SECONDS: Final = 2.0
"""So long may an adapter take to end when its input has ended."""


class Adapter:
    """An adapter, what is asked of it, and the process that runs now.

    Its ``seconds`` count from the first start to the last answer. Its ``deadline``, when something
    has to have happened, is on the monotonic clock.
    """

    def __init__(self, command: str, conversation: Conversation, timeout_seconds: float) -> None:
        self.command = command
        self._start_command = shell_command(command)
        self.conversation = conversation
        self.seconds = 0.0
        self.deadline = self._started = time.monotonic()
        self._timeout_seconds = timeout_seconds
        self._channel: Channel | None = None
        self._is_ending = False
        self._selector: selectors.BaseSelector | None = None

    @property
    def is_over(self) -> bool:
        """Whether no process runs."""
        return self._channel is None

    def start(self, selector: selectors.BaseSelector) -> None:
        """Start the adapter, and have the selector say when it writes."""
        self._selector = selector
        with signals.held_back():
            self._channel = channel = Channel(self._start_command)
        for pipe, act in ((channel.output, self._take_lines), (channel.errors, self._take_errors)):
            selector.register(pipe, selectors.EVENT_READ, self._if_current(act, channel))
        self._wait_longer()

    def close(self) -> None:
        """Kill the process, if one runs, with all that it started."""
        with signals.held_back():
            if self._channel is not None:
                for pipe in (self._channel.input, self._channel.output, self._channel.errors):
                    self._forget(pipe)
                self._channel.close()
                self._channel = None

    def look_at_clock(self) -> None:
        """Give up waiting if the time is over."""
        if self._channel is None or time.monotonic() < self.deadline:
            return
        if self._is_ending:
            late = f"did not end within {_LAST_SECONDS:g} s of the end of its input"
            self._end(Trouble(Outcome.HUNG, late))
        elif self.conversation.is_greeted:
            self._lose(Trouble(Outcome.HUNG, f"did not answer within {self._timeout_seconds:g} s"))
        else:
            late = f"wrote no line within {self._timeout_seconds:g} s (does it flush its output?)"
            self._lose(Trouble(Outcome.HUNG, late))

    def _take_lines(self, channel: Channel) -> None:
        """Read what the adapter has written."""
        try:
            lines = channel.lines()
        except LineTooLong:
            trouble = Trouble(Outcome.GARBLED, f"wrote a line of more than {LONGEST_LINE:,} bytes")
            self._fail(trouble)
            return
        if lines is None:
            how = channel.how_it_ended()
            if self._is_ending and how.startswith(ENDED_WELL):
                self._end(None)
            else:
                self._fail(Trouble(Outcome.CRASHED, how))
            return
        for line in lines:
            trouble_found = self.conversation.take(line)
            if trouble_found is not None:
                self._fail(trouble_found)
                return
        if lines and not self._is_ending:
            self._wait_longer()
            self._ask(channel)

    def _take_errors(self, channel: Channel) -> None:
        if not channel.read_errors():
            self._forget(channel.errors)

    def _write(self, channel: Channel) -> None:
        channel.flush()
        if not channel.has_unsent:
            self._forget(channel.input)

    def _ask(self, channel: Channel) -> None:
        """Send what is to be sent; if nothing is left to ask, end the input."""
        if self.conversation.is_done:
            self.seconds = time.monotonic() - self._started
            self._forget(channel.input)
            channel.end_input()
            self._is_ending = True
            self.deadline = time.monotonic() + _LAST_SECONDS
            return
        for line in self.conversation.questions():
            channel.send(line)
        was_unsent = self._is_known(channel.input)
        channel.flush()
        if channel.has_unsent and not was_unsent and self._selector is not None:
            act = self._if_current(self._write, channel)
            self._selector.register(channel.input, selectors.EVENT_WRITE, act)

    def _fail(self, trouble: Trouble) -> None:
        if self._is_ending:
            self._end(trouble)
        else:
            self._lose(trouble)

    def _lose(self, trouble: Trouble) -> None:
        """Kill the process, and start another one if cases are left."""
        self.close()
        self.conversation.lose(trouble)
        if not self.conversation.is_done and self._selector is not None:
            self.start(self._selector)
        else:
            self.seconds = time.monotonic() - self._started

    def _end(self, trouble: Trouble | None) -> None:
        """The last process is no longer needed."""
        self.close()
        if trouble is not None:
            self.conversation.finish(trouble)

    def _if_current(self, act: Callable[[Channel], None], channel: Channel) -> Callable[[], None]:
        """What is done when a pipe is ready, unless its process was given up a moment before."""

        def act_if_current() -> None:
            if self._channel is channel:
                act(channel)

        return act_if_current

    def _wait_longer(self) -> None:
        self.deadline = time.monotonic() + self._timeout_seconds

    def _is_known(self, pipe: IO[bytes]) -> bool:
        return self._selector is not None and pipe in self._selector.get_map()

    def _forget(self, pipe: IO[bytes]) -> None:
        if self._selector is not None and not pipe.closed and self._is_known(pipe):
            self._selector.unregister(pipe)


def ask(
    commands: Sequence[str],
    cases: Sequence[Case],
    timeout_seconds: float,
    advance: Callable[[int], None],
    games: Sequence[str] = (),
    *,
    from_game: bool = False,
) -> list[Adapter]:
    """Ask each adapter all the cases.

    Args:
        commands: Shell commands that start the adapters.
        cases: What is asked.
        timeout_seconds: How long an adapter may take to greet, and to answer a case.
        advance: Is called with the number of cases that were answered since the last call.
        games: The games of the suite, for adapters that take moves and no FEN.
        from_game: Whether all adapters are asked so, and not only those that greet so.
    """
    adapters = [
        Adapter(command, Conversation(cases, games, from_game=from_game), timeout_seconds)
        for command in commands
    ]
    known = 0
    with selectors.DefaultSelector() as selector, ExitStack() as stack:
        for adapter in adapters:
            stack.callback(adapter.close)
            adapter.start(selector)
        while running := [adapter for adapter in adapters if not adapter.is_over]:
            wait = min(adapter.deadline for adapter in running) - time.monotonic()
            for key, _ in selector.select(max(0.0, wait)):
                key.data()
            for adapter in running:
                adapter.look_at_clock()
            now = sum(len(adapter.conversation.records) for adapter in adapters)
            advance(now - known)
            known = now
    return adapters


def shell_command(text: str) -> str:
    """Return what starts an adapter: a shell command, or ``python-chess`` for our own adapter."""
    return shlex.join([sys.executable, str(PYTHON_CHESS)]) if text == "python-chess" else text
