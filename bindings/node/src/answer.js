// Answers of models and services that judge an event. The rules are those of `hookc_runtime::agent`; `corpus/threads`
// has cases that both of them pass.

import { wellFormed } from "./json.js";

/**
 * What an answer says: why it denies (empty without a reason), or why it cannot be read; neither: it approves.
 * @typedef {{denial?: string, error?: string}} Judgement
 */

/** The members that are read at the top of an answer. */
const TOP = ["continue", "decision", "hookSpecificOutput", "reason", "stopReason", "systemMessage", "terminalSequence", "additionalContext", "suppressOutput"];
/** Those of them that are texts. */
const TEXTS = ["reason", "stopReason", "systemMessage", "terminalSequence", "additionalContext"];
/** Names of decisions at other places: at the top nothing reads them. */
const ELSEWHERE = ["permissionDecision", "permission", "behavior", "ok"];
/** Names of decisions elsewhere, which `hookSpecificOutput` does not have. */
const INSIDE = ["permission", "behavior", "ok", "continue"];
/** Keys of answers: text that starts as an object and has one of them may be a decision. */
const DECIDING = ["decision", "permissionDecision", "permission", "behavior", "continue", "hookSpecificOutput", "ok"];
/** Words that are not misspellings of `decision`. */
const WORDS = ["revision", "precision", "division"];
/** Decisions from the weakest; those after `allow` deny. */
const STRICTNESS = ["allow", "ask", "defer", "deny"];
/** The deepest nesting of JSON that is read. */
const NESTING = 127;
/** Colours, whitespace and characters that are not visible. */
const INVISIBLE =
  /^(?:\x1b\[[ -?]*(?:[^]|$)|[\p{White_Space}\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffd\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}])*/u;
/** The tokens of JSON that can be read in several ways. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:]/gs;

/**
 * The judgement in the answer of a model or a service: `{"ok": ...}`, also as text. Null: it is something else.
 * @param {unknown} answer
 * @returns {Judgement | null}
 */
export function judgement(answer) {
  const value = unquoted(answer);
  if (value === undefined) {
    const mayDecide = DECIDING.some((name) => String(answer).includes(`"${name}"`));
    return mayDecide ? { error: "its answer starts as an object with a decision, and cannot be read" } : null;
  }
  if (!isObject(value) || value.ok === undefined) return null;
  const { ok, ...rest } = value;
  if (typeof ok !== "boolean") return { error: "`ok` is neither true nor false" };
  if (!ok) return { denial: text(value.reason) };
  if (rest.hook_signals !== undefined) return { error: "`hook_signals` next to `ok` is not read" };
  return denialOf(rest);
}

/**
 * Whether an answer is text without an object in it.
 * @param {unknown} answer
 */
export function isText(answer) {
  return typeof answer === "string" && !/^\p{White_Space}*$/u.test(answer) && unquoted(answer) === answer;
}

/**
 * The object inside text that starts as one, or the value itself; undefined: it starts as an object and cannot be read.
 * @param {unknown} value
 * @returns {any}
 */
function unquoted(value) {
  if (typeof value !== "string" || !startsAsObject(value)) return value;
  try {
    return parsed(value.replace(/^[\p{White_Space}\ufeff]+/u, ""));
  } catch {
    return undefined;
  }
}

