"""The same rules as `bench/replay.py`, evaluated in Python: what a program does that has hooks as dictionaries."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable
from typing import Any

MISSING = object()
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "gt": operator.gt,
    "gte": operator.ge,
    "starts_with": lambda actual, expected: isinstance(actual, str) and actual.startswith(expected),
}


def resolve(event: Any, path: str) -> Any:
    for name in path.split("."):
        if not isinstance(event, dict) or name not in event:
            return MISSING
        event = event[name]
    return event


def matches(event: Any, condition: dict[str, Any]) -> bool:
    if "all" in condition:
        return all(matches(event, one) for one in condition["all"])
    actual = resolve(event, condition["path"])
    return actual is not MISSING and OPERATORS[condition["op"]](actual, condition["value"])


def decide(event: Any, hooks: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    type = resolve(event, "event.type")
    for hook in hooks:
        if hook["event"] == type and matches(event, hook["condition"]):
            action: dict[str, Any] = hook["action"]
            return action
    return None


def run(texts: Iterable[str], hooks: list[dict[str, Any]]) -> int:
    """How many events have an action."""
    return sum(decide(json.loads(text), hooks) is not None for text in texts)
