// The page: a policy and an event in, a decision, its explanation and diagnostics out.

import { compiler, HookcError } from "../../bindings/node/src/browser.js";
import { EXAMPLES } from "./examples.js";
import { fragment, texts } from "./link.js";
import * as view from "./view.js";
/** @import { Compiler, CompiledPolicy, Diagnostic } from "../../bindings/node/src/browser.js" */

/** Milliseconds after the last key before the page compiles. */
const PAUSE = 150;

const policy = /** @type {HTMLTextAreaElement} */ (document.getElementById("policy"));
const event = /** @type {HTMLTextAreaElement} */ (document.getElementById("event"));
const examples = /** @type {HTMLSelectElement} */ (document.getElementById("examples"));
const share = /** @type {HTMLButtonElement} */ (document.getElementById("share"));
const status = /** @type {HTMLElement} */ (document.getElementById("status"));

/** @type {Compiler | undefined} */
let compile;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** How often the page was updated: only the last update shows its result. */
let updates = 0;

/**
 * @param {string} text
 * @param {boolean} [bad]
 */
function say(text, bad = false) {
  status.textContent = text;
  status.className = bad ? "bad" : "";
}

/**
 * @param {"decision" | "explanation" | "diagnostics"} name
 * @param {(Node | string)[]} children
 */
function fill(name, ...children) {
  document.getElementById(name)?.replaceChildren(...children);
}

/** The place in a text of an offset in bytes of UTF-8. */
function index(/** @type {string} */ text, /** @type {number} */ offset) {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, offset)).length;
}

function show(/** @type {number} */ start, /** @type {number} */ end) {
  policy.focus();
  policy.setSelectionRange(index(policy.value, start), index(policy.value, end));
}

function replace(/** @type {number} */ start, /** @type {number} */ end, /** @type {string} */ text) {
  policy.setRangeText(text, index(policy.value, start), index(policy.value, end), "end");
  void update();
}

/** @param {Diagnostic[]} diagnostics */
function list(diagnostics) {
  const all = diagnostics.map((one) => view.diagnostic(one, show, replace));
  fill("diagnostics", ...(all.length > 0 ? all : [view.element("p", "faint", "The compiler reports nothing.")]));
}

/** Compiles, decides, explains, and sets the fragment of the page. */
async function update() {
  const now = { policy: policy.value, event: event.value };
  updates += 1;
  const update = updates;
  const link = await fragment(now);
  try {
    compile ??= await compiler();
    if (update !== updates) return;
    history.replaceState(null, "", link);
    const made = compile.compile(now.policy);
    list(made.report.diagnostics);
    decide(made.policy, now.event);
    made.policy.free();
    say("");
  } catch (error) {
    fill("explanation");
    if (error instanceof HookcError && error.kind === "policy") {
      list(error.diagnostics);
      fill("decision", view.element("p", "faint", "The policy has errors."));
      say("");
      return;
    }
    // What failed inside hookc is not used again.
    compile = undefined;
    fill("decision");
    say(String(error), true);
  }
}

/**
 * @param {CompiledPolicy} made
 * @param {string} text
 */
function decide(made, text) {
  try {
    fill("decision", ...view.decision(made.decide(text)));
    const { text: explained, event: name } = made.explain(text);
    fill("explanation", view.explanation(explained || `No hook handles the event ${name}.`));
  } catch (error) {
    if (!(error instanceof HookcError) || error.kind !== "event") throw error;
    const where = error.location ? `${error.location.line}:${error.location.column}: ` : "";
    fill("decision", view.element("p", "bad", `No decision. ${where}${error.message}`));
    fill("explanation");
  }
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(() => void update(), PAUSE);
}

/** @param {{policy: string, event: string}} given */
function put(given) {
  policy.value = given.policy;
  event.value = given.event;
  return update();
}

/** What the link of the page has, or the first example. */
async function open() {
  const [first] = EXAMPLES;
  try {
    const given = await texts(location.hash);
    await put(given ?? /** @type {{policy: string, event: string}} */ (first));
  } catch (error) {
    if (first) await put(first);
    say(`The link cannot be read: ${error}`, true);
  }
}

async function copy() {
  await update();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    say("The link is in the address bar.");
  }
}

EXAMPLES.forEach(({ name }, at) => examples.append(new Option(name, String(at))));
examples.addEventListener("change", () => {
  const chosen = EXAMPLES[Number(examples.value)];
  if (chosen) void put(chosen);
});
policy.addEventListener("input", later);
event.addEventListener("input", later);
share.addEventListener("click", () => void copy());
window.addEventListener("hashchange", () => void open());
await open();
