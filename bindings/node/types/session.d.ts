/** @import { ByteSource, Instance } from "./instance.js" */
/** @import { DecideOptions, Event } from "./policy.js" */
/**
 * @typedef {object} SessionOptions
 * @property {ByteSource} [snapshot] What `snapshot` of a session gave, here or in another process. The policy may have
 *   changed.
 */
/**
 * @typedef {object} TimeOption
 * @property {number} [time] The time of the event in whole milliseconds; by default `Date.now()`. One before that of the
 *   last event is raised to it.
 */
/** @typedef {"deny" | "ask" | "allow" | "none"} Verdict */
/** A session of an agent. `policy.session()` makes one. */
export class Session {
    /**
     * @param {Instance} instance
     * @param {number} handle
     * @param {(decision: Decision) => Decision} check
     */
    constructor(instance: Instance, handle: number, check: (decision: Decision) => Decision);
    /**
     * Decides about an event as `policy.decide`, and records it with the verdict of its hooks. If another action than a
     * verdict decides, or a condition was unknown, the event waits for `settle`: until then others see it as one that
     * happened. An event that is an error is not recorded.
     * @param {Event} event
     * @param {DecideOptions & TimeOption} [options]
     * @returns {Decision}
     * @throws {HookcError} As `policy.decide`.
     */
    decide(event: Event, options?: DecideOptions & TimeOption): Decision;
    /**
     * Sets the verdict about an event that waits.
     * @param {number} step The `step` of its decision.
     * @param {Verdict} verdict
     * @returns {boolean} Whether it waited.
     */
    settle(step: number, verdict: Verdict): boolean;
    /**
     * The state as bytes, for `policy.session({snapshot})`. It has hashes of values, with the key of these hashes, and the
     * numbers and texts that the policy keeps. Events that wait are settled by time alone after they are restored.
     */
    snapshot(): Uint8Array<ArrayBuffer>;
    /**
     * Frees the session, which cannot be used afterwards. Freeing its policy does not free it; with the instance of its
     * policy (that of a compiler, or of a loaded policy) the garbage collector frees it too.
     */
    free(): void;
    #private;
}
export type SessionOptions = {
    /**
     * What `snapshot` of a session gave, here or in another process. The policy may have
     * changed.
     */
    snapshot?: ByteSource | undefined;
};
export type TimeOption = {
    /**
     * The time of the event in whole milliseconds; by default `Date.now()`. One before that of the
     * last event is raised to it.
     */
    time?: number | undefined;
};
export type Verdict = "deny" | "ask" | "allow" | "none";
import type { Event } from "./policy.js";
import type { DecideOptions } from "./policy.js";
import { Decision } from "./policy.js";
import type { Instance } from "./instance.js";
import type { ByteSource } from "./instance.js";
