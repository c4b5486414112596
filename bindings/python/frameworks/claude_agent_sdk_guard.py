import logging

import hookc
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

engine = hookc.Engine(hookc.Policy.from_yaml("""
hooks:
  - event: PreToolUse
    when: may_push()
    action: {type: deny, reason: People push.}
"""))


async def guard(event, tool_use_id, context):
    output = {"hookEventName": "PreToolUse"}
    try:
        verdict = (await engine.handle_async(dict(event))).verdict
        if verdict.permission:
            output |= {"permissionDecision": verdict.permission, "permissionDecisionReason": verdict.reason or ""}
        if verdict.input is not None:
            kept = {} if verdict.input_is_whole else event["tool_input"]
            output["updatedInput"] = {**kept, **verdict.input}
    except Exception as error:  # Otherwise the SDK makes the call.
        logging.exception("The guard failed.")
        output |= {"permissionDecision": "deny", "permissionDecisionReason": f"The guard failed: {error!r}"}
    return {"hookSpecificOutput": output} if len(output) > 1 else {}


options = ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(hooks=[guard])]})
