// What the functions do when they are used wrongly: a HookcError, never a crash.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { Compiler, compiler, HookcError, load } from "hookc";
import { Instance } from "../src/instance.js";

const YAML = "hooks: [{event: Stop, action: {type: allow}}]";

/**
 * @param {string} kind
 * @param {() => unknown} run
 * @param {string} [code]
 */
function fails(kind, run, code) {
  assert.throws(run, (error) => {
    assert.ok(error instanceof HookcError, String(error));
    assert.equal(error.kind, kind, error.message);
    if (code) assert.equal(error.code, code, error.message);
    assert.ok(error.message && error.rendered);
    return true;
  });
}

test("events of wrong types and encodings", async () => {
  const { policy } = (await compiler()).compile(YAML);
  for (const event of [undefined, null, 7, true, Symbol("x"), () => 1, 1n]) {
    fails("argument", () => policy.decide(/** @type {any} */ (event)));
  }
  const circle = { hook_event_name: "Stop", self: {} };
  circle.self = circle;
  fails("argument", () => policy.decide(circle));
  fails("argument", () => policy.decide({ hook_event_name: "Stop", big: 1n }));
  fails("argument", () => policy.decide({ toJSON: () => undefined }));
  fails("argument", () => policy.decide('{"a": "\ud800"}'));
  /** @type {[import("hookc").Event, string][]} */
  const events = [
    ["", "syntax"],
    ["{", "syntax"],
    ["nul", "syntax"],
    ["[]", "not_an_object"],
    [[], "not_an_object"],
    ["{}", "no_type"],
    [Uint8Array.of(0x7b, 0xc3, 0x7d), "utf8"],
    [new ArrayBuffer(3), "syntax"],
  ];
  for (const [event, code] of events) fails("event", () => policy.decide(event), code);
  const moved = new TextEncoder().encode('{"hook_event_name": "Stop"}');
  structuredClone(moved.buffer, { transfer: [moved.buffer] });
  fails("argument", () => policy.decide(moved));
  assert.equal(policy.decide({ hook_event_name: "Stop" }).hooks.length, 1);
});

test("what JSON does not have is an error", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const lost = [NaN, -Infinity, new Map([["a", 1]]), new Set([1]), Promise.resolve(1), () => 1, Symbol("a"), /a/, new Error("a")];
  for (const value of lost) {
    fails("argument", () => policy.decide({ hook_event_name: "Stop", deep: [{ value }] }));
  }
  fails("argument", () => policy.decide(new Map([["hook_event_name", "Stop"]])));
  const fine = { a: undefined, b: null, c: new Date(0), d: Object.create(null), e: new (class Own {})(), f: [1.5, "x", true] };
  assert.equal(policy.decide({ hook_event_name: "Stop", ...fine }).hooks.length, 1);
});

test("options and requests with unknown names", async () => {
  const compile = await compiler();
  const { policy } = compile.compile(YAML);
  const stop = { hook_event_name: "Stop" };
  for (const options of [{ strategy: "last" }, { family: "trees" }, { after: -1 }, { after: "x" }, { events: "x" }, 7, null, "Stop"]) {
    fails("argument", () => policy.decide(stop, /** @type {any} */ (options)));
  }
  for (const sources of [undefined, null, 7, {}, [], Buffer.from(YAML), Promise.resolve(YAML), [{}], [{ name: "a", text: 1 }], [{ name: "a", text: "", dialect: "cobol" }]]) {
    fails("argument", () => compile.compile(/** @type {any} */ (sources)));
  }
  fails("argument", () => compile.compile(YAML, /** @type {any} */ ({ stricter: true })));
  fails("argument", () => compile.compile(YAML, /** @type {any} */ (null)));
  fails("argument", () => compile.check(YAML, /** @type {any} */ ({ shippedHooks: "sometimes" })));
});

test("modules that are not of this version", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const module = policy.module;
  const rejected = { name: "HookcError", kind: "module" };
  for (let at = 0; at < module.length; at += 37) {
    const copy = module.slice();
    copy[at] = (copy[at] ?? 0) ^ 0x40;
    await assert.rejects(load(copy), rejected);
    await assert.rejects(load(module.subarray(0, at)), rejected);
  }
  const other = module.slice();
  other[8] = (other[8] ?? 0) + 1;
  await assert.rejects(load(other), { ...rejected, code: "version", message: new RegExp(`format version ${other[8]}\\b`) });
  await assert.rejects(load(/** @type {any} */ ("hooks: []")), { name: "HookcError", kind: "argument" });
  await assert.rejects(load(/** @type {any} */ (undefined)), { name: "HookcError", kind: "argument" });
});

test("a freed policy", async () => {
  const compile = await compiler();
  const { policy } = compile.compile(YAML);
  policy.free();
  for (const run of [() => policy.decide("{}"), () => policy.explain("{}"), () => policy.module, () => policy.free()]) {
    fails("handle", run);
  }
  assert.equal(compile.compile(YAML).policy.decide({ hook_event_name: "Stop" }).hooks.length, 1);
});

test("an event beyond the limit, and one beyond the memory", async () => {
  const { policy } = (await compiler()).compile(YAML);
  fails("event", () => policy.decide(new Uint8Array((16 << 20) + 1)));
  // More than a buffer may have.
  fails("memory", () => policy.decide(new Uint8Array((256 << 20) + 1)));
  assert.equal(policy.decide({ hook_event_name: "Stop" }).hooks.length, 1);
});

