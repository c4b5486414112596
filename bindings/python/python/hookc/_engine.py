"""The engine, with what concerns `asyncio`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from hookc import _hookc

if TYPE_CHECKING:
    from hookc._hookc import _Event, _Strategy, _Vocabulary


async def _wait(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


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
        loop = asyncio.get_running_loop()
        running: set[Future[Any]] = set()
        cancelled = threading.Event()

        def resolve(awaitable: Awaitable[Any]) -> Any:
            future = asyncio.run_coroutine_threadsafe(_wait(awaitable), loop)
            running.add(future)
            if cancelled.is_set():
                future.cancel()
            return future.result()

        try:
            return await asyncio.to_thread(self._handle_with, event, event_type, vocabulary, strategy, resolve)
        except asyncio.CancelledError:
            # The thread ends when the handler that it waits for does.
            cancelled.set()
            for future in tuple(running):
                future.cancel()
            raise
