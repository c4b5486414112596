// json-rules-engine over the rules: an engine for each event type, facts by
// path. Arguments: a folder with rules.json, events.ndjson and expected.json,
// and the milliseconds to measure for. Prints a JSON line.

import { readFileSync } from "node:fs";
import { Engine } from "json-rules-engine";

const [folder, milliseconds] = process.argv.slice(2);
const budget = Number(milliseconds);
const read = (name) => readFileSync(`${folder}/${name}`);

const OPERATORS = {
  eq: "equal",
  ne: "notEqual",
  gt: "greaterThan",
  gte: "greaterThanInclusive",
  lt: "lessThan",
  lte: "lessThanInclusive",
  in: "in",
  exists: "exists",
  contains: "text_contains",
  starts_with: "text_starts",
  ends_with: "text_ends",
  regex: "text_matches",
};

const paths = new Set();

function conditions(cond) {
  if (cond.all) return { all: cond.all.map(conditions) };
  if (cond.any) return { any: cond.any.map(conditions) };
  if (cond.not) return { not: conditions(cond.not) };
  paths.add(cond.path);
  const value = cond.op === "regex" ? new RegExp(cond.value) : cond.value;
  return { fact: cond.path, operator: OPERATORS[cond.op], value };
}

// The root must be `all`, `any` or `not`.
function root(cond) {
  const made = conditions(cond);
  return made.fact ? { all: [made] } : made;
}

function engine() {
  const made = new Engine([], { allowUndefinedFacts: true });
  const text = (test) => (actual, value) => typeof actual === "string" && test(actual, value);
  made.addOperator("exists", (actual) => actual !== undefined && actual !== null);
  made.addOperator("text_contains", text((actual, value) => actual.includes(value)));
  made.addOperator("text_starts", text((actual, value) => actual.startsWith(value)));
  made.addOperator("text_ends", text((actual, value) => actual.endsWith(value)));
  made.addOperator("text_matches", text((actual, value) => value.test(actual)));
  return made;
}

const start = performance.now();
const engines = new Map();
JSON.parse(read("rules.json")).forEach((rule, rank) => {
  if (!engines.has(rule.event)) engines.set(rule.event, engine());
  const event = { type: "rule", params: { rank } };
  engines.get(rule.event).addRule({ conditions: root(rule.when), event });
});
const load_ms = performance.now() - start;

const split = [...paths].map((path) => [path, path.split(".")]);

async function decide(bytes) {
  const event = JSON.parse(bytes);
  const engine = engines.get(event.event.type);
  if (!engine) return null;
  const facts = {};
  for (const [path, names] of split) facts[path] = names.reduce((value, name) => value?.[name], event);
  const { events } = await engine.run(facts);
  return events.reduce((least, { params }) => (least === null || params.rank < least ? params.rank : least), null);
}

const events = read("events.ndjson").toString().split("\n");
const expected = JSON.parse(read("expected.json"));
let few = 0;
let wrong = 0;
const checking = performance.now();
for (const [at, line] of events.entries()) {
  wrong += (await decide(line)) !== expected[at];
  few += 1;
  if (performance.now() - checking > budget * 10) break;
}
const us = [];
const measuring = performance.now();
const most = Math.max(1, Math.min(few, Math.ceil((few * budget) / (measuring - checking))));
while (us.length < 3 || performance.now() - measuring < budget) {
  const begin = performance.now();
  for (const line of events.slice(0, most)) await decide(line);
  us.push(((performance.now() - begin) * 1e3) / most);
}
console.log(JSON.stringify({ load_ms, wrong, us }));
