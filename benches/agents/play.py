#!/usr/bin/env python3
"""Plays sessions with real coding agents, hookc as their hook and no network.

    cargo build --release -p hookc-cli
    python3 benches/agents/play.py                    # all of them
    python3 benches/agents/play.py gemini --only deny,ask --folder DIR

npm fetches the agents into a folder that is removed at the end, or into DIR,
where all that was said stays: DIR/SESSION/calls has what the agent sent to
hookc and what it got, DIR/SESSION/requests.json what its model was told.
"""

import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading

import fake
from agents import AGENTS
from sessions import SESSIONS

HERE = pathlib.Path(__file__).resolve()

# Stands in for hookc on the agent's PATH and keeps what goes in and out.
RECORDER = """#!/bin/sh
call=CALLS/$(date +%s%N)-$$
mkdir -p "$call"
cat > "$call/event"
began=$(date +%s%N)
HOOKC "$@" < "$call/event" > "$call/out" 2> "$call/err"
code=$?
echo "$code $(($(date +%s%N) - began)) $*" > "$call/end"
cat "$call/out"
cat "$call/err" >&2
exit $code
"""


class Played:
    """What came of a session."""

    def __init__(self, agent, project, requests, calls, done):
        self.agent, self.project, self.requests, self.calls = agent, project, requests, calls
        self.made = (project / "made.txt").exists()
        self.changed = (project / "changed.txt").exists()
        self.said = done.stdout + done.stderr
        self.code = done.returncode

    def told(self, text):
        """Whether the model was told this."""
        return any(text in json.dumps(request, ensure_ascii=False) for request in self.requests)


def install(folder, name):
    """The folders of the agent's program: a package of npm, or packages of Python."""
    place, package = folder / "npm" / name, AGENTS[name].package
    if package.startswith("pip:"):
        if not place.exists():
            # The SDK of OpenHands needs Python 3.12.
            newest = next(filter(None, map(shutil.which, ("python3.12", "python3.13", "python3"))))
            subprocess.run([newest, "-m", "venv", str(place)], check=True)
            subprocess.run([place / "bin/pip", "install", "--quiet", *package[len("pip:"):].split()], check=True)
        return str(place / "bin")
    if not (place / "node_modules").exists():
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(place), package]
        subprocess.run(words, check=True)
    return f"{place / 'node_modules/.bin'}:{place / 'node_modules' / package / 'bin'}"


def prepare(folder, name, home, project):
    """Puts a package where the agent would fetch it at its start."""
    if AGENTS[name].needs is None:
        return
    package, in_home, in_project = AGENTS[name].needs
    place = folder / "npm" / f"{name}-needs"
    for target in (home / in_home, project / in_project):
        target.mkdir(parents=True, exist_ok=True)
        shutil.copytree(place / "node_modules", target / "node_modules", dirs_exist_ok=True)
        (target / "package.json").write_text((place / "package.json").read_text())


def fetch(folder, name):
    """The package that the agent would fetch, while there is a network."""
    if AGENTS[name].needs is not None and not (place := folder / "npm" / f"{name}-needs").exists():
        place.mkdir(parents=True)
        words = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(place), AGENTS[name].needs[0]]
        subprocess.run(words, check=True)


def version(folder, name):
    place, package = folder / "npm" / name, AGENTS[name].package
    if package.startswith("pip:"):
        first = package[len("pip:"):].split()[0]
        shown = subprocess.run([place / "bin/pip", "show", first], text=True, stdout=subprocess.PIPE, check=True).stdout
        return next(line.split()[1] for line in shown.splitlines() if line.startswith("Version:"))
    return json.loads((place / "node_modules" / package / "package.json").read_text())["version"]


def calls(folder):
    """Event, answer, what was said, exit status, arguments and milliseconds of each call of hookc."""
    for call in sorted(folder.iterdir()):
        if (call / "end").exists():
            code, took, words = (call / "end").read_text().split(" ", 2)
            texts = [(call / name).read_text() for name in ("event", "out", "err")]
            yield (*texts, int(code), words, int(took) / 1e6)


