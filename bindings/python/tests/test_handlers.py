"""Actions with handlers in Python."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from contextvars import ContextVar
from decimal import Decimal
from typing import Any

import hookc
import pytest

POLICY = hookc.Policy.from_yaml(
    """
action_types:
  page:
    description: Page whoever is on call
    parameters: {team: {type: string}}
hooks:
  - {id: note, event: error, action: {type: log, level: warn, message: 'failed: ${error.code}'}}
  - {id: page, event: limit, action: {type: page, team: platform}}
  - {id: judge, event: PreToolUse, action: {type: prompt, prompt: 'May I? ${tool_name}'}}
  - {id: soft, event: Stop, on_failure: open, action: {type: prompt, prompt: 'Done?'}}
"""
)
LIMIT = {"event": {"type": "limit"}}
CALL = {"hook_event_name": "PreToolUse", "tool_name": "Bash"}


def answering(answer: Any) -> Callable[[dict[str, Any], hookc.Context], Any]:
    return lambda action, context: answer


def test_a_handler_gets_the_action_and_the_event() -> None:
    calls: list[Any] = []

    def page(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        calls.append((action, context.event, context.event_type, context.vocabulary, context.hook.id))
        assert context.event_bytes.startswith(b"{") and context.hook.location is not None
        return {"paged": 1}

    outcome = hookc.Engine(POLICY, {"page": page}).handle(LIMIT)
    assert calls == [({"type": "page", "team": "platform"}, LIMIT, "limit", "thread", "page")]
    (effect,) = outcome.effects
    assert (effect.outcome, effect.value, effect.tries, effect.error) == ("done", {"paged": 1}, 1, None)
    assert outcome.event_type == "limit" and outcome.verdict.permission is None


def test_answers_and_verdicts() -> None:
    answers: list[tuple[Any, str | None]] = [
        ({"ok": True}, None),
        ({"ok": False, "reason": "not now"}, "deny"),
        (hookc.Verdict("ask", reason="sure?"), "ask"),
        (hookc.Verdict("deny", reason="no", message="told"), "deny"),
    ]
    for answer, permission in answers:
        outcome = hookc.Engine(POLICY, {"prompt": answering(answer)}).handle(CALL)
        assert outcome.verdict.permission == permission, (answer, outcome)
    assert (outcome.verdict.reason, outcome.verdict.messages) == ("no", ("told",))


def thread_verdict(action: str, handlers: dict[str, Any] | None = None) -> str | None:
    policy = hookc.Policy.from_yaml(f"hooks: [{{event: error, action: {action}}}]")
    return hookc.Engine(policy, handlers).handle({"event": {"type": "error"}}).verdict.permission


def test_actions_of_threads_have_verdicts() -> None:
    assert thread_verdict("{type: fail, error_message: no}") == "deny"
    assert thread_verdict("{type: abort}") == "deny"
    assert thread_verdict("{type: continue}") is None
    for answer, permission in [(True, None), ({"approved": False}, "deny"), (None, "ask")]:
        assert thread_verdict("{type: escalate}", {"escalate": answering(answer)}) == permission
    directive = "{type: call_directive, directive: d}"
    for answer, permission in [({"action": "FAIL"}, "deny"), ({"action": "CONTINUE"}, None), ({"action": "?"}, "deny")]:
        assert thread_verdict(directive, {"call_directive": answering(answer)}) == permission
    suspend = "{type: suspend, suspend_reason: budget}"
    assert thread_verdict(suspend, {"suspend": answering(None)}) == "deny"
    # Without a handler, nothing is executed.
    for action in ["{type: retry}", "{type: escalate}", directive, suspend]:
        assert thread_verdict(action) == "deny"


def test_a_misspelt_handler_is_an_error() -> None:
    handler = answering(None)
    for wrong, right in [("promt", "prompt"), ("Prompt", "prompt"), ("pgae", "page"), ("call-directive", "call_directive")]:
        with pytest.raises(ValueError, match=f"{wrong}.*{right}"):
            hookc.Engine(POLICY, {wrong: handler})
    # A type of another policy, which can be loaded later.
    engine = hookc.Engine(POLICY, {"prompt": handler, "page": handler, "open_ticket": handler, "ticket": handler})
    engine.reload(hookc.Policy.from_yaml("action_types: {ticket: {}}\nhooks: [{event: limit, action: {type: ticket}}]"))
    assert engine.handle(LIMIT).verdict.permission is None
    engine = hookc.Engine(POLICY, {"page": handler, "tikcet": handler})
    with pytest.raises(ValueError, match="tikcet.*ticket"):
        engine.reload(hookc.Policy.from_yaml("action_types: {ticket: {}}\nhooks: [{event: limit, action: {type: ticket}}]"))
    assert engine.policy is POLICY


def test_an_answer_without_a_judgement_denies() -> None:
    answers: list[Any] = [None, {}, {"okay": True}, True, [], "yes"]
    for answer in answers:
        outcome = hookc.Engine(POLICY, {"prompt": answering(answer)}).handle(CALL)
        assert outcome.verdict.permission == "deny", (answer, outcome)
    (effect,) = hookc.Engine(POLICY, {"prompt": answering({"ok": {1}})}).handle(CALL).effects
    assert effect.error is not None and effect.error.startswith('TypeError: result["ok"] is a value of type set')


def test_verdicts_are_equal_by_value() -> None:
    assert hookc.Verdict("deny", reason="no") == hookc.Verdict("deny", reason="no") != hookc.Verdict("deny")
    with pytest.raises(TypeError):
        hash(hookc.Verdict())


def test_an_exception_is_a_failure_that_denies() -> None:
    def broken(action: dict[str, Any], context: hookc.Context) -> None:
        raise LookupError("no model")

    outcome = hookc.Engine(POLICY, {"prompt": broken}).handle(CALL)
    (effect,) = outcome.effects
    assert (effect.outcome, effect.failure_mode) == ("failed", "closed")
    assert effect.error == "LookupError: no model" and isinstance(effect.exception, LookupError)
    assert effect.exception.__traceback__ is not None
    assert outcome.verdict.permission == "deny"
    soft = hookc.Engine(POLICY, {"prompt": broken}).handle({"hook_event_name": "Stop"})
    assert soft.effects[0].failure_mode == "open" and soft.verdict.permission is None


@pytest.mark.parametrize("result", [{1, 2}, {1: 2}, float("inf"), object(), b"bytes"])
def test_a_result_that_is_not_json_is_a_failure(result: Any) -> None:
    outcome = hookc.Engine(POLICY, {"page": answering(result)}).handle(LIMIT)
    assert outcome.effects[0].outcome == "failed" and outcome.verdict.permission == "deny"


def test_a_handler_with_other_arguments_is_a_failure() -> None:
    def nothing() -> None: ...

    handlers: Any = {"page": nothing}
    outcome = hookc.Engine(POLICY, handlers).handle(LIMIT)
    assert "positional argument" in str(outcome.effects[0].error)


def test_an_action_without_handler_is_a_failure() -> None:
    outcome = hookc.Engine(POLICY).handle(CALL)
    assert outcome.effects[0].error == "this host cannot execute `prompt`"
    assert outcome.verdict.permission == "deny"


def test_an_interrupt_ends_the_call() -> None:
    def interrupted(action: dict[str, Any], context: hookc.Context) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hookc.Engine(POLICY, {"page": interrupted}).handle(LIMIT)


@pytest.mark.parametrize("kind", ["allow", "deny", "ask", "modify", "inject", "run", "log"])
def test_a_handler_that_would_never_run_is_an_error(kind: str) -> None:
    with pytest.raises(ValueError, match="would never call its handler"):
        hookc.Engine(POLICY, {kind: print})


def test_wrong_handlers() -> None:
    with pytest.raises(ValueError, match="max_parallel is 0"):
        hookc.Engine(POLICY, max_parallel=0)
    with pytest.raises(TypeError, match="the handler of \"page\" is of type int: expected a callable"):
        hookc.Engine(POLICY, {"page": 1})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        hookc.Engine(POLICY, ["page"])  # type: ignore[arg-type]


def test_lines_of_log_go_to_logging(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="hookc"):
        hookc.Engine(POLICY).handle({"event": {"type": "error"}, "error": {"code": "http_529"}})
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [("WARNING", "failed: http_529")]


def test_a_process_and_its_answer() -> None:
    policy = hookc.Policy.from_yaml(
        "hooks: [{event: PreToolUse, action: {type: run, command: 'cat >/dev/null; echo no >&2; exit 2'}}]"
    )
    outcome = hookc.Engine(policy).handle(CALL)
    assert (outcome.verdict.permission, outcome.verdict.reason) == ("deny", "no")


def test_async_handlers_run_in_the_loop_of_the_caller() -> None:
    async def main() -> None:
        here = asyncio.get_running_loop()
        ticks = 0

        async def judge(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
            assert asyncio.get_running_loop() is here
            await asyncio.sleep(0.05)
            return {"ok": False, "reason": action["prompt"]}

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        engine = hookc.Engine(POLICY, {"prompt": judge})
        outcomes = await asyncio.gather(*(engine.handle_async(CALL) for _ in range(4)))
        ticking.cancel()
        assert {outcome.verdict.reason for outcome in outcomes} == {"May I? Bash"}
        assert ticks > 5
        with pytest.raises(hookc.EventError):
            await engine.handle_async(b"{}")

    asyncio.run(main())


def test_an_async_handler_of_a_plain_call_is_a_failure() -> None:
    async def judge(action: dict[str, Any], context: hookc.Context) -> None:
        raise AssertionError("it never starts")

    outcome = hookc.Engine(POLICY, {"prompt": judge}).handle(CALL)
    assert "handle_async" in str(outcome.effects[0].error) and outcome.verdict.permission == "deny"


def test_an_async_handler_that_raises() -> None:
    async def judge(action: dict[str, Any], context: hookc.Context) -> None:
        await asyncio.sleep(0)
        raise OSError("gone")

    outcome = asyncio.run(hookc.Engine(POLICY, {"prompt": judge}).handle_async(CALL))
    assert outcome.effects[0].error == "OSError: gone" and outcome.verdict.permission == "deny"


def test_a_cancelled_call_cancels_its_handler() -> None:
    async def main() -> None:
        ended = asyncio.Event()

        async def judge(action: dict[str, Any], context: hookc.Context) -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.set()

        engine = hookc.Engine(POLICY, {"prompt": judge})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(engine.handle_async(CALL), 0.1)
        await asyncio.wait_for(ended.wait(), 5)

    asyncio.run(main())


def test_handlers_can_use_the_engine_and_replace_its_policy() -> None:
    def page(action: dict[str, Any], context: hookc.Context) -> int:
        engine.reload(hookc.Policy.from_yaml("hooks: []"))
        return len(engine.decide(LIMIT).hooks)

    engine = hookc.Engine(POLICY, {"page": page})
    assert engine.handle(LIMIT).effects[0].value == 0
    assert engine.handle(LIMIT).effects == () and engine.policy.events == ()


def test_an_engine_that_its_handler_refers_to_is_collected() -> None:
    class Agent:
        def __init__(self) -> None:
            self.engine = hookc.Engine(POLICY, {"page": self.page})

        def page(self, action: dict[str, Any], context: hookc.Context) -> None: ...

    agent = Agent()
    gone = weakref.ref(agent)
    del agent
    gc.collect()
    assert gone() is None


def test_handlers_on_many_threads() -> None:
    lock = threading.Lock()
    seen: set[int] = set()

    def page(action: dict[str, Any], context: hookc.Context) -> int:
        with lock:
            seen.add(context.event["n"])
        return int(context.event["n"])

    engine = hookc.Engine(POLICY, {"page": page})
    wrong: list[Any] = []

    def work(start: int) -> None:
        for n in range(start, start + 50):
            value = engine.handle(LIMIT | {"n": n}).effects[0].value
            if value != n:
                wrong.append((n, value))

    threads = [threading.Thread(target=work, args=(start,)) for start in range(0, 400, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(seen) == 400


BIG = [2**64, -(2**63) - 1, 12345678901234567890123, 10**400]
EXACT: list[Any] = [*BIG, Decimal("0.10000000000000000555"), Decimal("1E+400"), 0.5, 1e300, 7]


@pytest.mark.parametrize("number", EXACT)
def test_numbers_are_exact_in_handlers(number: Any) -> None:
    seen: list[Any] = []

    def emit(action: dict[str, Any], context: hookc.Context) -> Any:
        seen.extend([action["payload"]["n"], context.event["n"]])
        return {"n": number, "list": [number]}

    policy = hookc.Policy.from_yaml(
        "hooks: [{event: error, action: {type: emit_event, event_type: x, payload: {n: '${n}'}}}]"
    )
    (effect,) = hookc.Engine(policy, {"emit_event": emit}).handle({"event": {"type": "error"}, "n": number}).effects
    assert effect.error is None
    every = [*seen, effect.value["n"], *effect.value["list"]]
    assert {Decimal(repr(one) if isinstance(one, float) else one) for one in every} == {Decimal(str(number))}
    assert {type(one) for one in every} == {float if number == 0.5 else Decimal if number == EXACT[4] else int}


@pytest.mark.parametrize("number", BIG)
def test_numbers_are_exact_in_verdicts(number: int) -> None:
    policy = hookc.Policy.from_yaml(
        "hooks: [{event: PreToolUse, action: {type: modify, input: {id: '${tool_input.id}'}}}]"
    )
    event = CALL | {"tool_input": {"id": number}}
    assert hookc.Engine(policy).handle(event).verdict.input == {"id": number}
    verdict = hookc.Verdict("allow", input={"id": number}, output=[number])
    outcome = hookc.Engine(POLICY, {"prompt": answering(verdict)}).handle(event)
    assert (outcome.verdict.input, outcome.verdict.output) == ({"id": number}, [number])


def test_more_digits_than_python_converts() -> None:
    digits = "7" * (sys.get_int_max_str_digits() + 1)
    seen: list[Any] = []

    def page(action: dict[str, Any], context: hookc.Context) -> None:
        seen.append(context.event["n"])

    engine = hookc.Engine(POLICY, {"page": page})
    engine.handle(f'{{"event": {{"type": "limit"}}, "n": {digits}}}')
    assert seen == [Decimal(digits)]
    with pytest.raises(hookc.EventError, match=r'event\["n"\] cannot be written: Exceeds the limit') as caught:
        engine.handle(LIMIT | {"n": 10 ** len(digits)})
    assert caught.value.code == "number"
    outcome = hookc.Engine(POLICY, {"page": answering(10 ** len(digits))}).handle(LIMIT)
    assert outcome.verdict.permission == "deny"


SWITCH = """
import hookc
policy = hookc.Policy.from_yaml(
    "hooks: [{event: Stop, action: {type: deny}}, {event: Stop, mode: warn, action: {type: deny}}]"
)
engine = hookc.Engine(policy)
decision, outcome = engine.decide({"hook_event_name": "Stop"}), engine.handle({"hook_event_name": "Stop"})
print(engine.is_off, len(decision.hooks), len(decision.reported), len(outcome.effects), outcome.verdict.permission)
for call in (engine.decide, engine.handle):
    try:
        call("{}")
    except hookc.EventError as error:
        print(error.code)
