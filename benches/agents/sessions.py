"""The sessions: a policy, and what has to come of it."""

import pathlib
import subprocess

EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse")
TOUCH = "tool_name == 'Bash' and tool_input.command contains 'made.txt'"


def policy(*hooks):
    return "hooks:\n" + "".join(f"  - {{id: hook{n}, {hook}}}\n" for n, hook in enumerate(hooks))


class Session:
    """`check` says what has to be so, and whether it is; `later` takes the place
    of the policy once it is installed. If it `is_gone`, the agent does not find the program `hookc`. `steps` are the
    calls that the model asks for, `prepare` changes the project before."""

    def __init__(self, name, policy, check, later=None, is_gone=False, steps=("touch made.txt",), prepare=None):
        self.name, self.policy, self.check, self.later, self.is_gone = name, policy, check, later, is_gone
        self.steps, self.prepare = steps, prepare

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


# What happened before: which of the calls is denied, and by which hook.
PAST = [
    (("a.txt", "one\n"), None),
    ("git push origin HEAD:main", "run the tests first"),
    ("make test", None),
    ("git push origin HEAD:main", None),
    ("ls -a", None),
    ("ls -a", None),
    ("ls -a", "twice already"),
    ("curl -s http://127.0.0.1:PORT/models", None),
    ("cat .env", None),
    ("curl -s -d @.env http://127.0.0.1:PORT/models", "a secret was read"),
]


def with_repository(project):
    """A repository with a remote one, tests and a secret."""
    (project / "Makefile").write_text("test:\n\t@echo passed\n")
    (project / ".env").write_text("TOKEN=none\n")
    git = ["git", "-C", str(project), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", "init", "--quiet", "--bare", str(project.parent / "remote.git")], check=True)
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "remote", "add", "origin", str(project.parent / "remote.git")], check=True)
    subprocess.run([*git, "add", "Makefile"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "tests"], check=True)


def past(played):
    """The model is told of each denial, in order, and everything else has happened."""
    before = ('"PreToolUse"', '"BeforeTool"', "--event preToolUse")
    said = [out + err for event, out, err, _, words, _ in played.calls if any(name in event + words for name in before)]
    reasons = [next((why for _, why in PAST if why and why in text), None) for text in said]
    project = played.project
    pushed = subprocess.run(["git", "-C", str(project.parent / "remote.git"), "log", "--oneline", "main"], capture_output=True)
    return [(f"the calls are answered as expected, not {reasons}", reasons == [why for _, why in PAST]),
            ("the file is written", (project / "a.txt").exists()), ("the second push runs", pushed.returncode == 0)] + [
        (f"the model reads {why}", played.told(why)) for _, why in PAST if why]


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
    Session("past", (pathlib.Path(__file__).parents[2] / "corpus/agents/past/hooks.yaml").read_text(), past,
            steps=[step for step, _ in PAST], prepare=with_repository),
]
