// Sessions: what happened before decides conditions about earlier events.

import { HookcError } from "./error.js";
import { wellFormed } from "./json.js";
import { Decision, eventBytes, optionBytes, optionsObject } from "./policy.js";
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
  /** @type {Instance} */
  #instance;
  #handle;
  #check;

  /**
   * @param {Instance} instance
   * @param {number} handle
   * @param {(decision: Decision) => Decision} check
   */
  constructor(instance, handle, check) {
    this.#instance = instance;
    this.#handle = handle;
    this.#check = check;
  }

  /**
   * Decides about an event as `policy.decide`, and records it with the verdict of its hooks. If another action than a
   * verdict decides, or a condition was unknown, the event waits for `settle`: until then others see it as one that
   * happened. An event that is an error is not recorded.
   * @param {Event} event
   * @param {DecideOptions & TimeOption} [options]
   * @returns {Decision}
   * @throws {HookcError} As `policy.decide`.
   */
  decide(event, options = {}) {
    const input = optionBytes({ ...optionsObject(options), time: options.time ?? Date.now() });
    const step = this.#instance.call("session_decide", [this.#handle], [eventBytes(event), input]);
    return this.#check(new Decision(this.#instance.text(), step));
  }

  /**
   * Sets the verdict about an event that waits.
   * @param {number} step The `step` of its decision.
   * @param {Verdict} verdict
   * @returns {boolean} Whether it waited.
   */
  settle(step, verdict) {
    if (!Number.isSafeInteger(step)) throw new HookcError("argument", `a step is a whole number, not ${String(step)}`);
    // An event that has no number in 32 bits does not wait.
    if (step < 0 || step >= 2 ** 32) return false;
    return this.#instance.call("session_settle", [this.#handle, step], [wellFormed("verdict", String(verdict))]) === 1;
  }

  /**
   * The state as bytes, for `policy.session({snapshot})`. It has hashes of values, with the key of these hashes, and the
   * numbers and texts that the policy keeps. Events that wait are settled by time alone after they are restored.
   */
  snapshot() {
    this.#instance.call("session_snapshot", [this.#handle]);
    return this.#instance.bytes();
  }

  /**
   * Frees the session, which cannot be used afterwards. Freeing its policy does not free it; with the instance of its
   * policy (that of a compiler, or of a loaded policy) the garbage collector frees it too.
   */
  free() {
    this.#instance.call("session_free", [this.#handle]);
  }
}
