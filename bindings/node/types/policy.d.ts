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
export function eventBytes(event: Event): Bytes;
/** @param {object | undefined} options */
export function optionBytes(options: object | undefined): string;
/**
 * @template {object} T
 * @param {T} options
 * @returns {T}
 */
export function optionsObject<T extends object>(options: T): T;
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
    /**
     * @param {string} json
     * @param {number | null} [step]
     */
    constructor(json: string, step?: number | null);
    /** The event's type. @type {string} */
    event: string;
    /** Its vocabulary; null if the policy has no hooks for it. @type {string | null} */
    family: string | null;
    /** How its hooks combine. @type {"first" | "all"} */
    strategy: "first" | "all";
    /** The hooks that decide, in the order of the policy. @type {MatchedHook[]} */
    hooks: MatchedHook[];
    /** The hooks in `mode: warn` and `shadow` that match. They decide nothing. @type {MatchedHook[]} */
    reported: MatchedHook[];
    /**
     * The hooks whose condition is unknown, because what happened before is: every condition about earlier events without a
     * `session`. @type {UnknownHook[]}
     */
    unknown: UnknownHook[];
    /** The number of the event in its session, for `Session.settle`; null without one. @type {number | null} */
    step: number | null;
    /** The decision as compact JSON: the same bytes in every binding, numbers exact. @type {string} */
    json: string;
}
/** A policy that decides about events. */
export class Policy {
    /**
     * @param {Instance} instance
     * @param {number} handle
     */
    constructor(instance: Instance, handle: number);
    /**
     * Decides about an event. Nothing is executed. A misspelt event type, for which no hook ever matches, is a warning
     * of the process (in browsers, of the console), once for each name.
     * @param {Event} event
     * @param {DecideOptions} [options]
     * @returns {Decision}
     * @throws {HookcError} `event`: nothing can be decided; you choose whether to fail open or closed.
     */
    decide(event: Event, options?: DecideOptions): Decision;
    /**
     * As `decide`: the decision as compact JSON, which is not parsed.
     * @param {Event} event
     * @param {DecideOptions} [options]
     * @returns {string}
     * @throws {HookcError} As `decide`.
     */
    decideJson(event: Event, options?: DecideOptions): string;
    /**
     * The event type that you probably mean by a name which no hook of the policy and no vocabulary has: no hook ever
     * matches an event of such a type. Null for a known name, and for a name that resembles no known one.
     * @param {string} name
     * @returns {string | null}
     */
    misspeltEventType(name: string): string | null;
    /**
     * A session under this policy: it remembers what conditions about earlier events need.
     * @param {SessionOptions} [options]
     * @returns {Session}
     * @throws {HookcError} `snapshot`: the bytes are not a snapshot of a session.
     */
    session(options?: SessionOptions): Session;
    /**
     * A thread of an agent under this policy: it keeps retries, suspensions and escalations between events.
     * @param {ThreadOptions} [options]
     * @returns {Thread}
     * @throws {HookcError} `thread`: the text is not a state.
     */
    thread(options?: ThreadOptions): Thread;
    /**
     * Frees the policy, which cannot be used afterwards; its sessions can. Without this, the garbage collector frees it with
     * its instance: a policy that was loaded has one of its own, and compiled ones have that of their compiler.
     */
    free(): void;
    #private;
}
/** A policy that was compiled here. */
export class CompiledPolicy extends Policy {
    /** The policy as a module: bytes for `load`, here, in a worker or in another language. */
    get module(): Uint8Array<ArrayBuffer>;
    /**
     * Explains a decision: why each hook of the event's type did or did not match.
     * @param {Event} event
     * @param {DecideOptions} [options]
     * @returns {Explanation}
     * @throws {HookcError} As `decide`.
     */
    explain(event: Event, options?: DecideOptions): Explanation;
    #private;
}
export type Explanation = {
    /**
     * The event's type.
     */
    event: string;
    /**
     * As `hookc explain` shows it.
     */
    text: string;
    /**
     * The hooks of the event's type by rank.
     */
    hooks: ExplainedHook[];
};
export type ExplainedHook = {
    /**
     * Its id or label.
     */
    hook: string;
    rank: number;
    verdict: "decides" | "reported" | "shadowed" | "no match";
    /**
     * The hook that decided before it.
     */
    by?: string | undefined;
    /**
     * The test that settled its condition.
     */
    leaf?: string | undefined;
    /**
     * Whether that test is true.
     */
    holds?: boolean | undefined;
    condition?: ExplainedPart | undefined;
    /**
     * File, line and column.
     */
    source?: string | undefined;
};
/**
 * A part of a condition. `outcome` is null if the decision did not need it.
 */
export type ExplainedPart = {
    outcome: boolean | null;
    /**
     * A test.
     */
    leaf?: string | undefined;
    /**
     * The value that it read.
     */
    actual?: unknown;
    /**
     * All of these.
     */
    all?: ExplainedPart[] | undefined;
    /**
     * One of these.
     */
    any?: ExplainedPart[] | undefined;
};
/**
 * An event: JSON as text or bytes, or an object that becomes JSON. What JSON does not have (`NaN`, a `Map`, a function)
 * is an error; members that are `undefined` are left out.
 */
export type Event = Bytes | object;
export type DecideOptions = {
    /**
     * The event's type, which overrides the type in the event.
     */
    event?: string | undefined;
    /**
     * The vocabulary, for names
     * that several declare.
     */
    family?: "thread" | "agent" | "repository" | "skill" | "workflow" | undefined;
    /**
     * Instead of the strategy of the event's type.
     */
    strategy?: "all" | "first" | undefined;
    /**
     * Search only after this rank.
     */
    after?: number | undefined;
};
/**
 * A hook that matched.
 */
export type MatchedHook = {
    /**
     * Its id or label; `rank N` in a module without names.
     */
    id: string;
    /**
     * Its position among the hooks of its event type, from 0.
     */
    rank: number;
    mode: "enforce" | "warn" | "shadow";
    /**
     * Such as `project`.
     */
    layer: string | null;
    /**
     * Where it is written.
     */
    location: Location | null;
    onError: "skip" | "fail" | "retry" | null;
    /**
     * Its failure mode.
     */
    onFailure: "open" | "closed" | null;
    /**
     * Filled in from the event; null if it cannot be rendered.
     */
    action: Action | null;
    /**
     * Why the action cannot be rendered.
     */
    error: string | null;
};
/**
 * An action: `type`, then its parameters by name. Numbers that JavaScript cannot represent are rounded;
 * `Decision.json` has them exactly.
 */
export type Action = {
    type: string;
    [parameter: string]: unknown;
};
/**
 * A hook whose condition is unknown, because what happened before is. It has failed: `onFailure` says whether you fail
 * open or closed.
 */
export type UnknownHook = MatchedHook & {
    cause: string;
};
import type { Bytes } from "./instance.js";
import type { SessionOptions } from "./session.js";
import { Session } from "./session.js";
import type { ThreadOptions } from "./thread.js";
import { Thread } from "./thread.js";
import { Instance } from "./instance.js";
import type { Location } from "./error.js";
