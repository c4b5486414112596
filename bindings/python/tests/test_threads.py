"""Many threads, and the GIL."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import threading
import time
from typing import Any

import hookc
import pytest

STOP = b'{"hook_event_name": "Stop"}'
# Slow enough to be measured: every row of the event is visited for each of these.
SLOW = hookc.Policy.from_yaml(
    "hooks: [{event: Stop, when: \"$..a == 'x'\", action: {type: deny}}]",
)


def run(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_decisions_while_the_policy_is_replaced() -> None:
    policies = [
        hookc.Policy.from_yaml(f"hooks: [{{event: Stop, action: {{type: deny, reason: 'r{n}'}}}}]") for n in range(5)
    ]
    engine = hookc.Engine(policies[0])
    wrong: list[Any] = []
    done = threading.Event()

    def decide() -> None:
        while not done.is_set():
            reason = engine.decide(STOP).hooks[0].action["reason"]
            if reason not in {"r0", "r1", "r2", "r3", "r4"}:
                wrong.append(reason)

    def replace() -> None:
        for round in range(500):
            engine.reload(policies[round % 5])
        done.set()

    run([threading.Thread(target=decide) for _ in range(6)] + [threading.Thread(target=replace)])
    assert not wrong and engine.policy is policies[499 % 5]


def test_a_dictionary_and_a_buffer_that_change_meanwhile() -> None:
    engine = hookc.Engine(hookc.Policy.from_yaml("hooks: [{event: Stop, action: {type: deny}}]"))
    event: dict[str, Any] = {"hook_event_name": "Stop", "list": []}
    buffer = bytearray(STOP + b" " * 4096)
    done = threading.Event()

    def change() -> None:
        for round in range(3000):
            event[f"k{round % 64}"] = round
            event["list"].append(round)
            event.pop(f"k{(round + 7) % 64}", None)
            buffer[len(STOP) + round % 4096] = 32 if round % 2 else 9
        done.set()

    def decide() -> None:
        while not done.is_set():
            assert len(engine.decide(event).hooks) == 1
            assert len(engine.decide(buffer).hooks) == 1

    run([threading.Thread(target=change)] + [threading.Thread(target=decide) for _ in range(3)])


def test_the_gil_is_released_while_deciding() -> None:
    engine = hookc.Engine(SLOW)
    event = b'{"hook_event_name": "Stop", "x": [' + b'{"b": [1, 2, 3]},' * 40_000 + b"0]}"
    done = threading.Event()
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.0005)

    # A thread that holds the GIL gives it up after this time at the earliest.
    before = sys.getswitchinterval()
    sys.setswitchinterval(30)
    try:
        thread = threading.Thread(target=tick)
        thread.start()
        for _ in range(10):
            engine.decide(event)
        done.set()
        thread.join()
    finally:
        sys.setswitchinterval(before)
    assert ticks > 10


def test_importing_does_not_enable_the_gil() -> None:
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python is not a free-threaded build")
    code = "import sys, hookc; assert not sys._is_gil_enabled(), 'importing hookc enabled the GIL'"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


@pytest.mark.parametrize("call", ["decide", "handle"])
def test_threads_that_the_interpreter_does_not_outlive(call: str) -> None:
    code = (
        "import hookc, threading, time\n"
        "policy = hookc.Policy.from_yaml('hooks: [{event: Stop, action: {type: prompt, prompt: x}}]')\n"
        "engine = hookc.Engine(policy, {'prompt': lambda action, context: time.sleep(0.001)})\n"
        "def work():\n"
        "    while True:\n"
        f"        engine.{call}(b'{{\"hook_event_name\": \"Stop\"}}')\n"
        "[threading.Thread(target=work, daemon=True).start() for _ in range(3)]\n"
        "time.sleep(0.1)\n"
    )
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True, text=True)
        assert (run.returncode, run.stderr) == (0, "")
