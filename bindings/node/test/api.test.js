// What the functions do when they are used as documented.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { compiler, HookcError, load, version } from "hookc";

const YAML = `
hooks:
  - {id: no, event: Stop, on_failure: closed, action: {type: deny, reason: '\${why}'}}
  - {id: seen, event: Stop, mode: warn, action: {type: deny}}
`;
const STOP = { hook_event_name: "Stop", why: "tests" };

test("a decision has its hooks", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const loaded = await load(policy.module);
  for (const one of [policy, loaded]) {
    const decision = one.decide(STOP);
    assert.deepEqual([decision.event, decision.family, decision.strategy], ["Stop", "agent", "all"]);
    assert.deepEqual(decision.hooks, [
      {
        id: "no",
        rank: 0,
        mode: "enforce",
        layer: "directive",
        location: { file: "policy.yaml", line: 3, column: 5 },
        onError: null,
        onFailure: "closed",
        action: { type: "deny", reason: "tests" },
        error: null,
      },
    ]);
    assert.deepEqual(decision.reported.map((hook) => [hook.id, hook.mode]), [["seen", "warn"]]);
    assert.equal(one.decideJson(STOP), decision.json);
  }
});

test("a misspelt event type is a warning, once", async () => {
  const warnings = [];
  const listen = (warning) => warnings.push([warning.name, warning.message]);
  process.on("warning", listen);
  const { policy } = (await compiler()).compile("hooks: [{event: PreToolUse, action: {type: deny}}]");
  const loaded = await load(policy.module);
  for (const one of [policy, loaded]) {
    for (const name of ["PreTolUse", "PreTolUse", "PreToolUse", "PostToolUse", "deployed"]) one.decide({ hook_event_name: name });
    const meant = ["PreTolUse", "BeforeTool", "PreToolUse", "PostToolUse", "deployed"].map((name) => one.misspeltEventType(name));
    assert.deepEqual(meant, ["PreToolUse", "PreToolUse", null, null, null]);
    assert.throws(() => one.misspeltEventType(null), { kind: "argument" });
    assert.throws(() => one.misspeltEventType("\ud800"), { kind: "argument" });
  }
  await new Promise(setImmediate);
  process.off("warning", listen);
  const text = 'no hook and no vocabulary knows the event type "PreTolUse": did you mean "PreToolUse"?';
  assert.deepEqual(warnings, [["HookcWarning", text], ["HookcWarning", text]]);
});

test("each unknown event type is looked up once, and only so many of them", async () => {
  const { policy } = (await compiler()).compile("hooks: [{event: PreToolUse, action: {type: deny}}]");
  const names = [];
  policy.misspeltEventType = (name) => {
    names.push(name);
    return null;
  };
  const decide = (name) => policy.decide({ hook_event_name: name });
  decide("x".repeat(1 << 20));
  assert.deepEqual(names, []);
  for (let number = 0; number < 1100; number += 1) for (const _ of [1, 2]) decide(`deployed_${number}`);
  assert.equal(names.length, 1000);
  assert.equal(new Set(names).size, 1000);
});

test("an event has many forms", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const text = JSON.stringify(STOP);
  const bytes = new TextEncoder().encode(text);
  const within = new Uint8Array(bytes.length + 8);
  within.set(bytes, 4);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  const expected = policy.decideJson(text);
  const buffers = [bytes, bytes.buffer, Buffer.from(text), new DataView(within.buffer, 4, bytes.length), shared];
  for (const form of [STOP, ...buffers, new Uint8Array(shared)]) assert.equal(policy.decideJson(form), expected);
});

test("numbers are exact in the JSON of a decision", async () => {
  const { policy } = (await compiler()).compile(
    "hooks: [{event: my_event, action: {type: emit_event, event_type: e, payload: {v: '${v}'}}}]",
  );
  const event = '{"event_type": "my_event", "v": 12345678901234567890.5, "é": "𝄞"}';
  assert.match(policy.decide(event).json, /"v":12345678901234567890\.5/);
});

