"""The rules evaluated by plain Python: event bytes in, the first rule out.

Arguments: a folder with rules.json, events.ndjson and expected.json, and the
milliseconds to measure for. Prints a JSON line. Standard library only.
"""

import json
import operator
import re
import sys
import time

ORDER = {"gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le}
ABSENT = object()


def lookup(names, event):
    for name in names:
        event = event.get(name, ABSENT) if isinstance(event, dict) else ABSENT
        if event is ABSENT:
            break
    return event


def prepare(cond):
    """A condition with paths split and patterns built."""
    if "all" in cond:
        return ("all", [prepare(c) for c in cond["all"]])
    if "any" in cond:
        return ("any", [prepare(c) for c in cond["any"]])
    if "not" in cond:
        return ("not", prepare(cond["not"]))
    op, value = cond["op"], cond["value"]
    if op == "regex":
        value = re.compile(value)
    return (op, cond["path"].split("."), value)


def holds(cond, event):
    op = cond[0]
    if op == "all":
        return all(holds(c, event) for c in cond[1])
    if op == "any":
        return any(holds(c, event) for c in cond[1])
    if op == "not":
        return not holds(cond[1], event)
    actual, value = lookup(cond[1], event), cond[2]
    if actual is ABSENT:
        return op == "ne"
    if op == "eq":
        return actual == value
    if op == "ne":
        return actual != value
    if op == "in":
        return actual in value
    if op == "exists":
        return actual is not None
    if op in ORDER:
        return isinstance(actual, (int, float)) and ORDER[op](actual, value)
    if not isinstance(actual, str):
        return False
    if op == "contains":
        return value in actual
    if op == "starts_with":
        return actual.startswith(value)
    if op == "ends_with":
        return actual.endswith(value)
    return value.search(actual) is not None


def decide(buckets, line):
    event = json.loads(line)
    for rank, cond in buckets.get(event["event"]["type"], ()):
        if holds(cond, event):
            return rank
    return None


def main(folder, budget):
    start = time.perf_counter()
    buckets = {}
    with open(folder + "/rules.json", encoding="utf-8") as file:
        for rank, rule in enumerate(json.load(file)):
            buckets.setdefault(rule["event"], []).append((rank, prepare(rule["when"])))
    load_ms = (time.perf_counter() - start) * 1e3
    with open(folder + "/events.ndjson", "rb") as file:
        events = file.read().split(b"\n")
    with open(folder + "/expected.json", encoding="utf-8") as file:
        expected = json.load(file)
    wrong = sum(decide(buckets, line) != right for line, right in zip(events, expected))
    few, start = 0, time.perf_counter()
    for line in events:
        decide(buckets, line)
        few += 1
        if time.perf_counter() - start > budget:
            break
    us, start = [], time.perf_counter()
    while len(us) < 3 or time.perf_counter() - start < budget:
        begin = time.perf_counter()
        for line in events[:few]:
            decide(buckets, line)
        us.append((time.perf_counter() - begin) * 1e6 / few)
    print(json.dumps({"load_ms": load_ms, "wrong": wrong, "us": us}))


main(sys.argv[1], float(sys.argv[2]) / 1e3)
