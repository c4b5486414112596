#!/usr/bin/env python3
"""Writes `docs/screens.md`: what the program prints on terminals of 80 and 120 columns.

    site/screens.py        # HOOKC names the program, otherwise the one on the path
"""

import fcntl
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONTROLS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\r")
POLICY = """hooks:
  - id: no_push_to_main
    event: PreToolUse
    when: pushes('main')
    action: {type: deny, reason: "Open a pull request: ${because}"}
  - id: ask_before_push
    event: PreToolUse
    when: may_push()
    action: {type: ask, reason: "Push? ${because}"}
  - id: working_hours
    event: PreToolUse
    when: runs('terraform apply') and (time.hour >= 24 or time.weekday == 'Sunday')
    action: {type: deny, reason: Not at night and not on Sundays.}
"""
TESTS = """policy: guard.yaml
tests:
  - name: pushes to main are denied
    type: PreToolUse
    events:
      - {tool_name: Bash, tool_input: {command: git push origin main}}
      - {tool_name: Bash, tool_input: {command: git push origin HEAD:main}}
    expect: deny
  - name: other pushes are asked about
    type: PreToolUse
    event: {tool_name: Bash, tool_input: {command: git push origin topic}}
    expect: none
"""
CALLS = ["git push origin main", "git push origin topic", "ls"]
SCREENS = [
    ("check", ["check", "guard.yaml"]),
    ("explain", ["explain", "guard.yaml", "--event", "PreToolUse", "--tool", "Bash", "--input", "command=git push origin main"]),
    ("test", ["test", "."]),
    ("doctor", ["doctor", "."]),
    ("status", ["status"]),
    ("log", ["log"]),
    ("list", ["list", "guard.yaml"]),
]
HEAD = """# Screens

What `hookc` prints on a terminal, at 80 and at 120 columns, without its colours. `site/screens.py` writes this page. On a terminal there are
colours, unless `NO_COLOR` is set or `--color never` is given. A pipe gets no colours, and tables of at most 120 columns.
"""


def screen(words, columns, project, environment):
    """What a terminal of so many columns shows."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    program = subprocess.Popen(words, cwd=project, env=environment, stdin=subprocess.DEVNULL, stdout=side, stderr=side)
    os.close(side)
    out = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(main)
    program.wait()
    return CONTROLS.sub("", out.decode()).rstrip()


def main():
    hookc = os.environ.get("HOOKC") or shutil.which("hookc")
    with tempfile.TemporaryDirectory() as place:
        home, project = pathlib.Path(place) / "home", pathlib.Path(place) / "project"
        program = home / ".local/bin/hookc"
        program.parent.mkdir(parents=True)
        (project / ".claude").mkdir(parents=True)
        shutil.copy(hookc, program)
        environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(home), "TERM": "xterm", "HOOKC_ALLOW_TEMPORARY": "1"}
        run = lambda *words, text="": subprocess.run(words, cwd=project, env=environment, input=text, capture_output=True, text=True)
        run("git", "init", "--quiet")
        (project / "guard.yaml").write_text(POLICY)
        (project / "guard.test.yaml").write_text(TESTS)
        installed = run("hookc", "install", "claude", "guard.yaml")
        for command in CALLS:
            event = f'{{"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": "{project}", "tool_name": "Bash", "tool_input": {{"command": "{command}"}}}}'
            run("hookc", "run", "--host", "claude", str(project / "guard.yaml"), "--since", "0.1.0", text=event)
        parts = [HEAD]
        for name, words in SCREENS:
            parts.append(f"## {name}\n")
            for columns in (80, 120):
                shown = screen([str(program), *words], columns, project, environment)
                shown = shown.replace(str(home), "~").replace(str(project), "/srv/app")
                parts.append(f"{columns} columns:\n\n```text\n$ hookc {' '.join(words)}\n{shown}\n```\n")
    (ROOT / "docs/screens.md").write_text("\n".join(parts))
    print(installed.stderr, end="")


main()