test("options choose", async () => {
  const { policy } = (await compiler()).compile(YAML.replace("mode: warn, ", ""));
  assert.equal(policy.decide("{}", { event: "Stop", family: "agent" }).hooks.length, 2);
  assert.equal(policy.decide("{}", { event: "Stop", strategy: "first" }).hooks.length, 1);
  assert.deepEqual(policy.decide("{}", { event: "Stop", after: 0 }).hooks.map((hook) => hook.id), ["seen"]);
});

test("an error has its text and location", async () => {
  const compile = await compiler();
  const wrong = "hooks:\n  - {event: Stop, action: {type: dney}}\n";
  assert.throws(() => compile.compile(wrong), (error) => {
    assert.ok(error instanceof HookcError && error instanceof Error);
    assert.deepEqual([error.name, error.kind, error.code], ["HookcError", "policy", "E0406"]);
    assert.deepEqual(error.location, { file: "policy.yaml", line: 2, column: 34 });
    assert.match(error.rendered, /did you mean `deny`\?/);
    assert.deepEqual(error.diagnostics.map((one) => one.code), ["E0406"]);
    return true;
  });
  const report = compile.check(wrong);
  assert.deepEqual([report.ok, report.diagnostics[0]?.fix?.replacement], [false, "deny"]);
  const { policy } = compile.compile(YAML);
  assert.throws(() => policy.decide('{"a":\n }'), (error) => {
    assert.ok(error instanceof HookcError);
    assert.deepEqual([error.kind, error.code], ["event", "syntax"]);
    assert.deepEqual(error.location, { file: "event", line: 2, column: 2 });
    return true;
  });
});

test("warnings are in the report", async () => {
  const clean = "hooks: [{event: PreToolUse, when: tool_name == 'Bash', action: {type: ask}}]";
  assert.deepEqual((await compiler()).check(clean), { ok: true, rendered: "", diagnostics: [] });
  const yaml = "hooks: [{event: Stop, when: tool_nam == 'x', action: {type: deny}}]";
  const compile = await compiler();
  const report = compile.check(yaml);
  assert.equal(report.ok, true);
  assert.ok(report.diagnostics.some((one) => one.severity === "warning"), report.rendered);
  assert.equal(compile.check(yaml, { strict: true }).ok, false);
});

test("sources have dialects and layers", async () => {
  const settings = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}';
  const { policy } = (await compiler()).compile([
    { name: "user.yaml", text: "hooks: [{id: a, event: Stop, action: {type: allow}}]", layer: "user" },
    { name: "settings.json", text: settings, dialect: "settings", layer: "project" },
  ]);
  assert.deepEqual(policy.decide(STOP).hooks.map((hook) => hook.layer), ["project", "user"]);
});

test("a decision is explained", async () => {
  const { policy } = (await compiler()).compile(
    "hooks: [{id: x, event: Stop, when: why == 'rain', action: {type: deny}}]",
  );
  const { event, text, hooks } = policy.explain(STOP);
  assert.equal(event, "Stop");
  assert.match(text, /✗ why == "rain": the value is "tests"/);
  assert.deepEqual([hooks[0]?.verdict, hooks[0]?.condition?.actual], ["no match", "tests"]);
});

test("the version says which modules load", async () => {
  const about = await version();
  assert.deepEqual([about.hookc, about.interface, about.compiler], ["0.1.0", 4, false]);
  assert.ok(about.format >= 1);
});

test("the README shows the example", async () => {
  const [readme, example] = await Promise.all(
    ["../README.md", "../examples/guard.js"].map((name) => readFile(new URL(name, import.meta.url), "utf8")),
  );
  assert.ok(readme?.includes(`\`\`\`js\n${example}\`\`\``));
});

test("the example runs", async () => {
  const example = new URL("../examples/guard.js", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [example]);
  assert.equal(stdout, 'policy.yaml:3: {"type":"ask","reason":"Push git push --force?"}\n');
});
