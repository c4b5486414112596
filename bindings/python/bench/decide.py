"""The cost of a decision over the Rust call, and the scaling of threads: `python bench/decide.py`.

`decide.py MODULE EVENT` prints the cost of that decision alone, as the programs of the other bindings do
(`bindings/bench.py`).
"""

from __future__ import annotations

import functools
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hookc
from hookc._hookc import _rust_seconds

ROOT = Path(__file__).parents[3]
COUNT = 100_000


def best(run: Callable[[], Any], count: int, rounds: int = 3) -> float:
    """Nanoseconds per call, of the best round."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds) / count * 1e9


def repeat(engine: hookc.Engine, event: Any, count: int) -> None:
    decide = engine.decide
    for _ in range(count):
        decide(event)


def threads(engine: hookc.Engine, event: bytes, number: int, count: int) -> float:
    """Decisions per second of several threads."""

    def run() -> None:
        every = [threading.Thread(target=repeat, args=(engine, event, count)) for _ in range(number)]
        for thread in every:
            thread.start()
        for thread in every:
            thread.join()

    return 1e9 / best(run, count * number, rounds=2)


def single(module: str, event: str) -> None:
    policy = hookc.Policy.from_module(Path(module).read_bytes())
    engine, content = hookc.Engine(policy), Path(event).read_bytes()
    rust = min(_rust_seconds(policy, content, COUNT) for _ in range(3)) / COUNT * 1e9
    print(f"Python, the Rust call within: {rust:.0f} ns")
    for form, value in [("bytes", content), ("str", content.decode()), ("a dict", json.loads(content))]:
        took = best(functools.partial(repeat, engine, value, COUNT), COUNT)
        print(f"Python, {form}, a Decision: {took:.0f} ns")


def main() -> None:
    if len(sys.argv) == 3:
        return single(*sys.argv[1:])
    policy = hookc.Policy.from_files([ROOT / "corpus/quickstart/hooks.yaml"])
    engine = hookc.Engine(policy)
    lines = (ROOT / "corpus/quickstart/events.ndjson").read_bytes().splitlines()
    small = lines[0]
    content = "x = 1\n" * 8000
    large = json.dumps(
        {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "a.py", "content": content}}
    ).encode()
    for name, event, count in [("small", small, COUNT), ("large", large, COUNT // 10)]:
        matched = len(engine.decide(event).hooks)
        print(f"{name} event: {len(event):,} bytes, {matched} hooks match")
        rust = min(_rust_seconds(policy, event, count) for _ in range(3)) / count * 1e9
        forms: list[tuple[str, Any]] = [
            ("bytes", event),
            ("str", event.decode()),
            ("bytearray", bytearray(event)),
            ("dict", json.loads(event)),
        ]
        print(f"  Rust       {rust:8.0f} ns")
        for form, value in forms:
            took = best(functools.partial(repeat, engine, value, count), count)
            print(f"  {form:10} {took:8.0f} ns  ({took - rust:+.0f})")
    print(f"threads ({os.cpu_count()} cores), decisions per second")
    for name, event, count in [("small", small, COUNT), ("large", large, COUNT // 10)]:
        one, two = (threads(engine, event, number, count) for number in (1, 2))
        print(f"  {name}: 1 thread {one:,.0f}, 2 threads {two:,.0f}")


if __name__ == "__main__":
    main()
