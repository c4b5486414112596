// Policies and decisions.

import { HookcError } from "./error.js";
import { bytesOf, Instance, isByteSource } from "./instance.js";
import { json, wellFormed } from "./json.js";
import { Session } from "./session.js";
import { Thread } from "./thread.js";
/** @import { Location } from "./error.js" */
/** @import { Bytes } from "./instance.js" */
/** @import { SessionOptions } from "./session.js" */
/** @import { ThreadOptions } from "./thread.js" */

/**
 * An event: JSON as text or bytes, or an object that becomes JSON. What JSON does not have (`NaN`, a `Map`, a function)
 * is an error; members that are `undefined` are left out.
 * @typedef {Bytes | object} Event
 */

/**
 * @typedef {object} DecideOptions
 * @property {string} [event] The event's type, which overrides the type in the event.
 * @property {"thread" | "agent" | "repository" | "skill" | "workflow"} [family] The vocabulary, for names
 *   that several declare.
 * @property {"first" | "all"} [strategy] Instead of the strategy of the event's type.
 * @property {number} [after] Search only after this rank.
 */

/**
 * A hook that matched.
 * @typedef {object} MatchedHook
 * @property {string} id Its id or label; `rank N` in a module without names.
 * @property {number} rank Its position among the hooks of its event type, from 0.
 * @property {"enforce" | "warn" | "shadow"} mode
 * @property {string | null} layer Such as `project`.
 * @property {Location | null} location Where it is written.
 * @property {"skip" | "fail" | "retry" | null} onError
 * @property {"open" | "closed" | null} onFailure Its failure mode.
 * @property {Action | null} action Filled in from the event; null if it cannot be rendered.
 * @property {string | null} error Why the action cannot be rendered.
 */

/**
 * An action: `type`, then its parameters by name. Numbers that JavaScript cannot represent are rounded;
 * `Decision.json` has them exactly.
 * @typedef {{type: string, [parameter: string]: unknown}} Action
 */

/**
 * A hook whose condition is unknown, because what happened before is. It has failed: `onFailure` says whether you fail
 * open or closed.
 * @typedef {MatchedHook & {cause: string}} UnknownHook
 */

/** Which hooks matched an event. No hooks: no opinion, which is not permission. */
export class Decision {
  /** The event's type. @type {string} */
  event;
  /** Its vocabulary; null if the policy has no hooks for it. @type {string | null} */
  family;
  /** How its hooks combine. @type {"first" | "all"} */
  strategy;
  /** The hooks that decide, in the order of the policy. @type {MatchedHook[]} */
  hooks;
  /** The hooks in `mode: warn` and `shadow` that match. They decide nothing. @type {MatchedHook[]} */
  reported;
  /**
   * The hooks whose condition is unknown, because what happened before is: every condition about earlier events without a
   * `session`. @type {UnknownHook[]}
   */
  unknown;
  /** The number of the event in its session, for `Session.settle`; null without one. @type {number | null} */
  step;
  /** The decision as compact JSON: the same bytes in every binding, numbers exact. @type {string} */
  json;

  /**
   * @param {string} json
   * @param {number | null} [step]
   */
  constructor(json, step = null) {
    const read = JSON.parse(json);
    this.event = read.event;
    this.family = read.family ?? null;
    this.strategy = read.strategy;
    this.hooks = read.decision.map(matchedHook);
    this.reported = (read.reported ?? []).map(matchedHook);
    this.unknown = (read.unknown ?? []).map((/** @type {any} */ hook) => ({ ...matchedHook(hook), cause: hook.cause }));
    this.step = step;
    this.json = json;
  }
}

/**
 * A hook of `hookc schema decision`.
 * @param {any} read
 * @returns {MatchedHook}
 */
function matchedHook(read) {
  return {
    id: read.hook ?? `rank ${read.rank}`,
    rank: read.rank,
    mode: read.mode,
    layer: read.layer ?? null,
    location: read.source === undefined ? null : location(read.source),
    onError: read.on_error ?? null,
    onFailure: read.on_failure ?? null,
    action: read.action_error === undefined ? read.action : null,
    error: read.action_error ?? null,
  };
}

/**
 * @param {string} source `file:line:column`; a file can have colons.
 * @returns {Location}
 */
function location(source) {
  const [, file = source, line, column] = /^(.*):(\d+):(\d+)$/s.exec(source) ?? [];
  return { file, line: Number(line), column: Number(column) };
}

