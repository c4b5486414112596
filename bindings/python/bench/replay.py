"""Events per second and core of a replay: `python bench/replay.py [--events N]`.

The events are generated as Parquet, the rules are those of a thread. Measured, with one thread unless it says
otherwise: reading the column alone, one policy, two policies, two policies on all cores, and the same rules in Python
(`python_evaluator.py`, on a hundredth of the events). "Per core" divides by the time that cores worked.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import hookc
import python_evaluator

HOOKS: list[dict[str, Any]] = [
    {
        "event": "error",
        "condition": {"path": "classification.category", "op": "eq", "value": "rate_limited"},
        "action": {"type": "call_directive", "directive": "ops/back_off"},
    },
    {
        "event": "error",
        "condition": {"path": "classification.category", "op": "eq", "value": "transient"},
        "action": {"type": "retry", "max_attempts": 3},
    },
    {
        "event": "limit",
        "condition": {
            "all": [
                {"path": "limit_code", "op": "starts_with", "value": "spend"},
                {"path": "cost.spend", "op": "gt", "value": 10},
            ]
        },
        "action": {"type": "escalate", "target": "user_approval"},
    },
    {
        "event": "context_window_pressure",
        "condition": {"path": "pressure_ratio", "op": "gt", "value": 0.85},
        "action": {"type": "call_directive", "directive": "ops/summarize"},
    },
]
EVENTS = """
SELECT '{"event": {"type": "' || ['error', 'limit', 'context_window_pressure', 'after_step'][1 + range % 4]
    || '", "thread_id": "t-' || hash(range) || '", "timestamp": "2026-11-23T10:00:00Z"}, "classification": {"category": "'
    || ['transient', 'permanent', 'rate_limited'][1 + (hash(range) % 3)::INT] || '"}, "limit_code": "spend_exceeded", "cost": '
    || '{"spend": ' || hash(range) % 2000 / 100 || ', "turns": ' || range % 50 || '}, "pressure_ratio": 0.'
    || 10 + hash(range) % 90 || ', "message": "' || repeat('the model did something, ', 1 + (range % 7)::INT) || '"}'
    AS event FROM range(COUNT)
"""


def seconds(run: Callable[[], Any]) -> tuple[float, float]:
    """The seconds that passed, and those that all cores worked."""
    start, worked = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - start, time.process_time() - worked


def policy(spend: int) -> hookc.Policy:
    text = json.dumps({"hooks": HOOKS}).replace('"value": 10', f'"value": {spend}')
    return hookc.Policy.from_yaml(text)


def replay(source: str, threads: int, against: hookc.Policy | None) -> list[Any]:
    with duckdb.connect() as reading, duckdb.connect() as counting:
        for connection in (reading, counting):
            connection.execute(f"SET threads = {threads}")
        events = reading.sql(f"SELECT event FROM {source}")
        stream = hookc.replay_stream(policy(10), events, against=against, threads=threads)
        counting.register("replayed", stream)
        changed = "count_if(changed)" if against else "0"
        return counting.execute(f"SELECT count(*), count_if(len(hook) > 0), {changed} FROM replayed").fetchall()


def column(path: str) -> list[Any]:
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")
        return connection.execute(f"SELECT sum(strlen(event)) FROM '{path}'").fetchall()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=10_000_000)
    count = parser.parse_args().events
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "events.parquet")
        query = f"COPY ({EVENTS}) TO '{path}' (FORMAT parquet)".replace("COUNT", str(count))
        took, _ = seconds(lambda: duckdb.execute(query).fetchall())
        size = os.path.getsize(path)
        print(f"{count:,} events, {size / 1e6:,.0f} MB as Parquet, written in {took:.1f} s")
        cores = os.cpu_count() or 1
        runs: list[tuple[str, Callable[[], Any]]] = [
            ("reading the column alone", lambda: column(path)),
            ("one policy", lambda: replay(f"'{path}'", 1, None)),
            ("two policies", lambda: replay(f"'{path}'", 1, policy(12))),
            (f"two policies, {cores} threads", lambda: replay(f"'{path}'", cores, policy(12))),
        ]
        for name, run in runs:
            took, worked = seconds(run)
            print(f"{name:28} {took:7.1f} s {count / took:12,.0f} events/s {count / worked:12,.0f} per core")
        print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB of memory")
        few = count // 100
        texts = [text for (text,) in duckdb.execute(f"SELECT event FROM '{path}' LIMIT {few}").fetchall()]
        took, worked = seconds(lambda: python_evaluator.run(texts, HOOKS))
        name = "the same rules in Python"
        print(f"{name:28} {took:7.1f} s {few / took:12,.0f} events/s {few / worked:12,.0f} per core ({few:,} events)")
        # Both evaluators agree about these events.
        first = f"(SELECT event FROM '{path}' LIMIT {few})"
        ((_, matched, _),) = replay(first, 1, None)
        assert matched == python_evaluator.run(texts, HOOKS)


if __name__ == "__main__":
    main()
