"""The engine, with what concerns `asyncio`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from hookc import _hookc

if TYPE_CHECKING:
    from hookc._types import Event, Strategy, Vocabulary


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
        event: Event,
        *,
        event_type: str | None = None,
        vocabulary: Vocabulary | None = None,
        strategy: Strategy | None = None,
    ) -> _hookc.Outcome:
        """Decides and executes without blocking the event loop.

        `async` handlers run in the event loop of the caller, all others in a thread.
        """
        loop = asyncio.get_running_loop()

        def resolve(awaitable: Awaitable[Any]) -> Any:
            return asyncio.run_coroutine_threadsafe(_wait(awaitable), loop).result()

        return await asyncio.to_thread(self._handle_with, event, event_type, vocabulary, strategy, resolve)
