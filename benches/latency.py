#!/usr/bin/env python3
"""Times whole hooks as an agent starts them: one event in, the answer out.

The same policy as a module and as source of `hookc run`, as a Python script
with `json` and `re`, with and without site packages, and as a shell script with
`grep`, which reads less than the others. Started in turn; the answers are
compared first.

    cargo build --profile dist -p hookc-cli
    python3 benches/latency.py                       # --hookc PATH, --runs N
    python3 benches/latency.py --against OTHER       # two builds of hookc instead: `run`, and `check` of 1,000 hooks
    python3 benches/latency.py --starters            # five starters instead: their files, from the cache of modules, and their module
    python3 benches/latency.py --history             # policies with and without conditions about earlier events instead
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
    """Milliseconds from start to end and of processor time, what was printed, and the exit status."""
    with open(path, "rb") as given, tempfile.TemporaryFile() as out:
        start = time.perf_counter_ns()
        done = subprocess.Popen(words, stdin=given, stdout=out, stderr=subprocess.DEVNULL, close_fds=False)
        _, status, used = os.wait4(done.pid, 0)
        took = (time.perf_counter_ns() - start) / 1e6
        done.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return took, (used.ru_utime + used.ru_stime) * 1e3, out.read(), done.returncode


def compare(programs, runs, path):
    """Prints the times of two builds, in turn, and the ratio of the second to the first."""
    lines = [f"  - {{id: h{i}, event: PreToolUse, when: \"tool_input.command =~ 'tool{i} -[a-z]*[rf]'\", action: {{type: deny, reason: no {i}}}}}"
             for i in range(1000)]
    with open(path("thousand.yaml"), "w") as file:
        file.write("hooks:\n" + "\n".join(lines) + "\n")
    subprocess.run([programs[0], "compile", "-q", path("thousand.yaml"), "-o", path("thousand.hookc")], check=True)
    answer = ["run", "--host", "claude", "--no-log"]
    print(f"{runs} runs of each, in turn: medians in milliseconds of the first, the second, and their ratio")
    for name, words in {
        "run, a module of 2 hooks": [*answer, path("p.hookc")],
        "run, a module of 1,000": [*answer, path("thousand.hookc")],
        "run, YAML of 1,000": [*answer, path("thousand.yaml")],
        "check of 1,000": ["check", path("thousand.yaml")],
    }.items():
        measured = {program: [] for program in programs}
        for turn in range(runs + 3):
            for program in programs:
                took, used, *answers = run([program, *words], path("pass.json"))
                if answers[1] != 0:
                    sys.exit(f"{program} {name}: exit status {answers[1]}")
                if turn >= 3:
                    measured[program].append((took, used))
        for kind, at in (("elapsed", 0), ("processor", 1)):
            first, second = (statistics.median(one[at] for one in measured[program]) for program in programs)
            print(f"  {name:<26} {kind:<9} {first:7.2f} {second:7.2f} {second / first:5.2f}")


# Without a history; one that is read; one that is read and gets each event; one with as many cells as a session can have;
# one whose texts take a MiB.
PUSH = "some(c in shell(tool_input.command).commands: c.name == 'git' and c.sub == 'push')"
HISTORIES = {
    "without": PUSH,
    "read": PUSH + " and formerly(PostToolUse where tool_name == 'Edit' since (PostToolUse where tool_name == 'Bash'))",
    "recorded": "count(PreToolUse where tool_input == now.tool_input within turn) >= 1000000",
}
WORDS = "shell({}tool_input.command).commands[*].operands[*]"
LARGE = [f"tool_name == 'Read' and formerly(PreToolUse where tool_name != 'T{i}' and {WORDS.format('')} == {WORDS.format('now.')})"
         for i in range(40)]
TEXTS = [f"tool_name == 'Read' and last(16, seen where {WORDS.format('')} == {WORDS.format('now.')}).tool_input.description contains 'x'"]
SEEN = "facts: {seen: {event: PreToolUse, when: tool_name != 'T', keep: [tool_input.description]}}\n"


def history(hookc, runs, path):
    """Prints the times of policies with and without a history, in turn, and what each adds."""
    policies = {name: [when] for name, when in HISTORIES.items()} | {"cells": LARGE, "texts": TEXTS}
    for name, conditions in policies.items():
        hooks = "".join(f'  - {{event: PreToolUse, when: "{when}", action: {{type: deny}}}}\n' for when in conditions)
        with open(path(name + ".yaml"), "w") as file:
            file.write((SEEN if conditions == TEXTS else "") + "hooks:\n" + hooks)
        subprocess.run([hookc, "compile", "-q", path(name + ".yaml"), "-o", path(name + ".hookc")], check=True)
    # No id of a use of a tool: each event is another one.
    with open(path("event.json"), "w") as file:
        file.write(event("cargo test").replace('"tool_use_id": "u", ', ""))
    words = lambda name: [hookc, "run", "--host", "claude", "--no-log", path(name + ".hookc")]
    text = json.dumps("text " * 50)
    for name, turns, groups in [("cells", 40, 40), ("texts", 80, 5)]:
        for turn in range(turns):
            filled = event("ls " + " ".join(f"{turn % groups}-{word}" for word in range(60))).replace('"u"', f'"u{turn}"')
            with open(path("fill.json"), "w") as file:
                file.write(filled.replace('"description": "d"', f'"description": {text}'))
            run(words(name), path("fill.json"))
    sizes = sorted(file.stat().st_size for file in pathlib.Path(path("hookc/history")).glob("*/*"))
    times = {name: [] for name in policies}
    for turn in range(runs + 10):
        for name in policies:
            took, used, _, code = run(words(name), path("event.json"))
            if code != 0:
                sys.exit(f"{name}: exit status {code}")
            if turn >= 10:
                times[name].append((took, used))
    print(f"{runs} runs of each, in turn, milliseconds: median (a tenth below to a tenth above), and more than without;")
    print("the same of processor time, which a busy machine changes less")
    print("the two large histories have {} and {} bytes".format(*sizes[-2:]))
    without = [statistics.median(kind) for kind in zip(*times["without"])]
    for name, pairs in times.items():
        print(f"  {name:<10}", end="")
        for base, kind in zip(without, zip(*pairs)):
            tenths, median = statistics.quantiles(kind, n=10), statistics.median(kind)
            print(f" {median:6.2f} ({tenths[0]:.2f} to {tenths[-1]:.2f}) {median - base:+6.2f}", end="")
        print()


STARTERS = ["secrets", "destructive-commands", "protected-branches", "network", "publish-and-deploy"]


def starters(hookc, runs, path):
    """Prints the times of five starters as files and as one module, in turn, and their ratio."""
    for name in STARTERS:
        with open(path(name + ".yaml"), "wb") as file:
            subprocess.run([hookc, "starter", "show", name], check=True, stdout=file)
    files = [path(name + ".yaml") for name in STARTERS]
    subprocess.run([hookc, "compile", "-q", *files, "-o", path("starters.hookc")], check=True)
    answer = [hookc, "run", "--host", "claude", "--no-log"]
    ways = {"files": [*answer, *files], "module": [*answer, path("starters.hookc")]}
    first = run(ways["files"], path("pass.json"))[0]
    times = {name: [] for name in ways}
    for turn in range(runs + 10):
        for name, words in ways.items():
            took, _, _, code = run(words, path("pass.json"))
            if code != 0:
                sys.exit(f"{name}: exit status {code}")
            if turn >= 10:
                times[name].append(took)
    print(f"{runs} runs of each, in turn, milliseconds: median (a tenth below to a tenth above); the first of the files: {first:.1f}")
    for name, all_ in times.items():
        tenths = statistics.quantiles(all_, n=10)
        print(f"  {name:<8} {statistics.median(all_):6.2f} ({tenths[0]:.2f} to {tenths[-1]:.2f})")
    print(f"  ratio    {statistics.median(times['files']) / statistics.median(times['module']):6.2f}")


def main():
    beside = pathlib.Path(__file__).resolve().parent.parent / "target/dist/hookc"
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--hookc", default=str(beside))
    args.add_argument("--runs", type=int, default=300)
    args.add_argument("--against", metavar="OTHER")
    args.add_argument("--history", action="store_true")
    args.add_argument("--starters", action="store_true")
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
        if args.starters:
            return starters(args.hookc, args.runs, path)
        if args.history:
            return history(args.hookc, args.runs, path)
        if args.against:
            return compare([args.hookc, args.against], args.runs, path)
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
            answers = {name: run(words, path(given))[2:] for name, words in ways.items()}
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
