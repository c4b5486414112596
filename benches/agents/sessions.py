"""The sessions: a policy, and what has to come of it."""

EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
TOUCH = "tool_name == 'Bash' and tool_input.command contains 'made.txt'"


def policy(*hooks):
    return "hooks:\n" + "".join(f"  - {{id: hook{n}, {hook}}}\n" for n, hook in enumerate(hooks))


class Session:
    """`check` says what has to be so, and whether it is; `later` takes the place
    of the policy once it is installed. If it `is_gone`, the agent does not find the program `hookc`."""

    def __init__(self, name, policy, check, later=None, is_gone=False):
        self.name, self.policy, self.check, self.later, self.is_gone = name, policy, check, later, is_gone

    def wrong(self, played):
        called = [("hookc is called", bool(played.calls) != self.is_gone)]
        return [f"not so: {what}" for what, so in called + self.check(played) if not so]


def refused(reason):
    return lambda played: [("no file is made", not played.made),
                           ("the model is told why", not played.agent.tells or played.told(reason))]


def modified(played):
    """Where an input cannot be changed, the call is denied."""
    if not played.agent.changes:
        return refused("does not support changing the input")(played)
    return [("no file is made", not played.made), ("the other command runs", played.changed),
            ("the model is told what comes of it", played.told("That is all.") or len(played.requests) > 1)]


def injected(played):
    told = {event: played.told(f"told at {event}") for event in EVENTS}
    return [("the file is made", played.made)] + [
        (f"{event} {'does not reach' if event in played.agent.deaf else 'reaches'} the model",
         told[event] != (event in played.agent.deaf)) for event in EVENTS]


def silent(played):
    return [("the file is made", played.made),
            ("hookc says nothing", all(call[1:4] == ("", "", 0) for call in played.calls))]


def prompt(played):
    return [("no file is made", not played.made), ("the model is not asked", not played.requests)]


def stop(played):
    return [("the file is made", played.made), ("the model is told to go on", played.told("look again"))]


def output(played):
    return [("the file is made", played.made), ("the model is told why", played.told("not worth reading"))]


def replaced(played):
    """Where a result cannot be replaced, the model reads why instead."""
    said = "something else" if played.agent.replaces else "the tool's output would have to be replaced"
    return [("the file is made", played.made), ("the model reads another result", played.told(said))]


def gone(played):
    """The call that `install` wrote denies if its program does not start."""
    return [("no file is made", not played.made)]


def ends(played):
    """A policy that is broken holds an agent up once and not for ever."""
    return [("the file is made", played.made), ("the model is told why", played.told("does not compile")),
            ("the agent stops after it", len(played.requests) <= 3)]


OTHER = r'echo "{\"hookSpecificOutput\": {\"updatedToolOutput\": \"something else\"}}"'
BROKEN = "hooks: [{event: [PreToolUse, Stop], action: {type: denny}}]"

SESSIONS = [
    Session("deny", policy(f'event: PreToolUse, when: "{TOUCH}", action: {{type: deny, reason: files grow on trees}}'),
            refused("files grow on trees")),
    # Nobody is there to say yes.
    Session("ask", policy(f'event: PreToolUse, when: "{TOUCH}", action: {{type: ask, reason: is that so}}'),
            refused("is that so")),
    Session("modify", policy(f'event: PreToolUse, when: "{TOUCH}", action: {{type: modify, input: '
                             '{command: touch changed.txt}}'), modified),
    Session("inject", policy(*(f"event: {event}, action: {{type: inject, text: told at {event}}}" for event in EVENTS)),
            injected),
    Session("none", policy("event: PreToolUse, when: \"tool_input.command contains 'rm -rf'\", action: {type: deny}"),
            silent),
    Session("broken", policy("event: PreToolUse, action: {type: allow}"), refused("does not compile"), later=BROKEN),
    Session("prompt", policy("event: UserPromptSubmit, action: {type: deny, reason: not today}"), prompt),
    Session("output", policy("event: PostToolUse, action: {type: deny, reason: not worth reading}"), output),
    Session("replace", policy(f"event: PostToolUse, action: {{type: run, result: agent, command: '{OTHER}'}}"),
            replaced),
    Session("stop", policy('event: Stop, when: "not stop_hook_active == true", action: {type: deny, reason: look again}'),
            stop),
    Session("gone", policy("event: PreToolUse, action: {type: allow}"), gone, is_gone=True),
    Session("ends", policy("event: Stop, action: {type: allow}"), ends, later=BROKEN),
]
