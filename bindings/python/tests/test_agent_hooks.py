"""The interceptor passes the conformance kit of AGENT-HOOKS 0.1: a small host runs its scenarios, and each interceptor of a
scenario is a policy. The kit is under HOOKC_SHARED."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hookc
import pytest

VECTORS = Path(os.environ.get("HOOKC_SHARED", "/nonexistent")) / "suites/agent-hooks/conformance/vectors"
EVENTS = {
    "agent_startup": "SessionStart",
    "input": "UserPromptSubmit",
    "pre_tool_call": "PreToolUse",
    "post_tool_call": "PostToolUse",
    "output": "Stop",
    "agent_shutdown": "SessionEnd",
}
TARGETS = {
    "agent_startup": ["agent_init"],
    "input": ["input", "content"],
    "pre_model_call": ["messages"],
    "post_model_call": ["response", "content"],
    "pre_tool_call": ["tool_call", "args"],
    "post_tool_call": ["tool_result", "value"],
    "output": ["output", "content"],
    "agent_shutdown": ["summary"],
}
Interceptor = Callable[[dict[str, Any]], dict[str, Any]]


def hooks(rule: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The hooks that say what a rule of an interceptor says."""
    if "return" not in rule:
        pytest.skip("the interceptor itself has a fault")
    verdict = rule["return"]
    if verdict.get("evidence") or verdict.get("result_labels"):
        pytest.skip("a policy gives no evidence and no labels")
    event = EVENTS.get(rule["at"], rule["at"])
    action: dict[str, Any] = {"type": "ask" if "approval" in verdict else verdict["decision"]}
    if transform := verdict.get("transform"):
        field = transform["path"].partition(".")[2]
        if "." in field or rule["at"] == "agent_startup":
            pytest.skip("a policy changes fields of the input of a tool")
        action = {"type": "modify", "input": {field: transform["value"]}}
    if "message" in verdict:
        action["reason"] = verdict["message"]
    tests = [{"path": path, "op": "eq", "value": value} for path, value in rule.get("match", {}).items()]
    named = {"id": verdict["reason"]} if "reason" in verdict else {}
    yield {**named, "event": event, "action": action, **({"condition": {"all": tests}} if tests else {})}
    for warning in verdict.get("warnings", []):
        text = warning.get("message", warning["reason"])
        yield {"id": warning["reason"], "event": event, "action": {"type": "log", "message": text}}


def interceptor(rules: list[dict[str, Any]]) -> Interceptor:
    policy = {
        "events": {name: {"family": "agent"} for name in ("pre_model_call", "post_model_call")},
        "hooks": [hook for rule in rules for hook in hooks(rule)],
    }
    return hookc.Interceptor(hookc.Engine(hookc.Policy.from_yaml(json.dumps(policy))))


def look(value: Any, path: str) -> Any:
    for name in re.findall(r"[^.\[\]]+", path):
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, TypeError):
            return LookupError
    return value


