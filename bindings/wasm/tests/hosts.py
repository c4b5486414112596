"""Every case of `corpus/eval` in wasmtime gives the bytes of decisions of the Rust library: `hosts.py WASM CASES`.

CASES is a directory of the example `reference` of bindings/shared.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import wasmtime

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from decide import Failure, Policy  # noqa: E402


def decided(policy: Policy, event: bytes) -> bytes:
    try:
        return policy.decide(event)
    except Failure as failure:
        if failure.kind != "event":
            raise
        return json.dumps({"error": failure.message}, ensure_ascii=False, separators=(",", ":")).encode()


def sessions(policy: Policy) -> None:
    """A push is denied after an edit without a test, also by a session from the bytes of another."""
    edit = b'{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": "lib.rs"}}'
    push = b'{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"}}'
    session = policy.session()
    denials = [b"Run the tests first." in session.decide(event, time) for time, event in enumerate([push, edit, push])]
    assert denials == [False, False, True], denials
    assert b"Run the tests first." in policy.session(session.snapshot()).decide(push, 4)
    try:
        policy.session(b"damaged")
    except Failure as failure:
        assert (failure.kind, failure.code) == ("snapshot", "snapshot"), failure
    else:
        raise AssertionError("it opens")


def main() -> None:
    wasm, cases = map(Path, sys.argv[1:])
    engine = wasmtime.Engine()
    compiled = wasmtime.Module(engine, wasm.read_bytes())
    assert compiled.imports == [], compiled.imports
    count = decisions = 0
    for case in sorted(filter(Path.is_dir, cases.iterdir())):
        policy = Policy(engine, compiled, (case / "module.hookc").read_bytes())
        events, expected = (
            [line for line in (case / name).read_bytes().split(b"\n") if line]
            for name in ("events.ndjson", "decisions.ndjson")
        )
        found = [decided(policy, event) for event in events]
        for event, one, other in zip(events, found, expected, strict=True):
            assert one == other, f"{case.name}: {event!r}\nexpected {other!r}\nfound    {one!r}"
        count, decisions = count + 1, decisions + len(found)
    assert count >= 30 and decisions >= 400, (count, decisions)
    sessions(Policy(engine, compiled, (cases / "session.hookc").read_bytes()))
    try:
        Policy(engine, compiled, b"hooks: []")
    except Failure as failure:
        assert (failure.kind, failure.code) == ("module", "not_a_module"), failure
    else:
        raise AssertionError("it loads")
    print(f"{count} cases, {decisions} decisions in wasmtime {version('wasmtime')}")


if __name__ == "__main__":
    main()
