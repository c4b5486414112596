"""The cost of a decision over the Rust call, and the scaling of threads: `python bench/decide.py`.

`decide.py MODULE EVENT` prints the cost of that decision alone, as the programs of the other bindings do
(`bindings/bench.py`).
"""

from __future__ import annotations

import functools
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hookc
from hookc._hookc import _rust_seconds

ROOT = Path(__file__).parents[3]
COUNT = 60_000
ROUNDS = 9


def timed(run: Callable[[], Any], count: int) -> float:
    """Nanoseconds per call."""
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) / count * 1e9


def in_turn(runs: dict[str, Callable[[], float]]) -> dict[str, list[float]]:
    """What each returns, `ROUNDS` times in turn: all of them meet the same load of the machine."""
    rounds = [{name: run() for name, run in runs.items()} for _ in range(ROUNDS)]
    return {name: [one[name] for one in rounds] for name in runs}


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

    return 1e9 / timed(run, count * number)


def forms(policy: hookc.Policy, event: bytes, values: dict[str, Any], count: int) -> dict[str, list[float]]:
    """Nanoseconds of a decision within Rust, and of the call with each form of the event."""
    engine = hookc.Engine(policy)

    def call(value: Any) -> float:
        return timed(functools.partial(repeat, engine, value, count), count)

    rust: dict[str, Callable[[], float]] = {"Rust": lambda: _rust_seconds(policy, event, count) / count * 1e9}
    return in_turn(rust | {form: functools.partial(call, value) for form, value in values.items()})


def single(module: str, event: str) -> None:
    policy = hookc.Policy.from_module(Path(module).read_bytes())
    content = Path(event).read_bytes()
    values = {"bytes": content, "str": content.decode(), "a dict": json.loads(content)}
    for form, times in forms(policy, content, values, COUNT // 3).items():
        print(f"Python, {'the Rust call within' if form == 'Rust' else form + ', a Decision'}: {min(times):.0f} ns")


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
    for name, event, count in [("small", small, COUNT), ("large", large, COUNT // 20)]:
        matched = len(engine.decide(event).hooks)
        print(f"{name} event: {len(event):,} bytes, {matched} hooks match; the fastest of {ROUNDS} rounds")
        values = {"bytes": event, "str": event.decode(), "bytearray": bytearray(event), "dict": json.loads(event)}
        times = forms(policy, event, values, count)
        for form, every in times.items():
            more = statistics.median(one - two for one, two in zip(every, times["Rust"], strict=True))
            print(f"  {form:10} {min(every):8.0f} ns  ({more:+.0f}, the median of the differences)")
    print(f"threads ({os.cpu_count()} cores, {'a GIL' if gil() else 'no GIL'}), decisions per second")
    for name, event, count in [("small", small, COUNT), ("large", large, COUNT // 20)]:
        numbers = (1, 2)
        rates = in_turn({str(number): functools.partial(threads, engine, event, number, count) for number in numbers})
        ratios = sorted(two / one for one, two in zip(rates["1"], rates["2"], strict=True))
        print(
            f"  {name}: 1 thread {statistics.median(rates['1']):,.0f}, 2 threads {statistics.median(rates['2']):,.0f},"
            f" {statistics.median(ratios):.2f} times ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


def gil() -> bool:
    return getattr(sys, "_is_gil_enabled", lambda: True)()


if __name__ == "__main__":
    main()