"""


@pytest.mark.parametrize(("value", "line"), [("1", "True 0 0 0 None"), ("0", "False 1 1 1 deny")])
def test_hooks_can_be_turned_off(value: str, line: str) -> None:
    environment = os.environ | {"HOOKC_DISABLE": value}
    run = subprocess.run([sys.executable, "-c", SWITCH], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [line, "no_type", "no_type"]


def test_handlers_that_call_one_another_without_end() -> None:
    def again(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        verdict = engine.handle(CALL).verdict
        return {"ok": verdict.permission is None, "reason": verdict.reason}

    engine = hookc.Engine(POLICY, {"prompt": again})
    assert "actions are nested deeper than 16" in str(engine.handle(CALL).verdict.reason)

    async def again_async(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        verdict = (await engine.handle_async(CALL)).verdict
        return {"ok": verdict.permission is None, "reason": verdict.reason}

    engine = hookc.Engine(POLICY, {"prompt": again_async})
    verdict = asyncio.run(engine.handle_async(CALL)).verdict
    assert "handlers are nested deeper than 16" in str(verdict.reason)


# The hooks of an event are executed in parallel, by threads of the runtime.
PARALLEL = hookc.Policy.from_yaml(
    """
hooks:
  - {id: other, event: PreToolUse, action: {type: agent, prompt: b}}
  - {id: again, event: PreToolUse, action: {type: prompt, prompt: a}}
