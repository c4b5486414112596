#!/usr/bin/env python3
"""Checks that a launcher does what the program does: `launcher.py LAUNCHER PROGRAM`."""

import os
import signal
import subprocess
import sys
import tempfile
import time

EVENT = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"}}'
POLICY = "hooks: [{event: PreToolUse, action: {type: deny, reason: no}}]\n"


def run(program, words, **options):
    done = subprocess.run([program, *words], capture_output=True, timeout=60, **options)
    return done.returncode, done.stdout, done.stderr


def killed(program, policy, number):
    """The status of a call that waits for its event when the signal arrives."""
    words = [program, "eval", policy, "-"]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    child.send_signal(number)
    try:
        return child.wait(10)
    finally:
        child.kill()


def main():
    launcher, program = sys.argv[1:]
    with tempfile.TemporaryDirectory() as place:
        policy = os.path.join(place, "a policy.yaml")
        with open(policy, "w") as file:
            file.write(POLICY)
        cases = {
            "an event": lambda one: run(one, ["run", "--host", "claude", "--no-log", policy], input=EVENT),
            "a wrong event": lambda one: run(one, ["run", "--host", "claude", "--no-log", policy], input=b"{"),
            "a wrong option": lambda one: run(one, ["check", "--wrong"]),
            "a missing file": lambda one: run(one, ["check", "no such file", ""]),
            "no input": lambda one: run(one, ["eval", policy, "-"], stdin=subprocess.DEVNULL),
            "closed input": lambda one: run("sh", ["-c", 'exec "$0" "$@" <&-', one, "eval", policy, "-"]),
            "SIGTERM": lambda one: killed(one, policy, signal.SIGTERM),
            "SIGINT": lambda one: killed(one, policy, signal.SIGINT),
        }
        wrong = 0
        for name, case in cases.items():
            expected, found = case(program), case(launcher)
            if expected != found:
                print(f"{name}: {expected} by the program, {found} by the launcher")
                wrong = 1
        times = {}
        for one in (launcher, program):
            start = time.perf_counter()
            for _ in range(5):
                run(one, ["--version"])
            times[one] = (time.perf_counter() - start) / 5
        print(f"the launcher takes {times[launcher] * 1000:.0f} ms, the program {times[program] * 1000:.0f} ms")
        sys.exit(wrong)


main()
