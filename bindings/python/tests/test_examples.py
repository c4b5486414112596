"""The examples run, and print what they say."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    ran = subprocess.run([sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_guarded_agent() -> None:
    output = run("guard_agent.py")
    assert "denied: `cd /tmp && rm -rf /` destroys the system." in output
    assert "asked: Push `git push origin main`?" in output
    assert output.rstrip().endswith("the model ends")
    assert len((EXAMPLES / "guard_agent.py").read_text().splitlines()) <= 60


def test_the_thread_policy() -> None:
    output = run("thread_policy.py")
    assert output.splitlines() == [
        "error: call_directive ops/back_off",
        "error: retry",
        "error: no action",
        "limit: escalate user_approval",
        "context_window_pressure: call_directive ops/summarize",
    ]


def test_the_agent_thread() -> None:
    state = '{"version":1,"retries":{%s},"suspended":%s,"escalation":%s}'
    asked = '{"hook":"ask_a_person","target":"user_approval","message":null,"timeout_seconds":600}'
    assert run("agent_thread.py").splitlines() == [
        "error: <hookc.Step retry after 0.01 s>",
        "error: <hookc.Step retry after 0.01 s>",
        "error: <hookc.Step fail: hook try_again: 2 retries were made>",
        "to the user: http_401; go on?",
        "error: <hookc.Step escalate: user_approval>",
        "saved: " + state % ("", "null", asked),
        "the user: yes: <hookc.Step continue>",
        "limit: <hookc.Step suspend: budget>",
        "saved: " + state % ("", '{"hook":"budget","reason":"budget","resume_hint":null}', "null"),
        "context_window_pressure: <hookc.Step compact: a summary by summarize>",
        "after_step: <hookc.Step no_opinion>",
    ]


def test_the_replay_with_spark() -> None:
    for name in ["pyspark", "pandas", "pyarrow", "duckdb"]:
        pytest.importorskip(name, reason=f"{name} is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no JVM")
    output = run("spark_replay.py")
    assert "equal totals" in output, output
