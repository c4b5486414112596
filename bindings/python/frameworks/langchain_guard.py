import hookc
from langchain.agents.middleware import wrap_tool_call
from langchain.messages import ToolMessage

engine = hookc.Engine(hookc.Policy.from_yaml("""
hooks:
  - event: PreToolUse
    when: may_push()
    action: {type: deny, reason: People push.}
"""))


@wrap_tool_call
def guard(request, handler):
    call = request.tool_call
    event = {"hook_event_name": "PreToolUse", "tool_name": call["name"], "tool_input": call["args"]}
    verdict = engine.handle(event).verdict  # An exception ends the agent: the call does not happen.
    if verdict.permission in ("deny", "ask", "defer"):
        reason = verdict.reason or "The policy denies this call."
        return ToolMessage(reason, tool_call_id=call["id"], name=call["name"], status="error")
    if verdict.input is not None:
        kept = {} if verdict.input_is_whole else call["args"]
        request = request.override(tool_call={**call, "args": {**kept, **verdict.input}})
    return handler(request)


# create_agent(model, tools=[...], middleware=[guard]); with `ainvoke`, `async def guard` and `await handler(request)`
