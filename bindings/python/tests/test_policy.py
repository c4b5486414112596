"""Policies and their errors."""

from __future__ import annotations

import copy
import gc
import pickle
from pathlib import Path

import hookc
import pytest

DENY = "hooks: [{id: no, event: Stop, action: {type: deny, reason: tests}}]"
STOP = b'{"hook_event_name": "Stop"}'


def test_the_face_that_the_readme_shows() -> None:
    decision = hookc.Engine(hookc.Policy.from_yaml(DENY)).decide(STOP)
    (hook,) = decision.hooks
    assert (hook.id, hook.mode, hook.layer, str(hook.location)) == ("no", "enforce", "directive", "policy.yaml:1:9")
    assert (hook.action, hook.kind) == ({"type": "deny", "reason": "tests"}, "deny")
    assert (decision.event_type, decision.vocabulary, decision.reported) == ("Stop", "agent", ())
    assert '"action":{"type":"deny","reason":"tests"}' in decision.to_json()


def test_a_compile_error_has_everything() -> None:
    with pytest.raises(hookc.CompileError) as caught:
        hookc.Policy.from_yaml("hooks: [{event: Stop, action: {type: dney}}]", name="mine.yaml")
    error = caught.value
    assert (error.code, error.location) == ("E0406", "mine.yaml:1:38")
    assert "did you mean `deny`?" in str(error) and str(error) == error.rendered
    (diagnostic,) = error.diagnostics
    assert (diagnostic.severity, diagnostic.code, diagnostic.message) == ("error", "E0406", error.message)
    assert diagnostic.location is not None and diagnostic.location.line == 1
    again = pickle.loads(pickle.dumps(hookc.EventError("utf8", "m", None, "r", 3)))
    assert (again.code, again.offset, str(again)) == ("utf8", 3, "r")


def test_files_directories_and_layers(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(DENY)
    managed = tmp_path / "managed"
    managed.mkdir()
    (managed / "hooks.yaml").write_text("hooks: [{id: ours, event: Stop, action: {type: allow}}]")
    policy = hookc.Policy.from_files([own], layers={"managed": managed, "user": []})
    hooks = hookc.Engine(policy).decide(STOP).hooks
    assert [(hook.id, hook.layer) for hook in hooks] == [("ours", "managed"), ("no", "directive")]
    (event,) = policy.events
    assert (event.name, event.vocabulary, event.hooks) == ("Stop", "agent", 2)
    with pytest.raises(ValueError, match="the layer \"manged\" is unknown"):
        hookc.Policy.from_files([], layers={"manged": managed})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="expected a list of paths, found str"):
        hookc.Policy.from_files(str(own))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(hookc.FileError) as caught:
        hookc.Policy.from_files([tmp_path / "none.yaml"])
    assert caught.value.code == "file" and caught.value.location == str(tmp_path / "none.yaml")
    assert isinstance(caught.value.__cause__, FileNotFoundError)
    (tmp_path / "latin.yaml").write_bytes(b"hooks: [] # \xe9")
    with pytest.raises(hookc.FileError, match="UTF-8"):
        hookc.Policy.from_files([tmp_path / "latin.yaml"])


def test_modules(tmp_path: Path) -> None:
    policy = hookc.Policy.from_yaml(DENY)
    module = policy.module
    assert hookc.Policy.from_module(memoryview(module)).hash == policy.hash
    assert pickle.loads(pickle.dumps(policy)).hash == policy.hash
    assert copy.deepcopy(policy).hash == policy.hash
    another = bytearray(module)
    another[8] ^= 0x7F
    damaged = module[:-1] + bytes([module[-1] ^ 1])
    for bytes_, code in [(b"", "not_a_module"), (b"hooks: []" * 100, "not_a_module"), (damaged, "damaged")]:
        with pytest.raises(hookc.LoadError) as caught:
            hookc.Policy.from_module(bytes_)
        assert caught.value.code == code, caught.value
    for at in range(0, len(module), 7):
        wrong = bytearray(module)
        wrong[at] ^= 0xFF
        with pytest.raises(hookc.LoadError):
            hookc.Policy.from_module(wrong)


def test_a_module_of_another_version() -> None:
    module = bytearray(hookc.Policy.from_yaml(DENY).module)
    for at in range(4, 16):
        other = bytearray(module)
        other[at] = (other[at] + 1) % 256
        with pytest.raises(hookc.LoadError) as caught:
            hookc.Policy.from_module(other)
        if caught.value.code == "version":
            assert "compile the module again" in str(caught.value)
            return
    raise AssertionError("no byte of the header is the version")


@pytest.mark.parametrize("wrong", [None, 1, "text", {}, ["a"], object()])
def test_wrong_types(wrong: object) -> None:
    with pytest.raises(TypeError):
        hookc.Policy.from_module(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        hookc.Engine(wrong)  # type: ignore[arg-type]
    if wrong != "text":
        with pytest.raises(TypeError):
            hookc.Policy.from_yaml(wrong)  # type: ignore[arg-type]


def test_options_with_unknown_names() -> None:
    for options in [{"shipped_hooks": "yes"}]:
        with pytest.raises(ValueError, match="expected one of never, threads, always"):
            hookc.Policy.from_yaml(DENY, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the dialect \"yml\" is unknown"):
        hookc.Policy.from_sources({"a": DENY}, dialects={"a": "yml"})
    with pytest.raises(ValueError, match="dialects has 'b', which is not a source"):
        hookc.Policy.from_sources({"a": DENY}, dialects={"b": "hooks"})
    engine = hookc.Engine(hookc.Policy.from_yaml(DENY))
    with pytest.raises(ValueError, match="vocabulary"):
        engine.decide(STOP, vocabulary="agents")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="strategy"):
        engine.decide(STOP, strategy="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="failure_mode"):
        hookc.Engine(engine.policy, failure_mode="ajar")


def test_a_stripped_module_has_no_names() -> None:
    (hook,) = hookc.Engine(hookc.Policy.from_yaml(DENY, strip=True)).decide(STOP).hooks
    assert (hook.id, hook.layer, hook.location) == ("rank 0", None, None)


def test_strict_and_warnings() -> None:
    text = "hooks: [{event: no_such_event, action: {type: abort}}]"
    assert hookc.Policy.from_yaml(text).diagnostics
    with pytest.raises(hookc.CompileError):
        hookc.Policy.from_yaml(text, strict=True)


def test_a_policy_that_is_dropped_while_its_engine_decides() -> None:
    engine = hookc.Engine(hookc.Policy.from_yaml(DENY))
    decision = engine.decide(STOP)
    hook = decision.hooks[0]
    del engine, decision
    gc.collect()
    assert hook.action["reason"] == "tests" and str(hook.location).endswith(":1:9")


def test_classes_are_frozen() -> None:
    policy = hookc.Policy.from_yaml(DENY)
    with pytest.raises(AttributeError):
        policy.module = b""  # type: ignore[misc]
    with pytest.raises(TypeError):
        type("Own", (hookc.Policy,), {})


def test_no_files_are_no_policy(tmp_path: Path) -> None:
    for paths in [[], [tmp_path]]:
        with pytest.raises(ValueError, match="there is no policy"):
            hookc.Policy.from_files(paths)
    with pytest.raises(ValueError, match="there is no policy"):
        hookc.Policy.from_sources({})