test("raw addresses and handles", async () => {
  const file = await readFile(new URL("../wasm/hookc-vm.wasm", import.meta.url));
  const { instance, module } = await WebAssembly.instantiate(file, {});
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const names = WebAssembly.Module.exports(module).map((one) => one.name).filter((name) => !name.startsWith("__"));
  const sessions = ["decide", "free", "open", "settle", "snapshot"].map((name) => `session_${name}`);
  const others = ["alloc", "decide", "free", "load", "memory", "misspelt", "result_length", "result_ptr", "returns", "unload", "version"];
  const expected = [...others, ...sessions].sort();
  assert.deepEqual(names.sort(), expected);
  const raw = /** @type {Record<string, (...numbers: number[]) => number>} */ (/** @type {any} */ (instance.exports));
  const [ARGUMENT, HANDLE, MODULE, SNAPSHOT] = [-1, -2, -4, -8];
  const address = /** @type {any} */ (raw.alloc)(64) >>> 0;
  assert.equal(raw.load?.(address, 64), MODULE);
  for (const [start, length] of [[0, 1], [address, 65], [address + 64, 1], [address - 1, 2], [0xffffffff, 0xffffffff]]) {
    assert.equal(raw.load?.(start ?? 0, length ?? 0), ARGUMENT);
  }
  assert.equal(raw.decide?.(1, address, 64, 0, 0), HANDLE);
  assert.equal(raw.unload?.(0), HANDLE);
  assert.equal(raw.misspelt?.(1, address, 64), HANDLE);
  assert.equal(raw.misspelt?.(raw.returns?.() ?? 0, address - 1, 2), ARGUMENT);
  for (const [name, ...more] of [["decide", address, 64, 0, 0], ["settle", 1, address, 64], ["snapshot"], ["free"]]) {
    assert.equal(raw[`session_${name}`]?.(99, .../** @type {number[]} */ (more)), HANDLE);
  }
  assert.equal(raw.session_open?.(99, address, 64), HANDLE);
  assert.equal(raw.session_open?.(raw.returns?.() ?? 0, address - 1, 2), ARGUMENT);
  assert.equal(raw.session_open?.(raw.returns?.() ?? 0, address, 64), SNAPSHOT);
  assert.equal(raw.free?.(address + 1), ARGUMENT);
  assert.equal(raw.free?.(address), 0);
  assert.equal(raw.free?.(address), ARGUMENT);
  assert.equal(raw.alloc?.(0xffffffff), 0);
  fill(raw);
  assert.equal(raw.version?.(), 0);
});

/**
 * Takes the memory of an instance.
 * @param {Record<string, (...numbers: number[]) => number>} raw
 */
function fill(raw) {
  let taken = 0;
  for (let length = 128 << 20; length >= 1 << 16; length /= 2) {
    while (raw.alloc?.(length) !== 0) taken += length;
  }
  assert.ok(taken > 900 << 20 && taken < 1 << 30, `${taken} bytes`);
}

test("an instance without memory is an error, and a new one works", async () => {
  const file = await readFile(new URL("../wasm/hookc-compiler.wasm", import.meta.url));
  const hooks = Array.from({ length: 1000 }, (_, id) => `  - {id: h${id}, event: Stop, action: {type: allow}}\n`);
  const policy = `hooks:\n${hooks.join("")}`;
  const full = async () => {
    const { instance } = await WebAssembly.instantiate(file, {});
    const made = new Compiler(new Instance(instance));
    assert.equal(made.check(policy).ok, true);
    fill(/** @type {any} */ (instance.exports));
    return made;
  };
  const [one, other] = [await full(), await full()];
  fails("memory", () => one.check(" ".repeat(1 << 20)));
  // There is a buffer for the text, but no memory to compile it: a trap, which ends the instance.
  fails("internal", () => other.check(policy));
  fails("internal", () => other.check(YAML));
  assert.equal((await compiler()).check(YAML).ok, true);
});

test("many threads", async () => {
  const { policy } = (await compiler()).compile(YAML);
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(${JSON.stringify(import.meta.resolve("hookc"))}).then(async ({ load }) => {
      const policy = await load(workerData);
      let hooks = 0;
      for (let round = 0; round < 1000; round += 1) hooks += policy.decide({ hook_event_name: "Stop" }).hooks.length;
      parentPort.postMessage(hooks);
    });`;
  const counts = Array.from({ length: 6 }, () => {
    const worker = new Worker(code, { eval: true, workerData: policy.module });
    return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  });
  assert.deepEqual(await Promise.all(counts), Array(6).fill(1000));
});

test("a package without its WebAssembly files says what makes them", async () => {
  const place = await mkdtemp(join(tmpdir(), "hookc-"));
  try {
    await cp(new URL("../src", import.meta.url), join(place, "src"), { recursive: true });
    await cp(new URL("../package.json", import.meta.url), join(place, "package.json"));
    const copy = await import(pathToFileURL(join(place, "src/node.js")).href);
    await assert.rejects(copy.compiler(), (/** @type {any} */ error) => {
      assert.ok(error instanceof copy.HookcError);
      assert.equal(error.message, "hookc-compiler.wasm cannot be read (ENOENT): in a clone, `npm run build` makes it");
      return true;
    });
  } finally {
    await rm(place, { recursive: true });
  }
});
