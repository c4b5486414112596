#!/usr/bin/env python3
"""Times whole hooks as an agent starts them: one event in, the answer out.

The same policy as a module and as source of `hookc run`, as a Python script
with `json` and `re`, with and without site packages, and as a shell script with
`grep`, which reads less than the others. Started in turn; the answers are
compared first.

    cargo build --profile dist -p hookc-cli
    python3 benches/latency.py             # --hookc PATH, --runs N
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

POLICY = """hooks:
  - {id: rm, event: PreToolUse, when: "tool_name == 'Bash' and tool_input.command =~ 'rm -[a-z]*[rf]'",
     action: {type: deny, reason: nothing is removed by force}}
  - {id: env, event: PreToolUse, when: "tool_name in ['Read', 'Edit'] and tool_input.file_path ends_with '.env'",
     action: {type: deny, reason: secrets stay secret}}
"""

PYTHON = r"""
import json, re, sys
event = json.load(sys.stdin)
given, reason = event.get("tool_input", {}), None
if event.get("hook_event_name") == "PreToolUse":
    if event.get("tool_name") == "Bash" and re.search("rm -[a-z]*[rf]", given.get("command", "")):
        reason = "nothing is removed by force"
    elif event.get("tool_name") in ("Read", "Edit") and given.get("file_path", "").endswith(".env"):
        reason = "secrets stay secret"
if reason:
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": reason}}, separators=(",", ":")))
"""

SHELL = r"""
if grep -q '"command" *: *"[^"]*rm -[a-z]*[rf]'; then
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"nothing is removed by force"}}'
fi
"""


def event(command):
    return json.dumps({"session_id": "s", "transcript_path": "/t", "cwd": "/", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "u",
        "tool_input": {"command": command, "description": "d"}})


def run(words, path):
    """Milliseconds from start to end, and what was printed."""
    with open(path, "rb") as given, tempfile.TemporaryFile() as out:
        start = time.perf_counter_ns()
        done = subprocess.Popen(words, stdin=given, stdout=out, stderr=subprocess.DEVNULL, close_fds=False)
        code = done.wait()
        took = (time.perf_counter_ns() - start) / 1e6
        out.seek(0)
        return took, out.read(), code


def main():
    beside = pathlib.Path(__file__).resolve().parent.parent / "target/dist/hookc"
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--hookc", default=str(beside))
    args.add_argument("--runs", type=int, default=300)
    args = args.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        # Python's modules are compiled before, wherever they may be written.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(folder, "pyc")
        path = lambda name: os.path.join(folder, name)
        for name, text in [("hooks.yaml", POLICY), ("hook.py", PYTHON), ("hook.sh", SHELL),
                           ("deny.json", event("rm -rf /")), ("pass.json", event("cargo test"))]:
            with open(path(name), "w") as file:
                file.write(text)
        subprocess.run([args.hookc, "compile", "-q", path("hooks.yaml"), "-o", path("p.hookc")], check=True)
        hookc = [args.hookc, "run", "--host", "claude"]
        ways = {
            "hookc, a module": [*hookc, path("p.hookc")],
            "hookc, a module, no log": [*hookc, "--no-log", path("p.hookc")],
            "hookc, YAML": [*hookc, path("hooks.yaml")],
            "Python": [sys.executable, path("hook.py")],
            "Python -S": [sys.executable, "-S", path("hook.py")],
            "sh and grep": ["sh", path("hook.sh")],
        }
        print(f"{args.runs} runs of each, in turn, milliseconds: median (a tenth below to a tenth above)")
        for given in ("deny.json", "pass.json"):
            answers = {name: run(words, path(given))[1:] for name, words in ways.items()}
            if len(set(answers.values())) != 1:
                sys.exit(f"the answers differ: {answers}")
            times = {name: [] for name in ways}
            for turn in range(args.runs + 10):
                for name, words in ways.items():
                    took = run(words, path(given))[0]
                    if turn >= 10:
                        times[name].append(took)
            print(given.removesuffix(".json"))
            for name, all_ in times.items():
                tenths = statistics.quantiles(all_, n=10)
                print(f"  {name:<24} {statistics.median(all_):6.2f} ({tenths[0]:.2f} to {tenths[-1]:.2f})")


main()
