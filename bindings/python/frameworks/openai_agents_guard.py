import json

import hookc
from agents import ToolGuardrailFunctionOutput, function_tool, tool_input_guardrail

engine = hookc.Engine(hookc.Policy.from_yaml("""
hooks:
  - event: PreToolUse
    when: may_push()
    action: {type: deny, reason: People push.}
"""))


@tool_input_guardrail
def guard(data):
    call = data.context
    arguments = json.loads(call.tool_arguments or "{}")
    event = {"hook_event_name": "PreToolUse", "tool_name": call.tool_name, "tool_input": arguments}
    verdict = engine.handle(event).verdict  # An exception ends the run: the call does not happen.
    # A guardrail cannot change the arguments.
    if verdict.permission in ("deny", "ask", "defer") or verdict.input is not None:
        return ToolGuardrailFunctionOutput.reject_content(verdict.reason or "The policy denies this call.")
    return ToolGuardrailFunctionOutput.allow()


@function_tool(name_override="Bash", tool_input_guardrails=[guard])
def bash(command: str) -> str:
    return f"ran {command}"
