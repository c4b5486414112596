"""A thread of an agent whose errors, limits and steps a policy decides about: `python agent_thread.py`.

The program runs the thread and does what each step says. hookc counts the retries, computes the waits, and keeps what
the thread waits for; the state is saved as JSON whenever the thread waits, and another process could restore it.
"""

import time
from typing import Any

import hookc

POLICY = """
hooks:
  - id: try_again
    event: error
    when: classification.category == 'overloaded'
    action: {type: retry, max_attempts: 2, backoff_policy: fixed, delay: 0.01}
  - id: ask_a_person
    event: error
    action: {type: escalate, target: user_approval, timeout_seconds: 600}
  - {id: budget, event: limit, when: limit_code == 'spend_exceeded', action: {type: suspend, suspend_reason: budget}}
  - {id: compact, event: context_window_pressure, action: {type: call_directive, directive: summarize}}
"""


def call_directive(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
    # A real program starts the directive as a thread of its own.
    return {"compaction": {"summary": f"a summary by {action['directive']}", "prune_before_turn": 3}}


def escalate(action: dict[str, Any], context: hookc.Context) -> None:
    # A real program notifies a person. `None`: the answer comes later.
    print(f"to the user: {context.event['error']['code']}; go on?")


ENGINE = hookc.Engine(
    hookc.Policy.from_yaml(POLICY, name="thread.yaml"), {"call_directive": call_directive, "escalate": escalate}
)


def main() -> None:
    thread = hookc.Thread(ENGINE)
    overloaded = {"classification": {"category": "overloaded"}, "error": {"code": "http_529"}}
    events: list[tuple[str, dict[str, Any]]] = [
        ("error", overloaded),
        ("error", overloaded),
        ("error", overloaded),
        ("error", {"classification": {"category": "auth"}, "error": {"code": "http_401"}}),
        ("limit", {"limit_code": "spend_exceeded", "limit_value": 12.5, "limit_max": 10}),
        ("context_window_pressure", {"pressure_ratio": 0.9}),
        ("after_step", {}),
    ]
    for name, event in events:
        step = thread.on({"event": {"type": name}, **event}).step
        print(f"{name}: {step!r}")
        if step.kind == "retry":
            assert step.after is not None
            time.sleep(step.after)
        elif step.kind in ("suspend", "escalate"):
            saved = thread.state
            print(f"saved: {saved}")
            thread = hookc.Thread(ENGINE, state=saved)
            if step.kind == "escalate":
                print(f"the user: yes: {thread.answered(True)!r}")
            else:
                thread.resume()


if __name__ == "__main__":
    main()