"""
)


@pytest.mark.parametrize("is_async", [True, False])
def test_parallel_handlers_that_call_one_another_without_end(is_async: bool) -> None:
    calls = 0

    def checked(verdict: hookc.Verdict) -> dict[str, Any]:
        return {"ok": verdict.permission is None, "reason": verdict.reason}

    async def again_async(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        nonlocal calls
        calls += 1
        if calls > 50:
            raise RuntimeError("nothing bounds the depth")
        return checked((await engine.handle_async(CALL)).verdict)

    def again(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        return asyncio.run(again_async(action, context))

    async def later(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        # It keeps the thread of the call, and the other handler gets another one.
        await asyncio.sleep(0.02)
        return {"ok": True}

    engine = hookc.Engine(PARALLEL, {"prompt": again_async if is_async else again, "agent": later})
    outcome = asyncio.run(asyncio.wait_for(engine.handle_async(CALL), 60))
    assert "handlers are nested deeper than 16" in str(outcome.verdict.reason)
    assert calls <= 17


def test_async_handlers_that_each_handle_several_events_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hookc._hookc, "_NESTED_TOTAL", 40)
    calls = 0

    async def twice(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        nonlocal calls
        calls += 1
        verdicts = [(await engine.handle_async(CALL)).verdict for _ in range(2)]
        denial = next((verdict for verdict in verdicts if verdict.permission is not None), None)
        return {"ok": denial is None, "reason": denial and denial.reason}

    engine = hookc.Engine(POLICY, {"prompt": twice})
    for handled in [1, 2]:
        verdict = asyncio.run(asyncio.wait_for(engine.handle_async(CALL), 60)).verdict
        assert verdict.permission == "deny"
        assert "within one event" in str(verdict.reason) or "nested deeper" in str(verdict.reason)
        assert calls <= handled * 41


def test_handlers_that_each_handle_several_events_end() -> None:
    calls = 0

    def twice(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        nonlocal calls
        calls += 1
        verdicts = [engine.handle(CALL).verdict for _ in range(2)]
        return {"ok": all(verdict.permission is None for verdict in verdicts), "reason": verdicts[1].reason}

    engine = hookc.Engine(POLICY, {"prompt": twice})
    assert "more than 10000 nested actions" in str(engine.handle(CALL).verdict.reason)
    assert calls == 10_001


def test_handlers_see_the_context_variables_of_the_caller() -> None:
    request: ContextVar[str] = ContextVar("request", default="none")
    both = threading.Barrier(2)

    def judge(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        # In two threads.
        both.wait(10)
        return {"ok": False, "reason": request.get()}

    async def judge_async(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        return {"ok": False, "reason": request.get()}

    request.set("own")
    outcome = hookc.Engine(PARALLEL, {"prompt": judge, "agent": judge}).handle(CALL)
    assert [effect.verdict.reason for effect in outcome.effects] == ["own", "own"]
    engine = hookc.Engine(PARALLEL, {"prompt": judge_async, "agent": judge_async})
    outcome = asyncio.run(engine.handle_async(CALL))
    assert [effect.verdict.reason for effect in outcome.effects] == ["own", "own"]


def test_many_async_handlers_that_each_handle_an_event() -> None:
    # More than the threads of the event loop's pool.
    async def judge(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        await asyncio.sleep(0.05)
        return {"ok": (await inner.handle_async(CALL)).verdict.permission is None}

    async def yes(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
        return {"ok": True}

    inner = hookc.Engine(POLICY, {"prompt": yes})
    engine = hookc.Engine(POLICY, {"prompt": judge})

    async def all_of_them() -> list[hookc.Outcome]:
        return await asyncio.wait_for(asyncio.gather(*(engine.handle_async(CALL) for _ in range(50))), 60)

    assert all(outcome.verdict.permission is None for outcome in asyncio.run(all_of_them()))
