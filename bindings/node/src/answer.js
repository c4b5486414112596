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
const TOKENS = /"(?:[^"\\]+|\\[^]?)*(?:"|$)|-?\d[\d.eE+-]*|[{}[\]:]/g;

/**
 * The judgement in the answer of a model or a service: `{"ok": ...}`, also as text. Null: it is something else.
 * @param {unknown} answer
 * @returns {Judgement | null}
 */
export function judgement(answer) {
  const value = unquoted(answer);
  if (isObject(value)) return judged(value);
  const mayDecide = value === undefined && DECIDING.some((name) => String(answer).includes(`"${name}"`));
  return mayDecide ? (denialIn(String(answer)) ?? { error: "its answer starts as an object with a decision, and cannot be read" }) : null;
}

/**
 * @param {{[name: string]: any}} value
 * @returns {Judgement | null}
 */
function judged(value) {
  const { ok, ...rest } = value;
  // A denial counts without `ok` too.
  if (ok === undefined) return onlyDenial(denialOf(value));
  if (typeof ok !== "boolean") return { error: "`ok` is neither true nor false" };
  if (!ok) return { denial: text(value.reason) };
  const found = denialOf(rest);
  const isLost = found.denial === undefined && found.error === undefined && rest.hook_signals !== undefined;
  return isLost ? { error: "`hook_signals` next to `ok` is not read" } : found;
}

/** @param {Judgement | null} judgement */
function onlyDenial(judgement) {
  return judgement?.denial === undefined ? null : judgement;
}

/**
 * The denial in text that cannot be read: in the object at its start, by either value of a duplicate key.
 * @param {string} source
 */
function denialIn(source) {
  try {
    const { last, first } = scanned(source);
    return onlyDenial(judged(JSON.parse(first))) ?? onlyDenial(judged(JSON.parse(last)));
  } catch {
    return null;
  }
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
  const { last, first } = scanned(source);
  if (last !== first) throw new SyntaxError("a duplicate key");
  return value;
}

/**
 * The object at the start of a text: as parsers read it that keep the last value of a duplicate key, and for those that
 * keep the first.
 * @param {string} source
 */
function scanned(source) {
  /** @type {Set<string>[]} */
  const open = [];
  let name = { token: '""', index: 0 };
  const first = [];
  let copied = 0;
  for (const { 0: token, index } of source.matchAll(TOKENS)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === ":" && isDuplicate(open.at(-1), JSON.parse(name.token))) {
      // The key gets a name that nothing reads.
      first.push(source.slice(copied, name.index), '"\\u0000"');
      copied = name.index + name.token.length;
    } else if (token.startsWith('"')) {
      wellFormed("answer", JSON.parse(token));
      name = { token, index };
    } else if (token === "}" || token === "]") open.pop();
    if (open.length > NESTING) throw new SyntaxError("the nesting is too deep");
    if (/^[-\d]/.test(token) && !Number.isFinite(Number(token))) throw new SyntaxError("a number is too large");
    if (open.length === 0) {
      const last = source.slice(0, index + 1);
      return { last, first: first.join("") + last.slice(copied) };
    }
  }
  throw new SyntaxError("the object has no end");
}

/**
 * @param {Set<string> | undefined} keys
 * @param {string} key
 */
function isDuplicate(keys, key) {
  const isKnown = keys?.has(key) ?? false;
  keys?.add(key);
  return isKnown;
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
