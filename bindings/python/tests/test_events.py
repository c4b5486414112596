"""Events in every form, valid and not."""

from __future__ import annotations

import array
import enum
import mmap
import tempfile
import warnings
from collections import OrderedDict
from decimal import Decimal
from typing import Any

import hookc
import pytest

POLICY = hookc.Policy.from_yaml(
    "hooks: [{id: seen, event: Stop, action: {type: deny, reason: 'n=${n}'}},"
    " {id: exact, event: Stop, when: n == 9007199254740993, action: {type: allow}}]"
)
ENGINE = hookc.Engine(POLICY)
STOP = b'{"hook_event_name": "Stop", "n": 1}'


def reason(event: Any) -> str:
    return str(ENGINE.decide(event).hooks[0].action["reason"]).removeprefix("n=")


def test_every_form_is_the_same_event() -> None:
    class Own(dict[str, Any]):
        pass

    forms = [STOP, STOP.decode(), bytearray(STOP), memoryview(STOP), array.array("B", STOP), type("B", (bytes,), {})(STOP)]
    dicts = [cls(hook_event_name="Stop", n=1) for cls in (dict, OrderedDict, Own)]
    assert {reason(form) for form in [*forms, *dicts]} == {"1"}
    with tempfile.TemporaryFile() as file:
        file.write(STOP)
        file.flush()
        with mmap.mmap(file.fileno(), 0) as mapped:
            assert reason(mapped) == "1"
        with pytest.raises(ValueError):
            ENGINE.decide(mapped)


def test_numbers_are_kept() -> None:
    assert [hook.id for hook in ENGINE.decide({"hook_event_name": "Stop", "n": 9007199254740993}).hooks] == [
        "seen",
        "exact",
    ]
    assert len(ENGINE.decide({"hook_event_name": "Stop", "n": 9007199254740992}).hooks) == 1

    class Level(enum.IntEnum):
        HIGH = 3

    numbers: list[Any] = [10**40 + 1, -(2**63), 2**64 - 1, 0.1, 1e300, 5e-324, Level.HIGH]
    exact = [Decimal("0.1000000000000000055511151231257827"), Decimal("1E+3"), Decimal("-0.50")]
    for number in [*numbers, *exact]:
        same = repr(number) if isinstance(number, float) else int(number) if isinstance(number, int) else number
        assert Decimal(reason({"hook_event_name": "Stop", "n": number})) == Decimal(same)
    assert reason({"hook_event_name": "Stop", "n": True}) == "true"


def test_numbers_of_actions_are_kept() -> None:
    policy = hookc.Policy.from_yaml(
        "hooks: [{event: error, action: {type: emit_event, event_type: x, payload: {n: '${n}'}}}]"
    )
    def number(text: str) -> Any:
        event = f'{{"event": {{"type": "error"}}, "n": {text}}}'
        return hookc.Engine(policy).decide(event).hooks[0].action["payload"]["n"]

    assert number("1e400") == 10**400
    assert number("0.5") == 0.5 and type(number("0.5")) is float
    exact = number("0.10000000000000000555")
    assert exact == Decimal("0.10000000000000000555") and type(exact) is Decimal


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (b"", "syntax"),
        (b"\xff\xfe", "utf8"),
        ('{"hook_event_name": "Stop"}'.encode("utf-16"), "utf8"),
        (b"[]", "not_an_object"),
        (b"{}", "no_type"),
        ({}, "no_type"),
        (b'{"hook_event_name": "Stop", "n": 1, "n": 2}', "duplicate_key"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, "too_deep"),
        (b" " * (16 << 20) + b"{}", "too_large"),
        (bytearray((16 << 20) + 1), "too_large"),
        ({"hook_event_name": "Stop", "a": ["x" * (1 << 20)] * 20}, "too_large"),
        ({"hook_event_name": "Stop", "n": float("nan")}, "number"),
        ({"hook_event_name": "Stop", "n": Decimal("Infinity")}, "number"),
        ({"hook_event_name": "Stop", "n": Decimal("sNaN123")}, "number"),
        ({"hook_event_name": "Stop", "n": Decimal("1E+999999999")}, "exponent"),
        ('{"hook_event_name": "Stop\ud800"}', "utf8"),
        ({"hook_event_name": "Stop", "\ud800": 1}, "utf8"),
        (b'{"hook_event_name": "Stop", "n": "\\ud800"}', "surrogate"),
    ],
)
def test_invalid_events(event: Any, code: str) -> None:
    with pytest.raises(hookc.EventError) as caught:
        ENGINE.decide(event)
    assert caught.value.code == code
    assert (caught.value.offset is not None) == (caught.value.location is not None)


