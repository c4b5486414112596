"""Types of arguments and results, for type checkers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from hookc._hookc import Context, Verdict

    Event: TypeAlias = str | dict[str, Any] | Buffer
    Handler: TypeAlias = Callable[[dict[str, Any], Context], Verdict | Any | Awaitable[Verdict | Any]]

Vocabulary: TypeAlias = Literal["thread", "agent", "repository", "skill", "workflow"]
Strategy: TypeAlias = Literal["first", "all"]
Layer: TypeAlias = Literal["managed", "directive", "project", "user", "builtin"]
Mode: TypeAlias = Literal["enforce", "warn", "shadow"]
Permission: TypeAlias = Literal["allow", "ask", "defer", "deny"]
ShippedHooks: TypeAlias = Literal["never", "threads", "always"]


class ArrowStream(Protocol):
    """Anything that exports an Arrow stream: tables and readers of pyarrow, relations of DuckDB, Polars frames."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
