"""Every case of `corpus/eval` through the binding: the bytes of its decisions are those of the golden file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import hookc
import pytest

CORPUS = Path(__file__).parents[3] / "corpus" / "eval"
# Cases with `steps.ndjson` are about sessions.
CASES = sorted(path.parent for path in CORPUS.glob("*/events.ndjson"))


def test_the_corpus_is_there() -> None:
    assert len(CASES) >= 32


def compile_case(case: Path) -> hookc.Policy:
    files = sorted(case.glob("policy*"))
    dialects = {file.name: "workflow" for file in files if ".workflow." in file.name}
    sources = {file.name: file.read_text() for file in files}
    return hookc.Policy.from_sources(sources, dialects=dialects, shipped_hooks="always")


def events(case: Path) -> Iterator[bytes]:
    return (line for line in (case / "events.ndjson").read_bytes().split(b"\n") if line)


def one(hook: hookc.Hook) -> str:
    try:
        action = hook.action_json
    except hookc.ActionError:
        return f" {hook.id} (action violates its parameters)"
    return f" {hook.id}" if action == '{"type":"continue"}' else f" {hook.id} {action}"


def line(decision: hookc.Decision) -> str:
    hooks = ",".join(map(one, decision.hooks)) or " no opinion"
    reported = " | reported:" + ",".join(map(one, decision.reported)) if decision.reported else ""
    return f"{decision.event_type}:{hooks}{reported}\n"


def decide(engine: hookc.Engine, event: Any) -> str:
    try:
        return line(engine.decide(event))
    except hookc.EventError as error:
        return f"! {error}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bytes_of_decisions(case: Path) -> None:
    engine = hookc.Engine(compile_case(case))
    expected = (case / "expected.txt").read_bytes()
    assert "".join(decide(engine, event) for event in events(case)).encode() == expected
    assert "".join(decide(engine, bytearray(event)) for event in events(case)).encode() == expected
    loaded = hookc.Engine(hookc.Policy.from_module(engine.policy.module))
    assert "".join(decide(loaded, event) for event in events(case)).encode() == expected


class Unequal(Exception):
    """The event has no equal dictionary: duplicate keys, `NaN`, or halves of surrogate pairs."""


def no_constant(name: str) -> None:
    raise Unequal


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise Unequal
    return dict(pairs)


def test_dictionaries_decide_as_their_text() -> None:
    compared = 0
    for case in CASES:
        engine = hookc.Engine(compile_case(case))
        for event in events(case):
            try:
                parsed = json.loads(event, parse_float=Decimal, parse_constant=no_constant, object_pairs_hook=unique)
                json.dumps(parsed, ensure_ascii=False, default=str).encode()
            except (ValueError, Unequal):
                continue
            if isinstance(parsed, dict):
                assert decide(engine, parsed) == decide(engine, event), (case.name, event)
                compared += 1
    assert compared > 300
