// Every case of `corpus/eval` gives the bytes of decisions of the Rust library. The example `reference`
// of bindings/shared writes the cases; HOOKC_CASES names a directory that has them already.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compiler, HookcError, load } from "hookc";
/** @import { Policy } from "hookc" */

test("decisions have the same bytes", async () => {
  const given = process.env.HOOKC_CASES;
  const folder = given ?? mkdtempSync(join(tmpdir(), "hookc-"));
  try {
    if (!given) write(folder);
    let decisions = 0;
    const cases = readdirSync(folder).filter((name) => !name.endsWith(".hookc"));
    for (const name of cases) decisions += await same(join(folder, name));
    assert.ok(cases.length >= 30 && decisions >= 400, `${cases.length} cases, ${decisions} decisions`);
  } finally {
    if (!given) rmSync(folder, { recursive: true });
  }
});

/** @param {string} folder */
function write(folder) {
  const manifest = new URL("../../Cargo.toml", import.meta.url).pathname;
  const example = ["--quiet", "--locked", "--manifest-path", manifest, "-p", "hookc-bindings", "--features", "compiler"];
  execFileSync("cargo", ["run", ...example, "--example", "reference", folder], { stdio: ["ignore", "ignore", "inherit"] });
}

/** @param {string} folder */
async function same(folder) {
  /** @param {string} name */
  const read = (name) => readFileSync(join(folder, name));
  const name = readdirSync(folder).find((file) => file.startsWith("policy.")) ?? "";
  const source = { name, text: read(name).toString() };
  const compiled = (await compiler()).compile([source], { shippedHooks: "always" }).policy;
  const loaded = await load(read("module.hookc"));
  assert.deepEqual(Buffer.from(compiled.module), read("module.hookc"), folder);
  const expected = lines(read("decisions.ndjson"));
  const events = lines(read("events.ndjson"));
  assert.equal(events.length, expected.length);
  events.forEach((event, index) => {
    for (const policy of [compiled, loaded]) {
      assert.equal(decided(policy, event), expected[index]?.toString(), `${folder}: ${event}`);
    }
  });
  return events.length;
}

/**
 * The decision, or its error as the reference has it.
 * @param {Policy} policy
 * @param {Buffer} event
 */
function decided(policy, event) {
  try {
    return policy.decideJson(event);
  } catch (error) {
    if (!(error instanceof HookcError) || error.kind !== "event") throw error;
    return JSON.stringify({ error: error.message });
  }
}

/**
 * The lines that are not empty, as bytes.
 * @param {Buffer} bytes
 */
function lines(bytes) {
  const all = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    if (line.length > 0) all.push(line);
    start += line.length + 1;
  }
  return all;
}
