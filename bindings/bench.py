"""The cost of a decision in each binding, beside the call in Rust: `python3 bindings/bench.py [ROUNDS]`.

Each round runs the program of every binding once, so that all of them meet the same load of the machine; a ratio is
the median of the ratios of the rounds. `hookc` is compiled with the profile `dist` first. The event and the policy are those
of `corpus/quickstart`. A binding whose toolchain is missing is left out, and named.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BINDINGS = ROOT / "bindings"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", BINDINGS / "target")).resolve()
WORK = TARGET / "bench"
BASE = "Rust, the virtual machine, JSON of the decision"


def run(*command: object, directory: Path = BINDINGS) -> str:
    return subprocess.run([str(one) for one in command], cwd=directory, check=True, stdout=subprocess.PIPE, text=True).stdout


def size(name: str, path: Path) -> None:
    packed = subprocess.run(["gzip", "-9", "-c", path], check=True, capture_output=True).stdout
    print(f"size: {name}: {path.stat().st_size:,} bytes, {len(packed):,} with gzip")


def rust(module: Path, event: Path) -> list[object]:
    run("cargo", "build", "--quiet", "--locked", "--profile", "dist", "-p", "hookc-bindings", "--example", "bench")
    return [TARGET / "dist/examples/bench", module, event]


def c(module: Path, event: Path) -> list[object]:
    run("cargo", "build", "--quiet", "--locked", "--profile", "dist", "-p", "hookc-c")
    program, shared = WORK / "bench-c", WORK / "libhookc.so"
    library = TARGET / "dist/libhookc.a"
    run("cc", "-O2", "-Ic/include", "c/examples/bench.c", library, "-lpthread", "-ldl", "-lm", "-o", program)
    run("strip", "-o", shared, TARGET / "dist/libhookc.so")
    size("libhookc.so, stripped", shared)
    return [program, module, event]


def node(module: Path, event: Path) -> list[object]:
    run(BINDINGS / "wasm/build")
    for name in ("hookc-vm", "hookc-compiler"):
        size(f"{name}.wasm", BINDINGS / f"node/wasm/{name}.wasm")
    return ["node", BINDINGS / "node/examples/bench.js", module, event]


def python(module: Path, event: Path) -> list[object]:
    python, wheels = WORK / "venv/bin/python", WORK / "wheels"
    if not python.exists():
        run(sys.executable, "-m", "venv", WORK / "venv")
    shutil.rmtree(wheels, ignore_errors=True)
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", wheels, BINDINGS / "python")
    (wheel,) = wheels.iterdir()
    run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", wheel)
    print(f"size: {wheel.name}: {wheel.stat().st_size:,} bytes")
    return [python, BINDINGS / "python/bench/decide.py", module, event]


def figures(command: list[object]) -> dict[str, float]:
    """The lines `NAME: NUMBER ns` of a program."""
    return {name: float(number) for name, number in re.findall(r"^(.*): ([\d.]+) ns$", run(*command), re.MULTILINE)}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    WORK.mkdir(parents=True, exist_ok=True)
    module, event = WORK / "policy.hookc", WORK / "event.json"
    event.write_bytes((ROOT / "corpus/quickstart/events.ndjson").read_bytes().split(b"\n")[0])
    run("cargo", "run", "--quiet", "--locked", "-p", "hookc-cli", "--", "compile", "corpus/quickstart/hooks.yaml", "-o", module,
        directory=ROOT)
    commands = []
    for build in (rust, c, node, python):
        try:
            commands.append(build(module, event))
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            print(f"{build.__name__}: LEFT OUT: {error}")
    all_rounds = [{name: ns for command in commands for name, ns in figures(command).items()} for _ in range(rounds)]
    print(f"{rounds} rounds, {event.stat().st_size} bytes of event; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name in all_rounds[0]:
        median = statistics.median(one[name] for one in all_rounds)
        ratio = statistics.median(one[name] / one[BASE] for one in all_rounds)
        print(f"{median:10,.0f} ns  {ratio:6.2f}  {name}")


if __name__ == "__main__":
    main()
