// The cost of a decision in Node: `bench.js MODULE EVENT`, nanoseconds each, best of five rounds.
import { readFile } from "node:fs/promises";
import { load } from "hookc";

const ROUNDS = 5;
const DECISIONS = 50_000;

/** @param {() => void} decide */
function best(decide) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    for (let i = 0; i < DECISIONS; i += 1) decide();
    best = Math.min(best, ((performance.now() - start) * 1e6) / DECISIONS);
  }
  return best.toFixed(0);
}

const [module, event] = process.argv.slice(2);
if (!module || !event) throw new Error("usage: bench.js MODULE EVENT");
const policy = await load(await readFile(module));
const bytes = await readFile(event);
const text = bytes.toString();
const object = JSON.parse(text);
console.log(`Node, bytes, JSON of the decision: ${best(() => policy.decideJson(bytes))} ns`);
console.log(`Node, text, JSON of the decision: ${best(() => policy.decideJson(text))} ns`);
console.log(`Node, bytes, a Decision: ${best(() => policy.decide(bytes))} ns`);
console.log(`Node, an object, a Decision: ${best(() => policy.decide(object))} ns`);
const start = performance.now();
for (let i = 0; i < 20; i += 1) await load(await readFile(module));
console.log(`Node, loading a module: ${((performance.now() - start) / 20).toFixed(1)} ms`);
