"""A small agent loop whose tool calls pass a policy: `python guard_agent.py`."""

import subprocess
from typing import Any

import hookc

POLICY = hookc.Policy.from_yaml("""
hooks:
  - id: no_destruction
    event: PreToolUse
    when: "some(c in shell(tool_input.command).commands: c.name == 'rm' and c.operands contains '/')"
    action: {type: deny, reason: "`${tool_input.command}` destroys the system."}
  - id: ask_before_push
    event: PreToolUse
    when: may_push()
    action: {type: ask, reason: "Push `${tool_input.command}`?"}
  - id: look_again
    event: Stop
    action: {type: prompt, prompt: "Is the work of this session done?"}
""")


def ask_model(action: dict[str, Any], context: hookc.Context) -> dict[str, Any]:
    """A real agent sends the prompt to a model here."""
    return {"ok": "session" in action["prompt"]}


ENGINE = hookc.Engine(POLICY, {"prompt": ask_model})


def guard(event: dict[str, Any]) -> str | None:
    """Why the agent must not continue; `None` if it may."""
    try:
        verdict = ENGINE.handle(event).verdict
    except hookc.EventError as error:
        return f"denied: {error}"
    if verdict.permission == "ask":
        # A real agent asks its user here.
        return f"asked: {verdict.reason}"
    return f"denied: {verdict.reason}" if verdict.permission in ("deny", "defer") else None


def call_tool(command: str) -> str:
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}
    reason = guard(event)
    if reason is not None:
        return reason
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True).stdout.strip()


def main() -> None:
    for command in ["echo hello", "cd /tmp && rm -rf /", "git push origin main"]:
        print(f"{command} -> {call_tool(command)}")
    print(guard({"hook_event_name": "Stop"}) or "the model ends")


if __name__ == "__main__":
    main()
