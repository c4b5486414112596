"""Engines and threads, with what concerns `asyncio`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

from hookc import _hookc

if TYPE_CHECKING:
    from hookc._hookc import _Event, _Strategy, _Vocabulary


_R = TypeVar("_R")


async def _wait(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


class _Own(ThreadPoolExecutor):
    """A thread for one call, which does not wait for its end: a cancelled call ends when its handler does."""

    def __exit__(self, *error: object) -> None:
        self.shutdown(wait=False)


_depth: ContextVar[int] = ContextVar("hookc_depth", default=0)
"""How many calls of `handle_async` and `on_async` this code runs within."""


class _Total:
    """How many calls were made within one call."""

    def __init__(self) -> None:
        self._calls = 0
        self._lock = threading.Lock()

    def next(self) -> int:
        with self._lock:
            self._calls += 1
            return self._calls


_total: ContextVar[_Total | None] = ContextVar("hookc_total", default=None)
"""Those of the outermost call that this code runs within."""


async def _in_thread(call: Callable[[Callable[[Awaitable[Any]], Any]], _R]) -> _R:
    """Makes a call in a thread. The function that it gets waits for `async` handlers, which run in this event loop."""
    depth = _depth.get()
    # The runtime counts within one thread only, and `async` handlers run in another one.
    if depth >= _hookc._NESTED_ACTIONS:
        raise RecursionError(
            f"handlers are nested deeper than {_hookc._NESTED_ACTIONS}: each of them handles an event"
        )
    total = _total.get() if depth else None
    if total is None:
        total = _Total()
    elif total.next() > _hookc._NESTED_TOTAL:
        raise RecursionError(f"handlers handle more than {_hookc._NESTED_TOTAL} events within one event")
    loop = asyncio.get_running_loop()
    running: set[Future[Any]] = set()
    cancelled = threading.Event()

    def resolve(awaitable: Awaitable[Any]) -> Any:
        future = asyncio.run_coroutine_threadsafe(_wait(awaitable), loop)
        running.add(future)
        if cancelled.is_set():
            future.cancel()
        return future.result()

    def run() -> _R:
        # Handlers run in this context or in copies of it, also in the other threads of the runtime.
        _depth.set(depth + 1)
        _total.set(total)
        return call(resolve)

    try:
        if depth == 0:
            return await asyncio.to_thread(run)
        # A handler makes this call, and all threads of the pool may wait for such handlers: it has a thread of its own.
        with _Own(max_workers=1) as own:
            return await loop.run_in_executor(own, copy_context().run, run)
    except asyncio.CancelledError:
        # The thread ends when the handler that it waits for does.
        cancelled.set()
        for future in tuple(running):
            future.cancel()
        raise


class Engine(_hookc.Engine):
    """Decides about events, and executes actions with handlers.

    It is safe to use from any number of threads. `decide` takes microseconds, so a coroutine can call it
    directly.
    """

    __slots__ = ()

    async def handle_async(
        self,
        event: _Event,
        *,
        event_type: str | None = None,
        vocabulary: _Vocabulary | None = None,
        strategy: _Strategy | None = None,
    ) -> _hookc.Outcome:
        """Decides and executes without blocking the event loop.

        `async` handlers run in the event loop of the caller, all others in a thread. If the call is cancelled, the
        `async` handler that runs is cancelled too; a plain one ends by itself.
        """
        return await _in_thread(
            lambda resolve: self._handle_with(event, event_type, vocabulary, strategy, resolve)
        )


class Thread(_hookc.Thread):
    """A thread of an agent under the policy of an engine. Pass it an event at an error, a limit or a step, and do what
    the `step` of the reply says.

    It keeps what the policy needs between events: the retries of each hook, and the suspension or the escalation that
    it waits for. `state` is that as JSON text.
    """

    __slots__ = ()

    async def on_async(self, event: _Event) -> _hookc.Reply:
        """As `on`, without blocking the event loop; `async` handlers run in it."""
        return await _in_thread(lambda resolve: self._on_with(event, resolve))
