import hookc
from strands.hooks import BeforeToolCallEvent, HookProvider

engine = hookc.Engine(hookc.Policy.from_yaml("""
hooks:
  - event: PreToolUse
    when: may_push()
    action: {type: deny, reason: People push.}
"""))


class Guard(HookProvider):
    def register_hooks(self, registry, **kwargs):
        registry.add_callback(BeforeToolCallEvent, self.before)

    def before(self, call):
        use = call.tool_use
        event = {"hook_event_name": "PreToolUse", "tool_name": use["name"], "tool_input": use["input"]}
        verdict = engine.handle(event).verdict  # An exception ends the agent: the call does not happen.
        if verdict.permission in ("deny", "ask", "defer"):
            call.cancel_tool = verdict.reason or "The policy denies this call."
        elif verdict.input is not None:
            kept = {} if verdict.input_is_whole else use["input"]
            call.tool_use = {**use, "input": {**kept, **verdict.input}}


# Agent(model=model, tools=[...], hooks=[Guard()])