/** @param {string} whole `{name} is busy` is text. */
function startsAsObject(whole) {
  const visible = whole.replace(INVISIBLE, "");
  if (!visible.startsWith("{")) return false;
  const inside = visible.slice(1).replace(INVISIBLE, "");
  return inside === "" || /^["'}/\\]|^[\p{Alphabetic}\p{N}_$]*\p{White_Space}*:/u.test(inside) || /\}\p{White_Space}*$/u.test(visible);
}

/**
 * JSON without what parsers disagree on: duplicate keys, half surrogate pairs, numbers that are too large, deep nesting.
 * @param {string} source
 */
function parsed(source) {
  const value = JSON.parse(source);
  /** @type {Set<string>[]} */
  const open = [];
  let last = "";
  for (const [token] of source.matchAll(TOKENS)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") addKey(open[open.length - 1], last);
    else if (token.startsWith('"')) last = wellFormed("text", JSON.parse(token));
    if (open.length > NESTING) throw new SyntaxError("the nesting is too deep");
    if (/^[-\d]/.test(token) && !Number.isFinite(Number(token))) throw new SyntaxError("a number is too large");
  }
  return value;
}

/**
 * @param {Set<string> | undefined} keys
 * @param {string} key
 */
function addKey(keys, key) {
  if (keys?.has(key)) throw new SyntaxError("a duplicate key");
  keys?.add(key);
}

/** What an answer has said so far. */
class Said {
  /** The strictest decision as an index of `STRICTNESS`; -1 without one. */
  strictness = -1;
  /** @type {string[]} */
  reasons = [];
  /** Why the agent stops; null if it does not. @type {string | null} */
  stop = null;
  /** The first member that cannot be read. @type {string | null} */
  error = null;

  /**
   * The stricter of two decisions wins, with its reasons.
   * @param {string | null} decision
   * @param {string} reason
   */
  decide(decision, reason) {
    const strictness = decision === null ? -1 : STRICTNESS.indexOf(decision);
    if (strictness > this.strictness) Object.assign(this, { strictness, reasons: [] });
    if ((decision === null || strictness === this.strictness) && reason !== "") this.reasons.push(reason);
  }

  /** @param {string} error */
  note(error) {
    this.error ??= error;
  }

  /** @param {string} name */
  mistyped(name) {
    this.note(`\`${name}\` in its output has the wrong type`);
  }

  /**
   * A permission decision; null if it is none.
   * @param {string} word
   */
  known(word) {
    if (STRICTNESS.includes(word)) return word;
    this.note(`\`${word}\` is not a permission decision`);
    return null;
  }

  /** A denial is valid whatever is beside it. @returns {Judgement} */
  judgement() {
    if (this.strictness > 0 || this.stop !== null) return { denial: this.reasons.join("\n") || (this.stop ?? "") };
    return this.error === null ? {} : { error: this.error };
  }
}

/**
 * The denial in the object that a handler prints.
 * @param {{[name: string]: unknown}} value
 * @returns {Judgement}
 */
function denialOf(value) {
  const said = new Said();
  const { continue: goes = null, decision = null, hookSpecificOutput: specific = null } = value;
  if (goes === false) said.stop = text(value.stopReason);
  else if (goes !== true && goes !== null) said.mistyped("continue");
  if (decision === "block" || decision === "deny") said.decide("deny", text(value.reason));
  else if (decision === "approve" || decision === "allow") said.decide("allow", text(value.reason));
  else if (typeof decision === "string") said.note(`unknown \`decision: ${decision}\``);
  else if (decision !== null) said.mistyped("decision");
  if (isObject(specific)) readSpecific(specific, said);
  else if (specific !== null) said.mistyped("hookSpecificOutput");
  for (const [name, member] of Object.entries(value)) checkMember(name, member, said);
  return said.judgement();
}

/**
 * @param {string} name
 * @param {unknown} member
 * @param {Said} said
 */
function checkMember(name, member, said) {
  const isTyped = name === "suppressOutput" ? typeof member === "boolean" : !TEXTS.includes(name) || typeof member === "string";
  if (!isTyped && member !== null) said.mistyped(name);
  if (TOP.includes(name)) return;
  if (ELSEWHERE.includes(name)) {
    said.note(`\`${name}\` at the top of its output is not read: write \`decision: block\`, or \`hookSpecificOutput\` with \`permissionDecision\``);
    return;
  }
  const isLong = new TextEncoder().encode(name).length >= "continue".length && !WORDS.includes(name);
  const near = isLong ? slip(name, [...TOP.slice(0, 3), ...ELSEWHERE]) : null;
  if (near !== null) said.note(`\`${name}\` in its output is not read; did you mean \`${near}\`?`);
}

/**
 * @param {{[name: string]: unknown}} specific
 * @param {Said} said
 */
function readSpecific(specific, said) {
  let decision = null;
  let reason = "";
  for (const [name, value] of Object.entries(specific)) {
    if (name === "hookEventName" || name === "updatedToolOutput") continue;
    const isTyped = { permissionDecision: "string", permissionDecisionReason: "string", additionalContext: "string", updatedInput: "object", decision: "object" };
    const type = Object.hasOwn(isTyped, name) ? isTyped[/** @type {keyof typeof isTyped} */ (name)] : null;
    if (type !== null && !(type === "object" ? isObject(value) : typeof value === type)) said.mistyped(`hookSpecificOutput.${name}`);
    else if (name === "permissionDecision") decision = said.known(String(value));
    else if (name === "permissionDecisionReason") reason = String(value);
    else if (name === "decision") readRequest(/** @type {any} */ (value), said);
    else if (INSIDE.includes(name) || (type === null && slip(name, ["permissionDecision"]) !== null)) {
      said.note(`\`hookSpecificOutput.${name}\` in its output is not read; did you mean \`permissionDecision\`?`);
    }
  }
  said.decide(decision, reason);
}

/**
 * The decision about a request for a permission.
 * @param {{[name: string]: unknown}} request
 * @param {Said} said
 */
function readRequest(request, said) {
  if (!Object.hasOwn(request, "behavior")) said.note("`hookSpecificOutput.decision` in its output has no `behavior`");
  const { behavior, message, updatedInput } = request;
  const decision = typeof behavior === "string" ? said.known(behavior) : null;
  if (behavior !== undefined && typeof behavior !== "string") said.mistyped("hookSpecificOutput.decision.behavior");
  if (message !== undefined && typeof message !== "string") said.mistyped("hookSpecificOutput.decision.message");
  if (updatedInput !== undefined && !isObject(updatedInput)) said.mistyped("hookSpecificOutput.decision.updatedInput");
  said.decide(decision, text(message));
}

/**
 * The name that differs from another by one or two letters, or by case and separators; null if none does.
 * @param {string} wrong
 * @param {string[]} names
 */
function slip(wrong, names) {
  const folded = fold(wrong);
  let best = Math.min(2, Math.floor(folded.length / 4)) + 1;
  let found = null;
  for (const name of names) {
    const distance = Math.abs(name.length - folded.length) < best ? edits(folded, fold(name)) : best;
    if (distance < best) {
      best = distance;
      found = name;
    }
  }
  return found;
}

/** @param {string} name */
function fold(name) {
  return [...[...name].slice(0, 128).join("").toLowerCase().replace(/[- .]/g, "_")];
}

/**
 * How many letters are inserted, deleted, replaced or swapped with a neighbour.
 * @param {string[]} a
 * @param {string[]} b
 */
function edits(a, b) {
  const at = (/** @type {number[]} */ line, /** @type {number} */ column) => line[column] ?? 0;
  let before = /** @type {number[]} */ ([]);
  let above = b.map((_, column) => column).concat(b.length);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const least = Math.min(at(above, column) + 1, at(line, column - 1) + 1, at(above, column - 1) + same);
      const swaps = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(swaps ? Math.min(least, at(before, column - 2) + 1) : least);
    }
    before = above;
    above = line;
  }
  return at(above, b.length);
}

/** @param {unknown} value @returns {value is {[name: string]: any}} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function text(value) {
  return typeof value === "string" ? value : "";
}
