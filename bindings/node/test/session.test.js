// Sessions: what happened before decides.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { compiler, HookcError, load } from "hookc";

const YAML = `
hooks:
  - id: twice
    event: PreToolUse
    when: "count(PreToolUse where tool_name == 'Bash' within 10m) >= 2"
    action: {type: deny, reason: Two commands are enough.}
`;
const BASH = { hook_event_name: "PreToolUse", tool_name: "Bash" };
const MINUTE = 60_000;

/** @param {import("hookc").Session} session @param {number} [time] */
const hooksAt = (session, time) => session.decide(BASH, time === undefined ? {} : { time }).hooks.map((hook) => hook.id);

test("a session counts within its window", async () => {
  const { policy } = (await compiler()).compile(YAML);
  for (const one of [policy, await load(policy.module)]) {
    const [session, other] = [one.session(), one.session()];
    assert.deepEqual([0, 1, 2].map((time) => hooksAt(session, time)), [[], [], ["twice"]]);
    assert.deepEqual(hooksAt(other, 2), []);
    assert.deepEqual(hooksAt(session, 11 * MINUTE), []);
    const decision = session.decide(BASH, { time: 11 * MINUTE, strategy: "first" });
    assert.deepEqual([decision.step, decision.strategy, decision.unknown], [5, "first", []]);
  }
});

test("without a time it is now", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const session = policy.session();
  assert.deepEqual([hooksAt(session), hooksAt(session), hooksAt(session)], [[], [], ["twice"]]);
  assert.deepEqual(hooksAt(session, Date.now() + 11 * MINUTE), []);
});

test("the bytes restore it, also under another policy", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const session = policy.session();
  for (const time of [0, 1]) hooksAt(session, time);
  const snapshot = session.snapshot();
  const changed = (await compiler()).compile(YAML.replace("are enough", "suffice")).policy;
  for (const one of [policy, await load(policy.module), changed]) {
    assert.deepEqual(hooksAt(one.session({ snapshot }), 2), ["twice"]);
    assert.deepEqual(hooksAt(one.session({ snapshot: snapshot.buffer }), 11 * MINUTE), []);
  }
  session.free();
  assert.throws(() => session.snapshot(), { kind: "handle" });
  assert.throws(() => session.free(), { kind: "handle" });
  for (const one of [policy, await load(policy.module)]) {
    const rest = one.session({ snapshot });
    one.free();
    assert.throws(() => one.session(), { kind: "handle" });
    assert.throws(() => one.free(), { kind: "handle" });
    assert.deepEqual(hooksAt(rest, 2), ["twice"]);
    // The policy, which is free, knows no names.
    assert.equal(rest.decide({ hook_event_name: "PreTolUse" }).family, null);
  }
  const damaged = snapshot.slice();
  damaged[0] ^= 1;
  for (const bytes of [damaged, snapshot.subarray(0, -1), new Uint8Array()]) {
    assert.throws(() => changed.session({ snapshot: bytes }), { name: "HookcError", kind: "snapshot", code: "snapshot" });
  }
});

test("an event that waits is settled", async () => {
  const { policy } = (await compiler()).compile(`
hooks:
  - {event: PreToolUse, action: {type: prompt, prompt: Fine?}}
  - {id: after, event: Stop, when: formerly(denied PreToolUse), action: {type: deny}}
`);
  const session = policy.session();
  const { step } = session.decide(BASH, { time: 1 });
  assert.ok(step !== null);
  assert.deepEqual([session.settle(step, "deny"), session.settle(step, "allow"), session.settle(2 ** 40, "deny")], [true, false, false]);
  assert.deepEqual(session.decide({ hook_event_name: "Stop" }, { time: 2 }).hooks.map((hook) => hook.id), ["after"]);
});

test("without a session the condition is unknown", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const decision = policy.decide(BASH);
  assert.deepEqual([decision.hooks, decision.step], [[], null]);
  assert.deepEqual(
    decision.unknown.map((hook) => [hook.id, hook.cause]),
    [["twice", "the history of the session is unknown: no history is kept"]],
  );
  assert.match(decision.json, /"unknown":\[\{"hook":"twice",/);
});

test("wrong use is an error", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const session = policy.session();
  /** @type {[string, () => unknown][]} */
  const wrong = [
    ["argument", () => policy.session(/** @type {any} */ (7))],
    ["argument", () => policy.session({ snapshot: /** @type {any} */ ("text") })],
    ["argument", () => session.decide(BASH, { time: 1.5 })],
    ["argument", () => session.decide(BASH, { time: -1 })],
    ["argument", () => session.decide(BASH, /** @type {any} */ ("now"))],
    ["argument", () => session.settle(1, /** @type {any} */ ("denied"))],
    ["argument", () => session.settle(/** @type {any} */ ("1"), "deny")],
    ["argument", () => policy.decide(BASH, /** @type {any} */ ({ time: 1 }))],
    ["event", () => session.decide("{")],
  ];
  for (const [kind, run] of wrong) {
    assert.throws(run, (error) => error instanceof HookcError && error.kind === kind, String(run));
  }
});

test("the README shows the example, which runs", async () => {
  const example = new URL("../examples/session.js", import.meta.url);
  const [readme, text] = await Promise.all([new URL("../README.md", import.meta.url), example].map((url) => readFile(url, "utf8")));
  assert.ok(readme?.includes(`\`\`\`js\n${text}\`\`\``));
  const { stdout } = await promisify(execFile)(process.execPath, [example.pathname]);
  assert.equal(stdout, "Run the tests first.\n1\n");
});