def test_an_offset_is_a_location() -> None:
    with pytest.raises(hookc.EventError) as caught:
        ENGINE.decide(b'{"a": }')
    assert (caught.value.offset, caught.value.location) == (6, "byte 6")


def test_cycles_end() -> None:
    event: dict[str, Any] = {"hook_event_name": "Stop"}
    event["self"] = event
    with pytest.raises(hookc.EventError, match="nested deeper than 128"):
        ENGINE.decide(event)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(hookc.EventError, match="nested deeper than 128"):
        ENGINE.decide({"hook_event_name": "Stop", "n": deep})


@pytest.mark.parametrize("wrong", [None, 1, 1.5, [], (), {1}, object(), int, array.array("i", [1])])
def test_wrong_types(wrong: Any) -> None:
    with pytest.raises((TypeError, BufferError)):
        ENGINE.decide(wrong)


def test_wrong_types_within_dictionaries_are_located() -> None:
    with pytest.raises(TypeError, match=r'event\["a"\]\[1\] is a value of type set: expected dict, list'):
        ENGINE.decide({"a": [1, {2}]})
    with pytest.raises(TypeError, match=r'a key of event\["a"\] is of type int: expected str'):
        ENGINE.decide({"a": {1: 2}})


def test_closed_and_strided_buffers() -> None:
    view = memoryview(STOP)
    view.release()
    with pytest.raises(ValueError):
        ENGINE.decide(view)
    assert reason(memoryview(STOP + STOP)[: len(STOP)]) == "1"
    doubled = bytes(byte for byte in STOP for _ in range(2))
    assert reason(memoryview(doubled)[::2]) == "1"


def test_an_action_that_cannot_be_filled_in() -> None:
    policy = hookc.Policy.from_yaml(
        "hooks: [{id: wait, event: error, action: {type: retry, max_attempts: '${n}'}}]"
    )
    (hook,) = hookc.Engine(policy).decide({"event": {"type": "error"}, "n": "many"}).hooks
    with pytest.raises(hookc.ActionError, match="hook wait: .*max_attempts") as caught:
        _ = hook.action
    assert (caught.value.code, caught.value.location, hook.kind) == ("parameter", "wait", "retry")


def test_options() -> None:
    event = b'{"n": 9007199254740993}'
    first = ENGINE.decide(event, event_type="Stop", strategy="first").hooks
    assert [hook.id for hook in first] == ["seen"]
    assert [hook.id for hook in ENGINE.decide(event, event_type="Stop", after=0).hooks] == ["exact"]
    with pytest.raises(OverflowError):
        ENGINE.decide(event, event_type="Stop", after=-1)


def test_a_misspelt_event_type_is_a_warning() -> None:
    engine = hookc.Engine(hookc.Policy.from_yaml("hooks: [{event: PreToolUse, action: {type: deny}}]"))
    for wrong in ["PreToolUsed", "preToolUse", "BeforeTool"]:
        with pytest.warns(UserWarning, match=f"{wrong}.*did you mean \"PreToolUse\""):
            assert not engine.decide({}, event_type=wrong).hooks
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Once for each name, and neither for a known one nor for one of the program.
        for fine in ["PreToolUsed", "PostToolUse", "invoice_paid"]:
            assert not engine.decide({}, event_type=fine).hooks
    with pytest.warns(UserWarning, match="did you mean"):
        engine.handle({"hook_event_name": "PreToolUze"})
