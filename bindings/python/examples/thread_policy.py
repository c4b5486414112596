"""hookc instead of a hand-written evaluator of thread hooks: `python thread_policy.py`.

Such an evaluator sorts hooks by priority, resolves paths, applies operators from a table, and returns the action of
the first hook that matches. With hookc, that is one call: the policy is checked when it is loaded, a comparison of
different types is false instead of an exception, and templates in the action are filled in.
"""

from typing import Any

import hookc

HOOKS = """
hooks:
  - event: error
    condition: {path: classification.category, op: eq, value: rate_limited}
    action:
      type: call_directive
      directive: ops/back_off
      parameters: {retry_after: "${error.headers['retry-after']}"}
  - event: error
    condition: {path: classification.category, op: eq, value: transient}
    action: {type: retry, max_attempts: 3}
  - event: limit
    condition:
      all:
        - {path: limit_code, op: eq, value: spend_exceeded}
        - {path: cost.spend, op: gt, value: 10}
    action: {type: escalate, target: user_approval, timeout_seconds: 7200}
  - event: context_window_pressure
    condition: {path: pressure_ratio, op: gt, value: 0.85}
    action: {type: call_directive, directive: ops/summarize}
"""

ENGINE = hookc.Engine(hookc.Policy.from_yaml(HOOKS, name="hooks.yaml"))


def evaluate_hooks(event: str, context: dict[str, Any]) -> dict[str, Any] | None:
    """The action of the first hook that matches."""
    hooks = ENGINE.decide(context, event_type=event, vocabulary="thread").hooks
    return hooks[0].action if hooks else None


def main() -> None:
    events: list[tuple[str, dict[str, Any]]] = [
        ("error", {"classification": {"category": "rate_limited"}, "error": {"headers": {"retry-after": 30}}}),
        ("error", {"classification": {"category": "transient"}}),
        ("error", {"classification": {"category": 7}}),
        ("limit", {"limit_code": "spend_exceeded", "cost": {"spend": 12.5}}),
        ("context_window_pressure", {"pressure_ratio": 0.9}),
    ]
    for event, context in events:
        action = evaluate_hooks(event, context)
        shown = "no action" if action is None else " ".join(
            str(action[key]) for key in ("type", "directive", "target") if key in action
        )
        print(f"{event}: {shown}")


if __name__ == "__main__":
    main()