/** A policy that decides about events. */
export class Policy {
  /** @type {Instance} */
  #instance;
  #handle;
  /** Event types without hooks: each is looked up once. @type {Set<string>} */
  #unknown = new Set();
  #isFree = false;

  /**
   * @param {Instance} instance
   * @param {number} handle
   */
  constructor(instance, handle) {
    if (!(instance instanceof Instance)) {
      throw new HookcError("argument", "a policy comes from `await load(module)` or `(await compiler()).compile(text)`");
    }
    this.#instance = instance;
    this.#handle = handle;
  }

  /**
   * Decides about an event. Nothing is executed. A misspelt event type, for which no hook ever matches, is a warning
   * of the process (in browsers, of the console), once for each name.
   * @param {Event} event
   * @param {DecideOptions} [options]
   * @returns {Decision}
   * @throws {HookcError} `event`: nothing can be decided; you choose whether to fail open or closed.
   */
  decide(event, options) {
    return this.#warned(new Decision(this.decideJson(event, options)));
  }

  /**
   * As `decide`: the decision as compact JSON, which is not parsed.
   * @param {Event} event
   * @param {DecideOptions} [options]
   * @returns {string}
   * @throws {HookcError} As `decide`.
   */
  decideJson(event, options) {
    this.#instance.call("decide", [this.#handle], [eventBytes(event), optionBytes(options)]);
    return this.#instance.text();
  }

  /**
   * The event type that you probably mean by a name which no hook of the policy and no vocabulary has: no hook ever
   * matches an event of such a type. Null for a known name, and for a name that resembles no known one.
   * @param {string} name
   * @returns {string | null}
   */
  misspeltEventType(name) {
    if (typeof name !== "string") throw new HookcError("argument", `a name is a string, not ${typeof name}`);
    this.#instance.call("misspelt", [this.#handle], [wellFormed("name", name)]);
    return this.#instance.text() || null;
  }

  /**
   * A session under this policy: it remembers what conditions about earlier events need.
   * @param {SessionOptions} [options]
   * @returns {Session}
   * @throws {HookcError} `snapshot`: the bytes are not a snapshot of a session.
   */
  session(options = {}) {
    const { snapshot } = optionsObject(options);
    if (snapshot !== undefined && !(isByteSource(snapshot) && snapshot.byteLength > 0)) {
      throw new HookcError(...notASnapshot(snapshot));
    }
    const handle = this.#instance.call("session_open", [this.#handle], [snapshot ?? ""]);
    return new Session(this.#instance, handle, (decision) => this.#warned(decision));
  }

  /**
   * A thread of an agent under this policy: it keeps retries, suspensions and escalations between events.
   * @param {ThreadOptions} [options]
   * @returns {Thread}
   * @throws {HookcError} `thread`: the text is not a state.
   */
  thread(options = {}) {
    const schema = returnSchema(this.#instance);
    const isReturn = (/** @type {unknown} */ value) => schema.decide({ value }, { event: "returned" }).hooks.length > 0;
    const decide = (/** @type {Event} */ event) => {
      const input = eventBytes(event);
      const decision = this.#decideOfThread(input);
      return { decision, parsed: () => JSON.parse(typeof input === "string" ? input : decoder.decode(bytesOf(input))) };
    };
    return new Thread(decide, isReturn, optionsObject(options));
  }

  /**
   * Frees the policy, which cannot be used afterwards; its sessions can. Without this, the garbage collector frees it with
   * its instance: a policy that was loaded has one of its own, and compiled ones have that of their compiler.
   */
  free() {
    this.#instance.call("unload", [this.#handle]);
    this.#isFree = true;
  }

  /**
   * The hooks of threads, if several vocabularies have hooks for the type.
   * @param {Bytes} event
   */
  #decideOfThread(event) {
    try {
      return this.decide(event);
    } catch (error) {
      if (!(error instanceof HookcError) || error.code !== "ambiguous_type") throw error;
      const decision = this.decide(event, { family: "thread" });
      if (decision.family !== "thread") throw error;
      return decision;
    }
  }

  /**
   * Warns of a misspelt event type.
   * @param {Decision} decision
   */
  #warned(decision) {
    if (decision.family === null && !this.#isFree) this.#warnOf(decision.event);
    return decision;
  }

  /** @param {string} name */
  #warnOf(name) {
    if (name.length > LONGEST_NAME || this.#unknown.has(name) || this.#unknown.size >= MOST_UNKNOWN) return;
    this.#unknown.add(name);
    const near = this.misspeltEventType(name);
    if (near !== null) {
      warn(`no hook and no vocabulary knows the event type ${JSON.stringify(name)}: did you mean ${JSON.stringify(near)}?`);
    }
  }
}

const decoder = new TextDecoder();

/**
 * Why a value is not a snapshot.
 * @param {unknown} value
 * @returns {["argument" | "snapshot", string]}
 */
function notASnapshot(value) {
  return isByteSource(value)
    ? ["snapshot", "there are no bytes of a snapshot"]
    : ["argument", `a snapshot is bytes: an ArrayBuffer or a view of one, not ${value === null ? "null" : typeof value}`];
}

/** The schema of what actions of threads return, in each instance. @type {WeakMap<Instance, Policy>} */
const schemas = new WeakMap();

/** @param {Instance} instance */
function returnSchema(instance) {
  const known = schemas.get(instance) ?? new Policy(instance, instance.call("returns", []));
  schemas.set(instance, known);
  return known;
}

/** The most names of event types that a policy remembers: an event can have any. */
const MOST_UNKNOWN = 1000;
/** A longer name is not a misspelt one, and may be as long as an event. */
const LONGEST_NAME = 128;

/** @param {string} text */
function warn(text) {
  if (typeof globalThis.process?.emitWarning === "function") globalThis.process.emitWarning(text, "HookcWarning");
  else globalThis.console?.warn(text);
}

/** A policy that was compiled here. */
export class CompiledPolicy extends Policy {
  #instance;
  #handle;

