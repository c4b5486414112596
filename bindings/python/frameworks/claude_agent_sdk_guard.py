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
    except hookc.Error as error:  # Without it, the call would happen.
        verdict = hookc.Verdict("deny", reason=str(error))
    if verdict.permission:
        output |= {"permissionDecision": verdict.permission, "permissionDecisionReason": verdict.reason or ""}
    if verdict.input is not None:
        kept = {} if verdict.input_is_whole else event["tool_input"]
        output["updatedInput"] = {**kept, **verdict.input}
    return {"hookSpecificOutput": output} if len(output) > 1 else {}


options = ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(hooks=[guard])]})
