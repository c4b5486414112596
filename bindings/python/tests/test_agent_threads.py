"""Threads of agents: steps, and the state between events."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import hookc
import pytest

POLICY = hookc.Policy.from_yaml(
    """
hooks:
  - {id: again, event: error, when: code == 1, action: {type: retry, max_attempts: 2, backoff_policy: exponential, delay: 0.5}}
  - {id: stop, event: error, when: code == 2, action: {type: fail, error_message: 'code ${code}'}}
  - {id: end, event: error, when: code == 3, action: {type: abort}}
  - {id: on, event: error, when: code == 4, action: {type: continue}}
  - {id: ask, event: limit, when: code == 1, action: {type: escalate, target: both, timeout_seconds: 60}}
  - {id: wait, event: limit, when: code == 2, action: {type: suspend, suspend_reason: budget}}
  - {id: call, event: limit, when: code == 3, action: {type: call_directive, directive: d}}
  - {id: seen, event: limit, mode: warn, action: {type: abort}}
"""
)


def event(name: str, code: int) -> dict[str, Any]:
    return {"event": {"type": name}, "code": code}


def thread(handlers: dict[str, Any] | None = None) -> hookc.Thread:
    return hookc.Thread(hookc.Engine(POLICY, handlers))


def test_retries_are_counted() -> None:
    own = thread()
    assert (own.retries, own.waits) == ({}, None)
    steps = [own.on(event("error", 1)).step for _ in range(3)]
    assert [(step.kind, step.attempt, step.after) for step in steps] == [
        ("retry", 1, 0.5),
        ("retry", 2, 1.0),
        ("fail", None, None),
    ]
    assert steps[2].message == "hook again: 2 retries were made" and own.retries == {}
    own.on(event("error", 1))
    assert own.retries == {"again": 1}
    own.succeeded()
    assert own.retries == {}


def test_steps() -> None:
    own = thread()
    steps = [own.on(event("error", code)).step for code in (2, 3, 4, 5)]
    assert [step.kind for step in steps] == ["fail", "abort", "continue", "no_opinion"]
    assert steps[0].message == "code 2"
    reply = own.on(event("error", 2))
    assert reply.by is not None and reply.by.hook.id == "stop" and reply.by == reply.effects[0]
    assert own.on(event("error", 5)).by is None
    assert steps[1] == own.on(event("error", 3)).step and steps[1] != steps[2]


def test_a_suspension_waits() -> None:
    own = thread()
    reply = own.on(event("limit", 2))
    assert (reply.step.kind, reply.step.reason, reply.step.hook) == ("suspend", "budget", "wait")
    assert [hook.id for hook in reply.reported] == ["seen"] or reply.reported == ()
    assert own.waits == reply.step
    with pytest.raises(hookc.ThreadError) as raised:
        own.on(event("error", 4))
    assert raised.value.code == "waiting"
    assert own.resume() and not own.resume()
    assert own.on(event("error", 4)).step.kind == "continue"


@pytest.mark.parametrize("approved", [True, False])
def test_an_escalation_is_answered(approved: bool) -> None:
    assert thread({"escalate": lambda action, context: approved}).on(event("limit", 1)).step.kind == (
        "continue" if approved else "fail"
    )
    own = thread({"escalate": lambda action, context: None})
    step = own.on(event("limit", 1)).step
    assert (step.kind, step.target, step.timeout_seconds) == ("escalate", "both", 60)
    restored = hookc.Thread(own.engine, state=own.state)
    assert restored.waits == step and restored.state == own.state
    assert restored.answered(approved).kind == ("continue" if approved else "fail")
    assert restored.answered(True).kind == "no_opinion"
    assert own.expire_escalation(59.9) is None
    expired = own.expire_escalation(60)
    assert expired is not None and expired.kind == "fail" and own.expire_escalation(60) is None
    for wrong in (-1, float("nan")):
        with pytest.raises(ValueError):
            own.expire_escalation(wrong)


def test_directives_return_objects() -> None:
    answers: list[tuple[Any, str]] = [
        (None, "continue"),
        ({"action": "FAIL", "error_message": "no"}, "fail"),
        ({"action": "ABORT"}, "abort"),
        ({"action": "SUSPEND", "suspend": {"reason": "approval"}}, "suspend"),
        ({"compaction": {"summary": "s", "prune_before_turn": 2}}, "compact"),
        ({"action": "NOTHING"}, "fail"),
        ("a text", "fail"),
    ]
    for answer, kind in answers:
        step = thread({"call_directive": lambda action, context: answer}).on(event("limit", 3)).step
        assert step.kind == kind, (answer, step)


def test_the_return_schema_of_a_policy() -> None:
    policy = """
