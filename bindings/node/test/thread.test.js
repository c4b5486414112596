// Threads of agents.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { compiler, Compiler, CompiledPolicy, load, Policy, Thread } from "hookc";

const CASES = JSON.parse(await readFile(new URL("../../../corpus/threads/cases.json", import.meta.url), "utf8"));

/** A step with the names of the cases. */
function named(step) {
  if (step === null) return null;
  const names = { resumeHint: "resume_hint", timeoutSeconds: "timeout_seconds", pruneBeforeTurn: "prune_before_turn" };
  return Object.fromEntries(Object.entries(step).map(([name, value]) => [names[name] ?? name, value]));
}

for (const { case: name, events = "{}", hooks, calls, state } of CASES) {
  test(`the cases of every binding: ${name}`, async () => {
    const { policy } = (await compiler()).compile(`events: ${events}\nhooks:\n${hooks}\n`);
    for (const one of [policy, await load(policy.module)]) {
      let thread = one.thread();
      for (const call of calls) {
        thread = one.thread({ state: thread.state });
        let step;
        if ("on" in call) {
          if (call.error) {
            assert.throws(() => thread.on(call.on), { kind: "thread", code: call.error });
            continue;
          }
          step = thread.on(call.on);
          for (const reply of call.replies ?? []) {
            assert.equal(step.kind, "perform", JSON.stringify(call));
            step = "fail" in reply ? thread.failed(new Error(reply.fail)) : thread.performed(reply.value);
          }
        } else if ("resume" in call) {
          assert.equal(thread.resume(), call.resume);
          continue;
        } else if ("answered" in call) step = thread.answered(call.answered);
        else if ("expire" in call) step = thread.expireEscalation(call.expire);
        else {
          thread.succeeded();
          continue;
        }
        assert.deepEqual(named(step), call.step, JSON.stringify(call));
      }
      if (state) assert.deepEqual(JSON.parse(thread.state), state);
    }
  });
}

const POLICY = `
hooks:
  - {id: call, event: limit, action: {type: call_directive, directive: d, parameters: {spend: '\${spend}'}}}
  - {id: again, event: error, action: {type: retry, max_attempts: 2, backoff_policy: fixed, delay: 1}}
`;

test("an action is performed by the program", async () => {
  const thread = (await compiler()).compile(POLICY).policy.thread();
  const step = thread.on({ event: { type: "limit" }, spend: 12.5 });
  assert.equal(step.kind, "perform");
  assert.deepEqual([step.hook, step.action.type, step.action.directive, step.action.parameters], ["call", "call_directive", "d", { spend: 12.5 }]);
  for (const busy of [() => thread.on({ event: { type: "error" } }), () => thread.succeeded(), () => thread.resume(), () => thread.answered(true)]) {
    assert.throws(busy, { kind: "thread", code: "busy" });
  }
  assert.throws(() => thread.performed(Promise.resolve(null)), { kind: "argument" });
  assert.throws(() => thread.performed({ n: NaN }), { kind: "argument" });
  assert.deepEqual(thread.denied("too expensive"), { kind: "fail", message: "too expensive" });
  assert.throws(() => thread.performed(null), { kind: "thread", code: "idle" });
  assert.deepEqual(thread.on(JSON.stringify({ event: { type: "error" } })), { kind: "retry", after: 1, attempt: 1 });
  assert.deepEqual(thread.retries, new Map([["again", 1]]));
});

test("events and states that are not valid", async () => {
  const { policy } = (await compiler()).compile(POLICY);
  const thread = policy.thread();
  for (const bad of [[1], "[]", "{}", null, undefined, new Uint8Array([255]), "\ud800"]) assert.throws(() => thread.on(bad), { name: "HookcError" });
  assert.equal(thread.on({ event: { type: "error" } }).kind, "retry");
  for (const state of ["", "{}", "[]", "null", '{"version":1}', '{"version":1,"retries":{"a":-1}}', '{"version":1,"retries":[]}', {}]) {
    assert.throws(() => policy.thread({ state }), { kind: "thread", code: "state" }, String(state));
  }
  assert.throws(() => policy.thread({ failureMode: "close" }), { kind: "argument" });
  assert.throws(() => policy.thread(null), { kind: "argument" });
  assert.throws(() => thread.answered("yes"), { kind: "argument" });
  assert.throws(() => thread.expireEscalation(NaN), { kind: "argument" });
});

