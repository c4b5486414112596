"""Reading, deciding and counting with DuckDB."""

from __future__ import annotations

import glob
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import duckdb

import hookc

LINES = (".ndjson", ".jsonl", ".json", ".log")
"""Endings of files with a JSON event in each line; also with `.gz` or `.zst` behind."""

TYPES = """array_to_string(list_transform({0}, lambda one: regexp_extract(one, '^."type":"([^"]*)"', 1)), ', ')"""
"""SQL: the types of a list of actions. Each action begins with its type."""


@dataclass(frozen=True)
class Group:
    """Events with the same answer."""

    hooks: str | None
    """The ids of the hooks that decide; empty without one, `None` if there is no decision."""
    actions: str | None
    """The types of their actions."""
    before: str | None
    """With two policies, where the answer changed: the types of the actions of the other one."""
    changed: bool
    failed: bool
    """Whether there is no decision, or an action that cannot be filled in."""
    events: int


@dataclass(frozen=True)
class Totals:
    """The result of a replay, the largest groups first."""

    groups: tuple[Group, ...]
    seconds: float

    @property
    def events(self) -> int:
        return sum(group.events for group in self.groups)

    @property
    def changed(self) -> int:
        return sum(group.events for group in self.groups if group.changed)

    @property
    def failed(self) -> int:
        return sum(group.events for group in self.groups if group.failed)


class Files:
    """Recorded events in Parquet files, or in files with a JSON event per line."""

    def __init__(self, patterns: Sequence[str], column: str = "event") -> None:
        self.column = column
        names = [name for pattern in patterns for name in self._expand(pattern)]
        self.lines = [name for name in names if name.removesuffix(".gz").removesuffix(".zst").endswith(LINES)]
        self.parquet = [name for name in names if name.endswith(".parquet")]
        others = [name for name in names if name not in self.lines and name not in self.parquet]
        if others:
            raise ValueError(f"{others[0]}: expected a name that ends with .parquet, {', '.join(LINES)}")

    @staticmethod
    def _expand(pattern: str) -> list[str]:
        found = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
        if not found:
            raise FileNotFoundError(f"no file matches {pattern}")
        return found

    def query(self) -> str:
        """SQL that gives the events as one column."""
        column = '"' + self.column.replace('"', '""') + '"'
        parts = []
        if self.parquet:
            parts.append(f"SELECT {column} AS event FROM read_parquet({_list(self.parquet)})")
        if self.lines:
            # Lines are not parsed here: a line that is not JSON is an event without a decision.
            parts.append(
                f"SELECT event FROM read_csv({_list(self.lines)}, columns = {{'event': 'VARCHAR'}}, delim = '\x01', "
                "quote = '', escape = '', header = false, auto_detect = false, max_line_size = 33554432)"
            )
        return " UNION ALL ".join(parts)

    def count(self, connection: duckdb.DuckDBPyConnection) -> int | None:
        """How many events there are, if that is known without reading them."""
        if self.lines:
            return None
        ((count,),) = connection.execute(f"SELECT count(*) FROM read_parquet({_list(self.parquet)})").fetchall()
        return int(count)


def _list(names: Sequence[str]) -> str:
    return "[" + ", ".join("'" + name.replace("'", "''") + "'" for name in names) + "]"


def replay_files(
    files: Files,
    policy: hookc.Policy,
    *,
    against: hookc.Policy | None = None,
    event_type: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> Totals:
    """Decides about all events, and counts equal answers. `progress` gets the events so far, and their number if
    it is known, a few times per second."""
    import time

    start = time.perf_counter()
    with duckdb.connect() as reading, duckdb.connect() as counting:
        total = files.count(reading)
        stream = hookc.replay_stream(
            policy,
            reading.sql(files.query()),
            against=against,
            event_type=event_type,
            threads=threads or os.cpu_count() or 1,
        )
        changed, before = ("changed", "before") if against else ("false", "NULL::VARCHAR[]")
        counting.register("replayed", stream)
        query = (
            f"SELECT array_to_string(hook, ', '), {TYPES.format('action')}, {TYPES.format(before)}, {changed}, "
            "error IS NOT NULL, count(*) FROM replayed GROUP BY ALL ORDER BY 6 DESC, 1, 2, 3"
        )
        rows = _in_background(counting, query, lambda: progress and progress(stream.rows, total))
        if progress:
            progress(stream.rows, total)
    return Totals(tuple(Group(*row) for row in rows), time.perf_counter() - start)


def _in_background(
    connection: duckdb.DuckDBPyConnection, query: str, meanwhile: Callable[[], object]
) -> list[tuple[str | None, str | None, str | None, bool, bool, int]]:
    """The rows of a query, which another thread runs, so that Ctrl-C can end it."""
    rows: list[tuple[str | None, str | None, str | None, bool, bool, int]] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            rows.extend(connection.execute(query).fetchall())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="hookc-replay")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            meanwhile()
    except BaseException:
        connection.interrupt()
        thread.join()
        raise
    if errors:
        raise errors[0]
    return rows
