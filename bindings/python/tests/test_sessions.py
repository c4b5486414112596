"""Sessions: what happened before decides."""

from __future__ import annotations

import pickle
import threading
import time

import hookc
import pytest

TWICE = """
hooks:
  - id: twice
    event: PreToolUse
    when: "count(PreToolUse where tool_name == 'Bash' within 10m) >= 2"
    action: {type: deny, reason: Two commands are enough.}
"""
BASH = {"hook_event_name": "PreToolUse", "tool_name": "Bash"}
MINUTE = 60_000


def engine(text: str = TWICE) -> hookc.Engine:
    return hookc.Engine(hookc.Policy.from_yaml(text))


def hooks(session: hookc.Session, at: int | None = None) -> list[str]:
    return [hook.id for hook in session.decide(BASH, time=at).hooks]


def test_a_session_counts_within_its_window() -> None:
    one = engine()
    session, other = one.session("s1"), one.session("s2")
    assert [hooks(session, at) for at in (0, 1, 2)] == [[], [], ["twice"]]
    assert hooks(other, 2) == []
    assert hooks(one.session("s1"), 3) == ["twice"]
    assert hooks(session, 11 * MINUTE) == []
    decision = session.decide(b"{}", event_type="Stop", time=11 * MINUTE)
    assert (decision.step, decision.unknown, session.id, repr(session)) == (6, (), "s1", '<hookc.Session "s1">')


def test_without_a_time_it_is_now() -> None:
    session = engine().session("s")
    assert [hooks(session) for _ in range(3)] == [[], [], ["twice"]]
    assert hooks(session, int(time.time() * 1000) + 11 * MINUTE) == []


def test_the_bytes_restore_it() -> None:
    session = engine().session("s")
    for at in (0, 1):
        hooks(session, at)
    snapshot = session.snapshot()
    # Another process, with a policy that has changed.
    changed = engine(TWICE.replace("are enough", "suffice"))
    assert hooks(changed.restore("s", snapshot), 2) == ["twice"]
    assert hooks(changed.restore("s", memoryview(snapshot)), 11 * MINUTE) == []
    assert hooks(changed.session("s"), 11 * MINUTE) == []
    for wrong in (b"", snapshot[:-1], b"x" + snapshot, snapshot + b"x"):
        with pytest.raises(hookc.SnapshotError) as caught:
            changed.restore("s", wrong)
        assert caught.value.code == "snapshot" and isinstance(caught.value, hookc.Error)
    assert pickle.loads(pickle.dumps(caught.value)).code == "snapshot"
    with pytest.raises(TypeError):
        changed.restore("s", "text")  # type: ignore[arg-type]


def test_an_event_that_waits_is_settled() -> None:
    session = engine("""
hooks:
  - {event: PreToolUse, action: {type: prompt, prompt: Fine?}}
  - {id: after, event: Stop, when: formerly(denied PreToolUse), action: {type: deny}}
""").session("s")
    step = session.decide(BASH, time=1).step
    assert step is not None
    assert [session.settle(step, "deny"), session.settle(step, "allow"), session.settle(9, "deny")] == [True, False, False]
    assert [hook.id for hook in session.decide({"hook_event_name": "Stop"}, time=2).hooks] == ["after"]
    with pytest.raises(ValueError, match="the verdict \"denied\" is unknown"):
        session.settle(step, "denied")  # type: ignore[arg-type]
    with pytest.raises(hookc.EventError):
        session.decide(b"{")
    with pytest.raises((TypeError, OverflowError)):
        session.decide(BASH, time=-1)


def test_without_a_session_the_condition_is_unknown() -> None:
    decision = engine().decide(BASH)
    assert (decision.hooks, decision.step) == ((), None)
    (hook,) = decision.unknown
    assert (hook.id, hook.cause) == ("twice", "the history of the session is unknown: no history is kept")
    assert '"unknown":[{"hook":"twice",' in decision.to_json()


def test_a_reload_keeps_the_sessions() -> None:
    one = engine("hooks: [{event: Stop, action: {type: allow}}]")
    session = one.session("s")
    one.reload(hookc.Policy.from_yaml(TWICE))
    assert [hooks(session, at) for at in (0, 1, 2)] == [[], [], ["twice"]]
    one.reload(hookc.Policy.from_yaml(TWICE.replace("are enough", "suffice")))
    assert hooks(session, 3) == ["twice"]


def test_hooks_that_are_off_record_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOKC_DISABLE", "1")
    session = engine().session("s")
    for at in (0, 1, 2):
        decision = session.decide(BASH, time=at)
        assert (decision.hooks, decision.unknown, decision.step) == ((), (), None)
    assert not session.settle(1, "deny")
    with pytest.raises(hookc.EventError):
        session.decide(b"{")
    snapshot = session.snapshot()
    monkeypatch.delenv("HOOKC_DISABLE")
    restored = engine().restore("s", snapshot)
    assert [hooks(restored, at) for at in (3, 4, 5)] == [[], [], ["twice"]]


def test_threads_share_a_session() -> None:
    session = engine("""
hooks:
  - {id: last, event: PreToolUse, when: count(PreToolUse) >= 400, action: {type: deny}}
""").session("s")
    threads = [threading.Thread(target=lambda: [hooks(session) for _ in range(100)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hooks(session) == ["last"]