def play(folder, name, session, hookc, server, before=None, label=None, put_in=None):
    """One session in a home and a project of its own; `before` may change the set-up that `put_in` and `hookc install` make."""
    agent, place = AGENTS[name], folder / f"{name}-{label or session.name}"
    shutil.rmtree(place, ignore_errors=True)
    home, project, recorded = place / "home", place / "a project", place / "calls"
    for one in (home, project, recorded, place / "real", place / "bin"):
        one.mkdir(parents=True)
    fill = lambda text: text.replace("PORT", str(server.server_address[1])).replace("PROJECT", str(project))
    for path, text in agent.files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(fill(text))
    prepare(folder, name, home, project)
    (place / "real/hookc").symlink_to(hookc)
    (place / "bin/hookc").write_text(RECORDER.replace("CALLS", f"'{recorded}'").replace("HOOKC", f"'{hookc}'"))
    (place / "bin/hookc").chmod(0o755)
    env = {"HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb", **{key: fill(text) for key, text in agent.env.items()}}
    path = lambda first: {**env, "PATH": f"{place / first}:{install(folder, name)}:{os.environ['PATH']}"}
    # A login shell must find the name `hookc` for `install`; the agent's own shells find the recorder.
    profile = home / ".profile"
    profile.write_text(f"PATH='{place / 'real'}':$PATH\n")
    if put_in is not None:
        put_in(project, path("real"))
    if session.policy is not None:
        (project / "policy.yaml").write_text(session.policy)
        subprocess.run(["hookc", "install", "-q", "--allow-temporary", name, "policy.yaml"], cwd=project, env=path("real"), check=True)
    profile.unlink()
    if session.later is not None:
        (project / "policy.yaml").write_text(session.later)
    if session.is_gone:
        (place / "bin/hookc").unlink()
    if session.prepare is not None:
        session.prepare(project)
    server.requests = []
    server.steps = [fill(step) if isinstance(step, str) else (str(project / step[0]), step[1]) for step in session.steps]
    started = path("bin")
    if before is not None:
        profile.write_text(f"PATH='{place / 'bin'}':$PATH\n")
        before(project, home, started)
        profile.unlink()
    done = run([fill(word) for word in agent.command], project, started)
    (place / "requests.json").write_text(json.dumps(server.requests, indent=1, ensure_ascii=False))
    (place / "said").write_text(done.stdout + done.stderr)
    return Played(agent, project, server.requests, list(calls(recorded)), done)


def record(file, played, place, server):
    """Writes what an agent sent in a session, each event with whether it was denied, without what belongs to this machine."""
    known = [(f"{place}/home", "/home/me"), (str(place), "/home/me"), (str(server.server_address[1]), "8080")]
    # Some agents name a directory after the path of the project.
    known.append((re.sub("[^A-Za-z0-9]", "-", str(place)), "-home-me"))

    def redacted(text):
        for old, new in known:
            text = text.replace(old, new)
        return text

    lines = []
    for event, out, err, code, words, _ in played.calls:
        name = words.split("--event ")[1].split()[0] if "--event " in words else None
        denies = code == 2 or '"deny"' in out
        line = {"event": json.loads(redacted(event)), **({"name": name} if name else {}), **({"denies": True} if denies else {})}
        lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
    file.write_text("\n".join(lines) + "\n")


def run(command, project, env):
    """The agent, whose processes all end with it: some leave a server behind."""
    with subprocess.Popen(command, cwd=project, env=env, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=180)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def loopback():
    """Loopback alone, in a namespace without any other network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh22x", b"lo", 0x49))  # SIOCSIFFLAGS: up, running, loopback


def read_args(known=AGENTS):
    beside = HERE.parents[2] / "target/release/hookc"
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--hookc", default=str(beside))
    args.add_argument("--folder", help="where agents are installed and sessions are kept")
    args.add_argument("--only", help="these sessions, with commas between")
    args.add_argument("--record", metavar="DIR", help="also write each session to a file here: corpus/agents/past")
    args.add_argument("--live", action="store_true", help=argparse.SUPPRESS)
    args.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    args.add_argument("agents", nargs="*", metavar="AGENT", help=f"of {', '.join(known)}; all if none")
    args = args.parse_args()
    args.agents = args.agents or list(known)
    if unknown := set(args.agents) - set(known):
        sys.exit(f"there is no agent {', '.join(unknown)} (there are {', '.join(known)})")
    return args


def chosen(args, sessions):
    only = args.only.split(",") if args.only else None
    return [one for one in sessions if not only or one.name in only]


def table(args, folder, sessions, put_in=lambda name: None):
    server = fake.serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"{'':<18}" + "".join(f"{session.name:<8}" for session in sessions), flush=True)
    differs, took = [], []
    for name in args.agents:
        print(f"{name + ' ' + version(folder, name):<18}", end="", flush=True)
        for session in sessions:
            if session.name in AGENTS[name].without:
                print(f"{'-':<8}", end="", flush=True)
                continue
            try:
                played = play(folder, name, session, os.path.abspath(args.hookc), server, put_in=put_in(name))
                took += [call[-1] for call in played.calls]
                wrong = session.wrong(played)
                if args.record and not wrong:
                    record(pathlib.Path(args.record) / f"{name}.jsonl", played, folder / f"{name}-{session.name}", server)
            except subprocess.TimeoutExpired:
                wrong = ["the agent does not end"]
            differs += [f"{name}, {session.name}: {what}" for what in wrong]
            print(f"{'differs' if wrong else 'ok':<8}", end="", flush=True)
        print(flush=True)
    if took:
        print(f"hookc, {len(took)} calls: median {statistics.median(took):.1f} ms, longest {max(took):.1f} ms")
    print("\n".join(differs), end="\n" if differs else "")
    return 1 if differs else 0


def alone(args, script):
    """Runs a script of this directory again where there is no network but loopback, once the agents are installed."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.folder or temporary).absolute()
        for name in args.agents:
            install(folder, name)
            fetch(folder, name)
        own = [sys.executable, script, *sys.argv[1:], "--alone", "--folder", str(folder)]
        # In a namespace of processes too: nothing that an agent starts outlives it.
        return subprocess.run(["unshare", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc", *own]).returncode


def main():
    args = read_args()
    if not args.alone:
        return alone(args, str(HERE))
    loopback()
    return table(args, pathlib.Path(args.folder), chosen(args, SESSIONS))


if __name__ == "__main__":
    sys.exit(main())