class Host:
    """A host as the contract describes it, without what concerns hosts alone: identities over numbers, streams."""

    def __init__(self, vector: dict[str, Any]) -> None:
        scripts = vector.get("interceptor_scripts", [vector.get("interceptor_script", [])])
        self.interceptors = [interceptor(rules) for rules in scripts]
        self.composition = vector.get("composition", {"profile": "sequential/first_deny"})
        self.mode, self.approvals = vector.get("mode", "enforce"), list(vector.get("approval_script", []))
        self.contexts: list[dict[str, Any]] = []
        self.records: list[dict[str, Any]] = []
        self.calls: list[dict[str, Any]] = []
        self.scenario, self.final = vector["scenario"], None

    def emit(self, point: str, **members: Any) -> tuple[dict[str, Any], Any]:
        context: dict[str, Any] = {"spec": "agent-hooks/0.1", "interception_point": point, "timestamp": "2026-01-01T00:00:00Z"}
        context |= {"sequence": len(self.contexts), "agent": {"id": "a", "framework": "test"}, "session": {"id": "s"}, **members}
        self.contexts.append(copy.deepcopy({**context, "target": self.target(context)}))
        record: dict[str, Any] = {"interception_point": point, "mode": self.mode, "composition": self.composition}
        record |= {"timestamp": context["timestamp"], "identity_provider": "jcs-sha256", "decided_by": None, "verdicts": []}
        verdict, target = self.compose(context, record)
        shown = {**verdict}
        if "transform" in shown:
            shown["transform"] = {"path": shown["transform"]["path"]}
        record |= {"verdict": shown, "equal": target == self.target(context)}
        self.records.append(record)
        if self.mode == "evaluate_only":
            return {"decision": "allow"}, self.target(context)
        return verdict, target

    @staticmethod
    def target(context: dict[str, Any]) -> Any:
        value: Any = context
        for name in TARGETS[context["interception_point"]]:
            value = value[name]
        return value

    def compose(self, context: dict[str, Any], record: dict[str, Any]) -> tuple[dict[str, Any], Any]:
        target, warnings = copy.deepcopy(self.target(context)), []
        profile, found = self.composition["profile"], []
        for index, intercept in enumerate(self.interceptors):
            seen = copy.deepcopy(context)
            if profile.startswith("sequential"):
                value: Any = seen
                *path, last = TARGETS[context["interception_point"]]
                for name in path:
                    value = value[name]
                value[last] = copy.deepcopy(target)
            verdict = intercept({**seen, "target": self.target(seen)})
            record["verdicts"].append({"index": index, "decision": verdict["decision"]})
            warnings += verdict.get("warnings", [])
            if profile == "sequential/first_deny" and verdict["decision"] == "deny":
                verdict = (self.consult(record) if "approval" in verdict else None) or verdict
                record |= {"decided_by": index, "fold_truncated": index + 1 < len(self.interceptors)}
                if verdict["decision"] == "deny" or self.composition.get("on_approval", "stop") == "stop":
                    return self.applied(verdict, target, warnings)
                record["fold_truncated"] = False
            if profile.startswith("sequential") and "transform" in verdict:
                verdict, target = self.applied(verdict, target, [])
            found.append((index, verdict))
        return self.combine(found, target, warnings, record)

    def combine(self, found: Any, target: Any, warnings: Any, record: Any) -> tuple[dict[str, Any], Any]:
        profile = self.composition["profile"]
        denied = [(index, one) for index, one in found if one["decision"] == "deny"]
        changed = [(index, one) for index, one in found if one["decision"] == "transform"]
        knob = reason = None
        if profile == "parallel/unanimous" and len(denied) + len(changed) > 0:
            knob, reason = "on_disagreement", "host_error:composition_disagreement"
        elif profile == "parallel/strictest" and not denied and len(changed) > 1:
            knob, reason = "on_transform_conflict", "host_error:transform_conflict"
        if knob:
            lifted = self.consult(record) if self.composition.get(knob) == "approval" else None
            verdict = lifted or {"decision": "deny", "reason": reason}
            return self.applied(verdict, target, warnings)
        if denied and profile != "sequential/first_deny":
            liftable = all("approval" in one for _, one in denied)
            lifted = self.consult(record) if liftable else None
            record["decided_by"], verdict = next(((i, one) for i, one in denied if "approval" not in one), denied[0])
            return self.applied(lifted or verdict, target, warnings)
        if changed:
            record["decided_by"], verdict = changed[-1]
            return self.applied(verdict, target, warnings) if profile.startswith("parallel") else (self.with_warnings(verdict, warnings), target)
        return self.with_warnings(found[0][1] if found else {"decision": "allow"}, warnings), target

    @staticmethod
    def with_warnings(verdict: dict[str, Any], warnings: list[Any]) -> dict[str, Any]:
        return {**verdict, **({"warnings": warnings} if warnings else {})}

    def applied(self, verdict: dict[str, Any], target: Any, warnings: list[Any]) -> tuple[dict[str, Any], Any]:
        if transform := verdict.get("transform"):
            names = transform["path"].split(".")[1:]
            value = target = copy.deepcopy(target)
            for name in names[:-1]:
                value = value.get(name)
                if not isinstance(value, dict):
                    return {"decision": "deny", "reason": "host_error:transform_invalid"}, target
            if names:
                value[names[-1]] = transform.get("value")
            else:
                target = transform.get("value")
        return self.with_warnings(verdict, warnings), target

    def consult(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """What replaces a denial, if somebody is there to decide."""
        if not self.approvals:
            return None
        resolve = self.approvals[0]["resolve"]
        verdict: dict[str, Any] | None = resolve.get("verdict")
        record["resolved_by"] = "rejection"
        if resolve.get("outcome") != "approve":
            return verdict
        if verdict and verdict["decision"] == "deny":
            return {"decision": "deny", "reason": "host_error:verdict_invalid"}
        record["resolved_by"] = "approval"
        return verdict or {"decision": "allow"}

    def tool(self, call: dict[str, Any]) -> str:
        verdict, args = self.emit("pre_tool_call", tool_call=call)
        if verdict["decision"] == "deny":
            return f"denied: {verdict['reason']}"
        self.calls.append({"name": call["name"], "args": args})
        (declared,) = [tool for tool in self.scenario["tools"] if tool["name"] == call["name"]]
        matching = [one for one in declared["behavior"] if one.get("when_args", {}).items() <= args.items()]
        result = {"value": matching[0]["return"], "is_error": matching[0].get("is_error", False)}
        verdict, value = self.emit("post_tool_call", tool_call={**call, "args": args}, tool_result=result)
        return f"denied: {verdict['reason']}" if verdict["decision"] == "deny" else json.dumps(value)

    def run(self) -> str:
        tools = [tool["name"] for tool in self.scenario.get("tools", [])]
        is_blocked = self.emit("agent_startup", agent_init={"tools_registered": tools})[0]["decision"] == "deny"
        is_blocked = is_blocked or self.turn()
        self.emit("agent_shutdown", summary={"reason": "error" if is_blocked else "completed"})
        return "blocked" if is_blocked else "completed"

    def turn(self) -> bool:
        """Whether the turn was blocked."""
        verdict, content = self.emit("input", input=self.scenario["input"])
        if verdict["decision"] == "deny":
            return True
        messages, model = [{"role": "user", "content": content}], {"id": "m"}
        for step in self.scenario["model_script"]:
            verdict, messages = self.emit("pre_model_call", model=model, messages=messages)
            if verdict["decision"] == "deny":
                return True
            response = step["respond"]
            verdict, content = self.emit("post_model_call", model=model, response=response)
            if verdict["decision"] == "deny":
                return True
            for call in response["tool_calls"]:
                messages = [*messages, {"role": "tool", "content": self.tool(call)}]
            if not response["tool_calls"]:
                break
        verdict, content = self.emit("output", output={"content": content})
        self.final = None if verdict["decision"] == "deny" else content
        return bool(verdict["decision"] == "deny")


def check(host: Host, outcome: str, expect: dict[str, Any]) -> None:
    points = [context["interception_point"] for context in host.contexts]
    assert outcome == expect["run_outcome"], host.records
    assert not set(points) & set(expect.get("interceptions_absent", []))
    if expect.get("sequence_strict"):
        assert points == [one["interception_point"] for one in expect["interceptions"]]
    at = iter(host.contexts)
    for one in expect["interceptions"]:
        wanted = one.get("context", {})
        fits = (
            context["interception_point"] == one["interception_point"]
            and all(look(context, path) == value for path, value in wanted.items())
            and all(text in json.dumps(context) for text in one.get("context_must_contain", []))
            for context in at
        )
        assert any(fits), one
        for text in one.get("context_must_not_contain", []):
            assert text not in json.dumps([c for c in host.contexts if c["interception_point"] == one["interception_point"]])
    if "tool_invocations" in expect:
        assert host.calls == expect["tool_invocations"]
    assert not {call["name"] for call in host.calls} & set(expect.get("tool_not_invoked", []))
    assert host.final == expect.get("final_output", host.final)
    if "identities_equal" in expect:
        assert all(record["equal"] for record in host.records) == expect["identities_equal"]
    for wanted in expect.get("records", []):
        records = [one for one in host.records if one["interception_point"] == wanted["interception_point"]]
        fits = (all(look(one, path) == value for path, value in wanted.get("assert", {}).items()) for one in records)
        assert any(fits), (wanted, records)
        assert all(look(one, path) is LookupError for one in records for path in wanted.get("absent", []))


IDENTITIES = "identities of contexts are made by the host"
LEFT_OUT = {
    **dict.fromkeys(("AH-CTK-061", "AH-CTK-101"), "there is no interceptor"),
    **dict.fromkeys(("AH-CTK-072", "AH-CTK-089", "AH-CTK-090", "AH-CTK-091", "AH-CTK-095", "AH-CTK-096", "AH-CTK-099"), IDENTITIES),
    **dict.fromkeys(("AH-CTK-110", "AH-CTK-111", "AH-CTK-112", "AH-CTK-113"), "a host mediates a stream"),
}


@pytest.mark.skipif(not VECTORS.is_dir(), reason="the kit is not under HOOKC_SHARED")
@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.json")), ids=lambda path: path.stem)
def test_a_vector(path: Path) -> None:
    vector = json.loads(path.read_text())
    if reason := LEFT_OUT.get(vector["id"]):
        pytest.skip(reason)
    host = Host(vector)
    check(host, host.run(), vector["expect"])


def test_the_face_that_the_document_shows() -> None:
    engine = hookc.Engine(hookc.Policy.from_yaml("hooks: [{id: no, event: PreToolUse, when: may_push(), action: {type: ask, reason: r}}]"))
    intercept = hookc.Interceptor(engine, directory="/srv/app")
    call = {"id": "1", "name": "Bash", "args": {"command": "git push"}}
    context = {"interception_point": "pre_tool_call", "session": {"id": "s"}, "tool_call": call, "target": call["args"]}
    assert intercept(context) == intercept.intercept(context) == {"decision": "deny", "reason": "no", "message": "r", "approval": {}}
    engine.reload(hookc.Policy.from_yaml("hooks: []"))
    assert intercept(context) == {"decision": "allow"} and intercept.engine is engine
    for wrong in ({}, {"interception_point": 7}):
        with pytest.raises(hookc.EventError) as caught:
            intercept(wrong)
        assert caught.value.code == "no_type"
    with pytest.raises(TypeError):
        intercept(b"{}")  # type: ignore[arg-type]
