#!/usr/bin/env python3
"""Breaks the set-up of each agent in many ways, and compares `probe` and `doctor` with what the agent does.

    python3 benches/agents/broken.py                       # all agents
    python3 benches/agents/broken.py gemini --only policy,match --folder DIR
    python3 benches/agents/broken.py codex --live             # `probe --live`, which starts the agent, alone

A command of the model that the policy denies is the judge: if it runs, both verbs must have found the fault; if the agent
denies it with the reason of the policy, `probe` must have called the guard alive.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import fake
import play
from sessions import SESSIONS

REASON = "files grow on trees"
DENY = next(session for session in SESSIONS if session.name == "deny")


class Place:
    """An installed guard, and how it is broken."""

    def __init__(self, name, project, home):
        self.name, self.project, self.home = name, project, home
        self.settings = project / play.AGENTS[name].settings
        self.env = {}

    @property
    def files(self):
        """The settings file, or the scripts of an agent that runs one for each event."""
        return [self.settings] if self.settings.is_file() else sorted(self.settings.iterdir())

    def edit(self, change):
        for file in self.files:
            old = file.read_text()
            new = change(old)
            if new == old:
                raise ValueError("nothing to change")
            file.write_text(new)

    def json(self, change):
        if not self.settings.is_file():
            raise ValueError("no JSON")
        root = json.loads(self.settings.read_text())
        change(root)
        self.settings.write_text(json.dumps(root, indent=2))

    def handlers(self):
        """The objects with a command, in `root` after `json`."""
        def found(value):
            if isinstance(value, dict):
                if any(isinstance(value.get(key), str) and "hookc" in value[key] for key in ("command", "bash")):
                    yield value
                for inner in value.values():
                    yield from found(inner)
            elif isinstance(value, list):
                for inner in value:
                    yield from found(inner)
        return found


def misspelt(place):
    for event in ("PreToolUse", "BeforeTool", "preToolUse"):
        script = place.settings / event
        if script.is_file():
            return script.rename(place.settings / "PreTolUse")
    place.edit(lambda text: text.replace("ToolUse", "TolUse").replace("BeforeTool", "BeforeTol"))


def matcher(place):
    def change(root):
        groups = [group for event in root["hooks"].values() for group in event if isinstance(group, dict)]
        for group in groups:
            group["matcher"] = "NoSuchTool"
    place.json(change)


def swallowed(place):
    """The exit status and the answer of the call are lost."""
    def change(root):
        for handler in place.handlers()(root):
            key = "command" if "command" in handler else "bash"
            handler[key] = f"({handler[key]}) >/dev/null 2>&1; exit 0"
    place.json(change)


def foreign(place):
    other = "flat" if place.name != "flat" else "codex"
    place.edit(lambda text: text.replace(f"--host {place.name}", f"--host {other}"))


def narrowed(place):
    def change(root):
        for handler in place.handlers()(root):
            handler["async"] = True
    place.json(change)


def disabled(place):
    def change(root):
        match place.name:
            case "gemini": root["hooksConfig"] = {"enabled": False}
            case "claude" | "copilot" | "qwen": root["disableAllHooks"] = True
            case "droid": root["hooksDisabled"] = True
            case _: raise ValueError("no such switch")
    place.json(change)


def variable(place):
    place.env["HOOKC_DISABLE"] = "1"


BREAKS = {
    "healthy": lambda place: None,
    "gone": lambda place: [file.unlink() for file in place.files],
    "half": lambda place: place.edit(lambda text: text[: len(text) // 2]),
    "event": misspelt,
    "match": matcher,
    "lost": swallowed,
    "host": foreign,
    "async": narrowed,
    "off": disabled,
    "env": variable,
    "program": lambda place: place.edit(lambda text: text.replace("hookc run", "hookc-gone run")),
    "policy": lambda place: (place.project / "policy.yaml").unlink(),
    "broken": lambda place: (place.project / "policy.yaml").write_text("hooks: [{event: PreToolUse, acton: x}]"),
    "empty": lambda place: (place.project / "policy.yaml").write_text("hooks: []\n"),
}


# What one of the two cannot see: `doctor` does not start a command, nor does it miss settings that are not there;
# `probe` asks whether the guard answers, whatever it is for.
UNSEEN = {"gone": "doctor", "lost": "doctor", "empty": "probe"}


def asked(request):
    """The command that `hookc probe --live` asks the model for."""
    return re.findall("echo hookc-probe-[0-9a-f]+", json.dumps(request))[:1]


def programs(name, folder, env):
    """The search path with the agent's program as it is where a person has trusted the directory."""
    program = play.AGENTS[name].command[0]
    real, words = shutil.which(program, path=env["PATH"]), " ".join(play.AGENTS[name].live)
    folder.mkdir()
    (folder / program).write_text(f"""#!/bin/sh
if [ "$1" = exec ]; then shift; exec '{real}' exec {words} "$@"; fi
exec '{real}' {words} "$@"
""")
    (folder / program).chmod(0o755)
    return f"{folder}:{env['PATH']}"


def wrong(name, how, break_set_up, folder, hookc, server, live):
    """What is not as it must be; and the verdict of the agent."""
    found = {}
    verbs = [["probe", name, "--live"]] if live else [["probe", name], ["doctor"]]

    def broken(project, home, env):
        place = Place(name, project, home)
        break_set_up(place)
        env.update(place.env)
        steps, server.steps = server.steps, asked
        path = programs(name, project.parent / "programs", env) if live else env["PATH"]
        for verb in verbs:
            done = subprocess.run([hookc, *verb], cwd=project, env={**env, "PATH": path}, text=True, capture_output=True,
                                  timeout=150)
            found[verb[0]] = done.returncode
            (project.parent / f"{verb[0]}").write_text(done.stdout + done.stderr)
        server.steps, server.requests = steps, []

    played = play.play(folder, name, DENY, hookc, server, before=broken, label=how)
    said = "denied" if played.told(REASON) else "ran" if played.made else "stopped"
    faults = []
    if said == "ran":
        faults = [f"the command ran, and `{verb}` found nothing" for verb, code in found.items()
                  if code != 1 and verb != UNSEEN.get(how)]
    elif said == "denied" and found["probe"] != 0:
        faults = ["the policy denied the command, and `probe` calls the guard dead"]
    return said, found, faults


def main():
    args = play.read_args()
    if not args.alone:
        return play.alone(args, os.path.abspath(__file__))
    play.loopback()
    folder = pathlib.Path(args.folder)
    server = fake.serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    only = args.only.split(",") if args.only else list(BREAKS)
    differs = []
    for name in args.agents:
        print(f"{name} {play.version(folder, name)}", flush=True)
        for how in only:
            try:
                said, found, faults = wrong(name, how, BREAKS[how], folder, os.path.abspath(args.hookc), server, args.live)
            except (ValueError, KeyError) as error:
                print(f"  {how:<8} - ({error})", flush=True)
                continue
            except subprocess.TimeoutExpired:
                said, found, faults = "hangs", {}, ["the agent does not end"]
            print(f"  {how:<8} {said:<8} " + " ".join(f"{verb} {code}" for verb, code in found.items()), flush=True)
            differs += [f"{name}, {how}: {fault}" for fault in faults]
    print("\n".join(differs))
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