return_schema: {type: object, required: [verdict]}
hooks: [{id: call, event: limit, action: {type: call_directive, directive: d}}]
"""
    for answer, kind in [({"verdict": 1}, "continue"), ({"action": "CONTINUE"}, "fail")]:
        engine = hookc.Engine(hookc.Policy.from_yaml(policy), {"call_directive": lambda action, context: answer})
        assert hookc.Thread(engine).on(event("limit", 3)).step.kind == kind, answer


def test_exceptions_in_handlers() -> None:
    def fails(action: dict[str, Any], context: hookc.Context) -> None:
        raise LookupError("gone")

    own = thread({"call_directive": fails})
    reply = own.on(event("limit", 3))
    assert reply.step.kind == "fail" and reply.by is not None
    assert isinstance(reply.by.exception, LookupError)

    def interrupted(action: dict[str, Any], context: hookc.Context) -> None:
        raise KeyboardInterrupt

    own = thread({"call_directive": interrupted})
    before = own.state
    with pytest.raises(KeyboardInterrupt):
        own.on(event("limit", 3))
    assert own.state == before and own.on(event("error", 4)).step.kind == "continue"


def test_a_thread_has_one_event_at_a_time() -> None:
    errors: list[str] = []

    def nested(action: dict[str, Any], context: hookc.Context) -> None:
        for call in (lambda: own.on(event("error", 4)), lambda: own.state, own.succeeded):
            with pytest.raises(hookc.ThreadError) as raised:
                call()
            errors.append(raised.value.code)

    own = thread({"call_directive": nested})
    assert own.on(event("limit", 3)).step.kind == "continue"
    assert errors == ["busy", "busy", "busy"]

    started, done = threading.Event(), threading.Event()

    def waits(action: dict[str, Any], context: hookc.Context) -> None:
        started.set()
        done.wait(10)

    own = thread({"call_directive": waits})
    worker = threading.Thread(target=own.on, args=(event("limit", 3),))
    worker.start()
    started.wait(10)
    with pytest.raises(hookc.ThreadError):
        own.on(event("error", 4))
    done.set()
    worker.join()
    assert own.on(event("error", 4)).step.kind == "continue"


def test_async_handlers() -> None:
    async def directive(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"action": "FAIL", "error_message": "later"}

    own = thread({"call_directive": directive})
    step = asyncio.run(own.on_async(event("limit", 3))).step
    assert (step.kind, step.message) == ("fail", "later")
    reply = own.on(event("limit", 3))
    assert reply.by is not None and "on_async" in str(reply.by.error)


def test_bad_states_and_events() -> None:
    engine = hookc.Engine(POLICY)
    for text in ["", "{}", "[]", '{"version": 2}', '{"version": 1, "retries": {"a": -1}}']:
        with pytest.raises(hookc.ThreadError) as raised:
            hookc.Thread(engine, state=text)
        assert raised.value.code == "state", text
    with pytest.raises(TypeError):
        hookc.Thread(POLICY)  # type: ignore[arg-type]
    own = hookc.Thread(engine)
    events: list[Any] = [b"[]", b"\xff", "\ud800", {"event": {"type": float("nan")}}, "{}"]
    for bad in events:
        with pytest.raises(hookc.EventError):
            own.on(bad)
    with pytest.warns(UserWarning, match="did you mean"):
        own.on({"event": {"type": "eror"}})
    assert own.on(event("error", 4)).step.kind == "continue"


def test_a_reload_reaches_threads() -> None:
    own = thread()
    own.on(event("error", 1))
    own.engine.reload(hookc.Policy.from_yaml("hooks: [{id: again, event: error, action: {type: retry, max_attempts: 1}}]"))
    assert own.on(event("error", 1)).step.message == "hook again: 1 retry was made"


CASES = json.loads((Path(__file__).parents[3] / "corpus/threads/cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_the_cases_of_every_binding(case: dict[str, Any]) -> None:
    replies: list[dict[str, Any]] = []

    def reply(action: dict[str, Any], context: hookc.Context) -> Any:
        one = replies.pop(0)
        if "fail" in one:
            raise RuntimeError(one["fail"])
        return one["value"]

    text = f"events: {case.get('events', '{}')}\nhooks:\n{case['hooks']}\n"
    kinds = ["call_directive", "escalate", "http", "prompt"]
    engine = hookc.Engine(hookc.Policy.from_yaml(text), {kind: reply for kind in kinds})
    own = hookc.Thread(engine)
    for call in case["calls"]:
        own = hookc.Thread(engine, state=own.state)
        step: hookc.Step | None
        if "on" in call:
            replies[:] = call.get("replies", [])
            if "error" in call:
                with pytest.raises(hookc.ThreadError) as raised:
                    own.on(call["on"])
                assert raised.value.code == call["error"]
                continue
            step = own.on(call["on"]).step
            assert replies == [], call
        elif "resume" in call:
            assert own.resume() == call["resume"]
            continue
        elif "answered" in call:
            step = own.answered(call["answered"])
        elif "expire" in call:
            step = own.expire_escalation(call["expire"])
        else:
            own.succeeded()
            continue
        expected = call["step"]
        if expected is None or step is None:
            assert step is expected
            continue
        found = {key: getattr(step, key) for key in expected}
        if step.kind == "fail" and step.message is not None:
            # A failure of a Python handler names the exception.
            found["message"] = step.message.replace("RuntimeError: ", "")
        assert found == expected, call
    if "state" in case:
        assert json.loads(own.state) == case["state"]