test("failures follow the failure mode of the thread", async () => {
  const { policy } = (await compiler()).compile(POLICY);
  for (const [failureMode, kind] of [["open", "continue"], ["closed", "fail"]]) {
    const thread = policy.thread({ failureMode });
    thread.on({ event: { type: "limit" } });
    assert.equal(thread.failed("gone").kind, kind);
  }
});

test("a result that cannot be checked is a failure", async () => {
  const { policy } = (await compiler()).compile("hooks: [{id: call, event: limit, action: {type: call_directive, directive: d}}]");
  const thread = policy.thread();
  let deep = [];
  for (let level = 0; level < 200; level += 1) deep = [deep];
  thread.on({ event: { type: "limit" } });
  const step = thread.performed({ action: "CONTINUE", deep });
  assert.equal(step.kind, "fail");
  assert.match(step.message, /^hook call failed: /);
  assert.equal(thread.on({ event: { type: "limit" } }).kind, "perform");
});

test("a long header field is read in linear time", async () => {
  const { policy } = (await compiler()).compile("hooks: [{id: again, event: error, action: {type: retry}}]");
  const retry_policy = { type: "use_header", fallback: { type: "fixed", delay: 7 } };
  const start = performance.now();
  for (const value of ["1".repeat(1_000_000) + "x", " ".repeat(1_000_000) + "x", "1" + " ".repeat(1_000_000) + "x"]) {
    const step = policy.thread().on({ event: { type: "error" }, classification: { retry_policy }, headers: { "retry-after": value } });
    assert.deepEqual(step, { kind: "retry", after: 7, attempt: 1 });
  }
  assert.ok(performance.now() - start < 5000);
});

test("a long answer is read in linear time", async () => {
  const { policy } = (await compiler()).compile("hooks: [{id: judge, event: error, action: {type: prompt, prompt: p}}]");
  const start = performance.now();
  const hidden = "\u200b\u001b[1m ".repeat(200_000);
  for (const text of [hidden, `${hidden}{`, "{" + "} ".repeat(500_000) + "x", `{"ok": true, "a": "${"\\\\".repeat(500_000)}`, `{"a": [${"1,".repeat(200_000)}`]) {
    const thread = policy.thread();
    thread.on({ event: { type: "error" } });
    assert.equal(thread.performed(text).kind, "fail");
  }
  assert.ok(performance.now() - start < 5000);
});

test("an event is parsed only for hooks that may need it", async () => {
  const { policy } = (await compiler()).compile(`
hooks:
  - {id: stop, event: error, when: code == 1, action: {type: abort}}
  - {id: again, event: error, when: code == 2, action: {type: retry}}
  - {id: call, event: error, when: code == 3, action: {type: call_directive, directive: d}}
`);
  const { parse } = JSON;
  for (const [code, kind, parsed] of [[0, "no_opinion", 0], [1, "abort", 0], [2, "retry", 1], [3, "perform", 1]]) {
    const own = JSON.stringify({ event: { type: "error" }, code });
    let count = 0;
    JSON.parse = (text, ...rest) => {
      if (text === own) count += 1;
      return parse(text, ...rest);
    };
    try {
      assert.equal(policy.thread().on(own).kind, kind);
    } finally {
      JSON.parse = parse;
    }
    assert.equal(count, parsed, kind);
  }
});

test("a second decision beside `ok` is not lost", async () => {
  const { policy } = (await compiler()).compile("hooks: [{id: j, event: error, action: {type: prompt, prompt: p}}]");
  const thread = policy.thread();
  thread.on({ event: { type: "error" } });
  assert.equal(thread.performed({ ok: true, decision: "block" }).kind, "fail");
});

test("the example of a thread runs", async () => {
  const example = new URL("../examples/thread.js", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [example]);
  assert.deepEqual(stdout.trimEnd().split("\n"), [
    'error: {"kind":"retry","after":0.01,"attempt":1}',
    'error: {"kind":"retry","after":0.01,"attempt":2}',
    'error: {"kind":"fail","message":"hook try_again: 2 retries were made"}',
    'error: {"kind":"escalate","hook":"ask_a_person","target":"user_approval","message":null,"timeoutSeconds":600}',
    'the user: yes: {"kind":"continue"}',
    'limit: {"kind":"suspend","hook":"budget","reason":"budget","resumeHint":null}',
    'context_window_pressure: {"kind":"compact","summary":"a summary by summarize","pruneBeforeTurn":3}',
    'after_step: {"kind":"no_opinion"}',
  ]);
});

test("classes that a program makes itself are errors", () => {
  for (const one of [Policy, CompiledPolicy, Compiler, Thread]) assert.throws(() => new one(), { kind: "argument" }, one.name);
});