  /**
   * @param {Instance} instance
   * @param {number} handle
   */
  constructor(instance, handle) {
    super(instance, handle);
    this.#instance = instance;
    this.#handle = handle;
  }

  /** The policy as a module: bytes for `load`, here, in a worker or in another language. */
  get module() {
    this.#instance.call("module", [this.#handle]);
    return this.#instance.bytes();
  }

  /**
   * Explains a decision: why each hook of the event's type did or did not match.
   * @param {Event} event
   * @param {DecideOptions} [options]
   * @returns {Explanation}
   * @throws {HookcError} As `decide`.
   */
  explain(event, options) {
    this.#instance.call("explain", [this.#handle], [eventBytes(event), optionBytes(options)]);
    return JSON.parse(this.#instance.text());
  }

}

/**
 * @typedef {object} Explanation
 * @property {string} event The event's type.
 * @property {string} text As `hookc explain` shows it.
 * @property {ExplainedHook[]} hooks The hooks of the event's type by rank.
 */

/**
 * @typedef {object} ExplainedHook
 * @property {string} hook Its id or label.
 * @property {number} rank
 * @property {"decides" | "reported" | "shadowed" | "no match"} verdict
 * @property {string} [by] The hook that decided before it.
 * @property {string} [leaf] The test that settled its condition.
 * @property {boolean} [holds] Whether that test is true.
 * @property {ExplainedPart} [condition]
 * @property {string} [source] File, line and column.
 */

/**
 * A part of a condition. `outcome` is null if the decision did not need it.
 * @typedef {object} ExplainedPart
 * @property {boolean | null} outcome
 * @property {string} [leaf] A test.
 * @property {unknown} [actual] The value that it read.
 * @property {ExplainedPart[]} [all] All of these.
 * @property {ExplainedPart[]} [any] One of these.
 */

/**
 * @param {Event} event
 * @returns {Bytes}
 */
export function eventBytes(event) {
  if (typeof event === "string") return wellFormed("event", event);
  if (isByteSource(event)) return event;
  if (typeof event !== "object" || event === null) {
    throw new HookcError("argument", `an event is JSON text, bytes or an object, not ${event === null ? "null" : typeof event}`);
  }
  return json("event", event);
}

/** @param {object | undefined} options */
export function optionBytes(options) {
  return options === undefined ? "" : json("options", optionsObject(options));
}

/**
 * @template {object} T
 * @param {T} options
 * @returns {T}
 */
export function optionsObject(options) {
  if (typeof options === "object" && options !== null) return options;
  throw new HookcError("argument", `options are an object, not ${options === null ? "null" : typeof options}`);
}
