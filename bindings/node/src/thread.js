// Threads of agents: the steps that hooks request, and the state between events. The rules are those of
// `hookc_runtime::thread`; `corpus/threads` has cases that both of them pass.

import { isText, judgement } from "./answer.js";
import { HookcError } from "./error.js";
import { json } from "./json.js";
/** @import { Action, Decision, Event, MatchedHook } from "./policy.js" */

/**
 * What the thread does next. `perform` asks your program for the result of an action: answer with `performed`, `failed`
 * or `denied`, which give the next step.
 * @typedef {{kind: "no_opinion"} | {kind: "continue"} | {kind: "abort"} | Retry | Fail | Suspend | Escalate | Compact | Perform} Step
 */

/** @typedef {{kind: "retry", after: number, attempt: number}} Retry Try again after so many seconds. */
/** @typedef {{kind: "fail", message: string}} Fail */
/** @typedef {{kind: "suspend", hook: string, reason: string, resumeHint: string | null}} Suspend Wait for `resume`. */
/**
 * Wait for `answered`; later than after `timeoutSeconds` the answer is no.
 * @typedef {{kind: "escalate", hook: string, target: string, message: string | null, timeoutSeconds: number}} Escalate
 */
/**
 * The summary replaces the turns before `pruneBeforeTurn`.
 * @typedef {{kind: "compact", summary: string, pruneBeforeTurn: number | null}} Compact
 */
/** @typedef {{kind: "perform", hook: string, action: Action}} Perform */

/**
 * @typedef {object} ThreadOptions
 * @property {string} [state] The `state` of a thread that another process had.
 * @property {"open" | "closed"} [failureMode] Of hooks that have none themselves; by default `closed`.
 */

/** @typedef {{retries: Map<string, number>, suspended: Suspend | null, escalation: Escalate | null}} State */
/** What a hook requests, and whether its retries are used up. @typedef {{step: Step, isSpent?: boolean}} Proposal */
/**
 * An event for which the actions of some hooks have no result yet.
 * @typedef {object} Pending
 * @property {any} event Null if no hook can retry.
 * @property {MatchedHook[]} hooks Those whose turn comes later.
 * @property {{hook: MatchedHook, proposal: Proposal} | null} best
 * @property {Asked | null} asked
 * @property {number} tries
 */
/**
 * An action that the program performs; `depth`: how many directives called one another.
 * @typedef {{hook: MatchedHook, action: Action, depth: number}} Asked
 */

/** What a failed action gives. */
class Failure {
  /**
   * @param {string} why
   * @param {boolean} [isFinal] Whether the action is not performed again.
   */
  constructor(why, isFinal = false) {
    this.why = why;
    this.isFinal = isFinal;
  }
}

/** The maximum depth of directives that call directives by their results. */
const DEPTH = 5;
/** The number of executions under `on_error: retry`. */
const TRIES = 3;
/** The longest wait in seconds. */
const LONGEST = 7 * 24 * 3600;
/** How strict a step is: the strictest one of several hooks wins. */
const STRENGTH = ["no_opinion", "continue", "compact", "retry", "escalate", "suspend", "fail", "abort"];
/** Actions without a result: the thread takes the step itself. */
const OWN = new Set(["retry", "fail", "abort", "continue", "suspend", "allow", "deny", "ask", "modify", "inject"]);
/** Actions whose answer can be a judgement. */
const JUDGES = new Set(["prompt", "agent", "http", "mcp_tool"]);
/** The locations of an answer's header fields in events. */
const HEADERS = [["error", "headers"], ["headers"], ["response", "headers"], ["error", "response", "headers"]];

/** A thread of an agent under a policy. `Policy.thread` makes it. */
export class Thread {
  #decide;
  #isReturn;
  #failureMode;
  /** @type {State} */
  #state = { retries: new Map(), suspended: null, escalation: null };
  /** @type {Pending | null} */
  #pending = null;

  /**
   * @param {(event: Event) => {decision: Decision, parsed: () => any}} decide
   * @param {(value: unknown) => boolean} isReturn Whether a value is a valid result of a directive.
   * @param {ThreadOptions} [options]
   */
  constructor(decide, isReturn, { state, failureMode = "closed" } = {}) {
    if (typeof decide !== "function" || typeof isReturn !== "function") {
      throw new HookcError("argument", "a thread comes from `policy.thread()`");
    }
    this.#decide = decide;
    this.#isReturn = isReturn;
    if (failureMode !== "open" && failureMode !== "closed") {
      throw new HookcError("argument", `the failure mode ${JSON.stringify(failureMode)} is unknown: expected one of open, closed`);
    }
    this.#failureMode = failureMode;
    if (state !== undefined) this.#state = restored(state);
  }

  /** The retries, the suspension and the escalation as JSON text, to save. @returns {string} */
  get state() {
    const { retries, suspended, escalation } = this.#state;
    return JSON.stringify({
      version: 1,
      retries: Object.fromEntries([...retries].sort(([a], [b]) => (a < b ? -1 : 1))),
      suspended: suspended && { hook: suspended.hook, reason: suspended.reason, resume_hint: suspended.resumeHint },
      escalation: escalation && {
        hook: escalation.hook,
        target: escalation.target,
        message: escalation.message,
        timeout_seconds: escalation.timeoutSeconds,
      },
    });
  }

  /** The retries of each hook since the last `succeeded`. @returns {Map<string, number>} */
  get retries() {
    return new Map(this.#state.retries);
  }

  /** The step that the thread waits at. @returns {Suspend | Escalate | null} */
  get waits() {
    return this.#state.suspended ?? this.#state.escalation;
  }

  /**
   * Decides about an event.
   * @param {Event} event
   * @returns {Step}
   * @throws {HookcError} `event`: nothing can be decided. `thread`: the thread waits (`waiting`), or an action of the event
   *   before has no result yet (`busy`).
   */
  on(event) {
    this.#checkIdle();
    if (this.waits) throw new HookcError("thread", "the thread is suspended or waits for an answer", { code: "waiting" });
    const { decision, parsed } = this.#decide(event);
    const hooks = [...decision.hooks];
    // Bytes of the program can change before a directive returns `RETRY`.
    this.#pending = { event: hooks.some(mayRetry) ? parsed() : null, hooks, best: null, asked: null, tries: 0 };
    return this.#next();
  }

  /**
   * The result of the action that `perform` asks for. Of `escalate`: `true`, `false`, or `null` for an answer that comes
   * later. Of `call_directive`: what the directive returned, or `null`. Of `prompt` and `agent`: `{ok: true}` or `{ok: false,
   * reason}`. Of others: `null`, or an object with an `action` as a directive returns it.
   * @param {unknown} value
   * @returns {Step}
   */
  performed(value) {
    const result = kept(value);
    return this.#settle((asked, pending) => this.#performed(asked, result, pending.event));
  }

  /**
   * The action that `perform` asks for has failed: it is asked for again if the hook has `on_error: retry`, else the failure
   * mode decides.
   * @param {unknown} error
   * @returns {Step}
   */
  failed(error) {
    return this.#settle(() => new Failure(error instanceof Error ? error.message : String(error)));
  }

  /**
   * What performed the action denies: the thread fails.
   * @param {string} [reason]
   * @returns {Step}
   */
  denied(reason) {
    return this.#settle(({ hook }) => denied(hook, reason));
  }

  /** What was tried again has worked: counts retries from 0. */
  succeeded() {
    this.#checkIdle();
    this.#state.retries.clear();
  }

  /** Ends the suspension; `false` without one. @returns {boolean} */
  resume() {
    this.#checkIdle();
    const { suspended } = this.#state;
    this.#state.suspended = null;
    return suspended !== null;
  }

  /**
   * Answers the escalation: the step is `continue` or `fail`, and `no_opinion` if there was none.
   * @param {boolean} approved
   * @returns {Step}
   */
  answered(approved) {
    this.#checkIdle();
    if (typeof approved !== "boolean") throw new HookcError("argument", `an answer is true or false, not ${typeof approved}`);
    const { escalation } = this.#state;
    this.#state.escalation = null;
    if (escalation === null) return { kind: "no_opinion" };
    return approved ? { kind: "continue" } : rejected(escalation.hook);
  }

  /**
   * Rejects the escalation if it was open for `waited` seconds and its time is over; otherwise null.
   * @param {number} waited
   * @returns {Step | null}
   */
  expireEscalation(waited) {
    if (!(waited >= 0)) throw new HookcError("argument", `seconds are a number from 0, not ${waited}`);
    const { escalation } = this.#state;
    return escalation !== null && waited >= escalation.timeoutSeconds ? this.answered(false) : null;
  }

  #checkIdle() {
    if (this.#pending) {
      throw new HookcError("thread", "an action of the thread has no result yet: call performed, failed or denied", { code: "busy" });
    }
  }

  /** Takes the hooks in order, until the program has to perform an action. @returns {Step} */
  #next() {
    const pending = /** @type {Pending} */ (this.#pending);
    for (let hook = pending.hooks.shift(); hook; hook = pending.hooks.shift()) {
      if (!hook.action) this.#propose(hook, new Failure(hook.error ?? ""));
      else if (OWN.has(hook.action.type)) this.#propose(hook, this.#own(hook, hook.action, pending.event));
      else return this.#ask({ hook, action: hook.action, depth: 0 });
    }
    this.#pending = null;
    return pending.best ? this.#take(pending.best.hook, pending.best.proposal) : { kind: "no_opinion" };
  }

  /**
   * @param {Asked} asked
   * @returns {Perform}
   */
  #ask(asked) {
    /** @type {Pending} */ (this.#pending).asked = asked;
    return { kind: "perform", hook: asked.hook.id, action: asked.action };
  }

  /**
   * @param {(asked: Asked, pending: Pending) => Proposal | Failure} interpret
   * @returns {Step}
   */
  #settle(interpret) {
    const pending = this.#pending;
    if (!pending?.asked) throw new HookcError("thread", "no action of the thread waits for a result", { code: "idle" });
    const { asked } = pending;
    const { hook } = asked;
    pending.tries += 1;
    const result = interpret(asked, pending);
    if (!(result instanceof Failure) && result.step.kind === "perform") return result.step;
    // Only the action of the hook itself is performed again: what its result asks for has failed for good.
    const isFirst = asked.depth === 0 && asked.action === hook.action;
    const most = hook.onError === "retry" ? (count(hook.action?.max_retries) ?? TRIES) : 1;
    if (result instanceof Failure && isFirst && !result.isFinal && pending.tries < most) return this.#ask(asked);
    this.#propose(hook, result);
    Object.assign(pending, { asked: null, tries: 0 });
    return this.#next();
  }

  /**
   * Keeps the strictest proposal. A failure of a hook with `on_error: fail` ends the sequence.
   * @param {MatchedHook} hook
   * @param {Proposal | Failure} result
   */
  #propose(hook, result) {
    const pending = /** @type {Pending} */ (this.#pending);
    if (result instanceof Failure && hook.onError === "fail") pending.hooks = [];
    const proposal = this.#outcome(hook, result);
    const strength = (/** @type {Proposal} */ { step }) => STRENGTH.indexOf(step.kind);
    if (!pending.best || strength(proposal) > strength(pending.best.proposal)) pending.best = { hook, proposal };
  }

  /**
   * A failure is a step by its failure mode.
   * @param {MatchedHook} hook
   * @param {Proposal | Failure} result
   * @returns {Proposal}
   */
  #outcome(hook, result) {
    if (!(result instanceof Failure)) return result;
    const byError = hook.onError === "skip" ? "open" : hook.onError === "fail" ? "closed" : null;
    if ((hook.onFailure ?? byError ?? this.#failureMode) === "open") return { step: { kind: "continue" } };
    return { step: { kind: "fail", message: `hook ${hook.id} failed: ${result.why}` } };
  }

  /**
   * Changes the state, and gives the step.
   * @param {MatchedHook} hook
   * @param {Proposal} proposal
   * @returns {Step}
   */
  #take(hook, { step, isSpent }) {
    if (step.kind === "suspend") this.#state.suspended = step;
    else if (step.kind === "escalate") this.#state.escalation = step;
    else if (step.kind === "retry") this.#state.retries.set(hook.id, step.attempt);
    else if (isSpent) this.#state.retries.delete(hook.id);
    return step;
  }

  /**
   * An action that needs no result.
   * @param {MatchedHook} hook
   * @param {Action} action
   * @param {any} event
   * @returns {Proposal | Failure}
   */
  #own(hook, action, event) {
    switch (action.type) {
      case "retry":
        return this.#retry(hook, action, event);
      case "fail":
        return { step: { kind: "fail", message: text(action.error_message) ?? "required by the policy" } };
      case "abort":
        return { step: { kind: "abort" } };
      case "suspend":
        return suspended(hook, action.suspend_reason, action.resume_hint);
      case "deny":
      case "ask":
        return denied(hook, text(action.reason));
      default:
        return { step: { kind: "continue" } };
    }
  }

  /**
   * @param {MatchedHook} hook
   * @param {{[parameter: string]: unknown}} action
   * @param {any} event
   * @returns {Proposal | Failure}
   */
  #retry(hook, action, event) {
    const most = count(action.max_attempts) ?? 3;
    const made = this.#state.retries.get(hook.id) ?? 0;
    if (made >= most) {
      const message = `hook ${hook.id}: ${most} ${most === 1 ? "retry was" : "retries were"} made`;
      return { step: { kind: "fail", message }, isSpent: true };
    }
    const attempt = made + 1;
    const after = wait(action, event, attempt);
    if (after instanceof Failure) return after;
    if (after === null) {
      return { step: { kind: "fail", message: `hook ${hook.id}: the event's retry policy is \`none\`` }, isSpent: true };
    }
    return { step: { kind: "retry", after: Math.min(after, LONGEST), attempt } };
  }

  /**
   * @param {Asked} asked
   * @param {any} value
   * @param {any} event
   * @returns {Proposal | Failure}
   */
  #performed(asked, value, event) {
    const { hook, action } = asked;
    if (action.type === "escalate") return escalated(hook, action, value);
    const isModel = action.type === "prompt" || action.type === "agent";
    const judged = JUDGES.has(action.type) ? judgement(value) : null;
    if (judged?.error !== undefined) return new Failure(judged.error);
    if (judged) return judged.denial === undefined ? { step: { kind: "continue" } } : denied(hook, judged.denial);
    const isReturn = value !== null && (action.type === "call_directive"
      || (action.type === "run" && action.result === "return")
      || (!["emit_event", "log"].includes(action.type) && (value.action !== undefined || value.compaction !== undefined)));
    if (isReturn) return this.#checked(asked, value, event);
    if (isModel) {
      const found = isText(value) ? "with text instead of" : "without `ok`: expected";
      return new Failure(`a model answered ${found} \`{"ok": true}\` or \`{"ok": false}\``);
    }
    return { step: { kind: "continue" } };
  }

  /**
   * The step of a return object, which is validated first.
   * @param {Asked} asked
   * @param {any} value
   * @param {any} event
   * @returns {Proposal | Failure}
   */
  #checked(asked, value, event) {
    let isReturn;
    try {
      isReturn = this.#isReturn(value);
    } catch (error) {
      // A value that cannot be checked, such as one that is nested too deep.
      if (error instanceof HookcError && error.kind === "event") return new Failure(error.message);
      throw error;
    }
    if (!isReturn) return new Failure(`what it returned is not a return object: ${short(JSON.stringify(value) ?? String(value))}`);
    const result = this.#returned(asked, value, event);
    return result instanceof Failure ? new Failure(result.why, true) : result;
  }

  /**
   * @param {Asked} asked
   * @param {any} value
   * @param {any} event
   * @returns {Proposal | Failure}
   */
  #returned({ hook, depth }, value, event) {
    if (value.compaction !== undefined) return compact(value.compaction);
    switch (value.action) {
      case "RETRY":
        return wrongParameter("retry", value) ?? this.#retry(hook, value, event);
      case "FAIL":
        return { step: { kind: "fail", message: text(value.error_message) ?? text(value.error) ?? "required by a directive" } };
      case "ABORT":
        return { step: { kind: "abort" } };
      case "SUSPEND":
        return suspended(hook, value.suspend.reason ?? "error", value.suspend.resume_hint);
      case "ESCALATE":
        return this.#askReturned({ hook, action: { ...value.escalation, type: "escalate" }, depth });
      case "CALL":
        if (depth >= DEPTH) return new Failure(`directives are nested deeper than ${DEPTH} calls`);
        return this.#askReturned({ hook, action: { ...value.call, type: "call_directive" }, depth: depth + 1 });
      default:
        return { step: { kind: "continue" } };
    }
  }

  /**
   * @param {Asked} asked
   * @returns {Proposal | Failure}
   */
  #askReturned(asked) {
    return wrongParameter(asked.action.type, asked.action) ?? { step: this.#ask(asked) };
  }
}

/** Whether a hook can retry, which can depend on the event. @param {MatchedHook} hook */
function mayRetry({ action }) {
  return action !== null && (action.type === "retry" || !OWN.has(action.type));
}

/**
 * @param {MatchedHook} hook
 * @param {unknown} reason
 * @param {unknown} hint
 * @returns {Proposal}
 */
function suspended(hook, reason, hint) {
  return { step: { kind: "suspend", hook: hook.id, reason: text(reason) ?? "error", resumeHint: text(hint) } };
}

/**
 * @param {MatchedHook} hook
 * @param {Action} action
 * @param {any} answer
 * @returns {Proposal}
 */
function escalated(hook, action, answer) {
  const approved = typeof answer === "boolean" ? answer : answer?.approved;
  if (approved === true) return { step: { kind: "continue" } };
  if (approved === false) return { step: rejected(hook.id) };
  return {
    step: {
      kind: "escalate",
      hook: hook.id,
      target: text(action.target) ?? "user_approval",
      message: text(action.message),
      timeoutSeconds: count(action.timeout_seconds) ?? 3600,
    },
  };
}

/**
 * @param {MatchedHook} hook
 * @param {string | null} [reason]
 * @returns {Proposal}
 */
function denied(hook, reason) {
  return { step: { kind: "fail", message: reason || `hook ${hook.id} denies` } };
}

/** @param {string} hook @returns {Fail} */
function rejected(hook) {
  return { kind: "fail", message: `hook ${hook}: the escalation was rejected` };
}

/** @param {any} compaction @returns {Proposal | Failure} */
function compact(compaction) {
  const turn = compaction.prune_before_turn ?? null;
  if (turn !== null && !Number.isSafeInteger(turn)) {
    return new Failure(`\`prune_before_turn\` is not a turn: ${JSON.stringify(turn)}`);
  }
  return { step: { kind: "compact", summary: text(compaction.summary) ?? "", pruneBeforeTurn: turn } };
}

/**
 * The seconds before an attempt; null: no further attempt.
 * @param {{[parameter: string]: unknown}} action
 * @param {any} event
 * @param {number} attempt
 * @returns {number | null | Failure}
 */
function wait(action, event, attempt) {
  const delay = seconds(action.delay);
  if (action.backoff_policy === "fixed") return delay ?? 0;
  if (action.backoff_policy === "exponential") return exponential(delay, null, attempt);
  return inherited(event?.classification?.retry_policy ?? null, event, attempt);
}

/**
 * @param {number | null} base
 * @param {number | null} most
 * @param {number} attempt
 */
function exponential(base, most, attempt) {
  return Math.min((base ?? 1) * 2 ** Math.min(attempt - 1, 1000), most ?? 60);
}

/**
 * The type of a value, for messages that must not quote it.
 * @param {unknown} value
 */
function typeOf(value) {
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

/**
 * The event's own policy.
 * @param {any} policy
 * @param {any} event
 * @param {number} attempt
 * @returns {number | null | Failure}
 */
function inherited(policy, event, attempt) {
  if (policy === null) return exponential(null, null, attempt);
  if (typeof policy !== "object" || Array.isArray(policy)) {
    return new Failure(`the event's retry policy is ${typeOf(policy)}, not an object`);
  }
  const get = (/** @type {string[]} */ ...names) => names.map((name) => seconds(policy[name])).find((found) => found !== null) ?? null;
  const millis = (/** @type {string[]} */ ...names) => {
    const found = get(...names);
    return found === null ? null : found / 1000;
  };
  const kinds = ["type", "backoff_policy", "policy", "backoff"].map((name) => policy[name]);
  const kind = kinds.find((found) => found !== undefined) ?? (kinds.includes(null) ? null : "exponential");
  const delay = get("delay", "delay_seconds") ?? millis("delay_ms");
  switch (kind) {
    case "exponential": {
      const base = get("base", "base_delay", "base_seconds") ?? millis("base_ms") ?? delay;
      return exponential(base, get("max", "max_delay", "max_seconds") ?? millis("max_ms"), attempt);
    }
    case "fixed":
      return delay ?? 1;
    case "none":
      return null;
    case "use_header": {
      const found = header(typeof policy.header === "string" ? policy.header : "retry-after", event);
      return found ?? inherited(policy.fallback ?? null, event, attempt);
    }
    default:
      return new Failure("the `type` of the event's retry policy is not `exponential`, `fixed`, `use_header` or `none`");
  }
}

/**
 * The seconds in a header field; a date has none.
 * @param {string} name
 * @param {any} event
 * @returns {number | null}
 */
function header(name, event) {
  for (const path of HEADERS) {
    const fields = path.reduce((value, key) => value?.[key], event);
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) continue;
    for (const [field, value] of Object.entries(fields)) {
      if (lowerCase(field) !== lowerCase(name)) continue;
      const one = Array.isArray(value) ? value[0] : value;
      const found = seconds(typeof one === "string" ? Number(NUMBER.exec(one)?.[1] ?? NaN) : one);
      if (found !== null && Number.isFinite(found)) return found;
    }
  }
  return null;
}

/** A number between whitespace. */
const NUMBER = /^\p{White_Space}*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\p{White_Space}*$/iu;

/** @param {string} name Only letters of ASCII are folded. */
function lowerCase(name) {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** @param {unknown} value @returns {number | null} */
function seconds(value) {
  // Without the sign of -0.
  return typeof value === "number" && value >= 0 ? Math.abs(value) : null;
}

/**
 * What the schema of return objects does not check: the parameters of each action, what they must be, and whether they are.
 * @type {{[type: string]: {[parameter: string]: [string, (value: unknown) => boolean]}}}
 */
const PARAMETERS = {
  retry: {
    max_attempts: ["a whole number of at least 0", (value) => count(value) !== null],
    backoff_policy: ["`exponential`, `fixed` or `inherit`", (value) => ["exponential", "fixed", "inherit"].includes(/** @type {any} */ (value))],
    delay: ["a number of at least 0", (value) => seconds(value) !== null],
  },
  escalate: { timeout_seconds: ["a whole number of at least 0", (value) => count(value) !== null] },
  call_directive: { inherit_token: ["true or false", (value) => typeof value === "boolean"] },
};

/**
 * Why an action that a directive returns cannot be read; a parameter that is `null` is absent.
 * @param {string} type
 * @param {{[parameter: string]: unknown}} action
 * @returns {Failure | null}
 */
function wrongParameter(type, action) {
  const wrong = (/** @type {string} */ why) => new Failure(`it returned: ${why}`);
  if (type === "call_directive" && (action.directive ?? null) === null) return wrong("`call_directive` needs the parameter `directive`");
  for (const [name, [expected, is]] of Object.entries(PARAMETERS[type] ?? {})) {
    const value = action[name] ?? null;
    if (value !== null && !is(value)) return wrong(`parameter \`${name}\` of \`${type}\` must be ${expected}`);
  }
  return null;
}

/** @param {unknown} value @returns {number | null} */
function count(value) {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** @param {unknown} value @returns {string | null} */
function text(value) {
  return typeof value === "string" ? value : null;
}

/**
 * A result as JSON has it; `undefined` is `null`.
 * @param {unknown} value
 */
function kept(value) {
  if (value === undefined) return null;
  if (value instanceof Promise) throw new HookcError("argument", "the result is a Promise: await it first");
  return JSON.parse(json("result", { value })).value ?? null;
}

/** @param {string} long */
function short(long) {
  const letters = [...long];
  return letters.length > 200 ? `${letters.slice(0, 200).join("")}...` : long;
}

/**
 * @param {unknown} saved
 * @returns {State}
 */
function restored(saved) {
  const wrong = (/** @type {string} */ why) => new HookcError("thread", `the state of the thread is not valid: ${why}`, { code: "state" });
  if (typeof saved !== "string") throw wrong(`it is JSON text, not ${typeof saved}`);
  let read;
  try {
    read = JSON.parse(saved);
  } catch (cause) {
    throw wrong(String(cause));
  }
  if (read?.version !== 1) throw wrong("`version` is not 1");
  const counts = typeof read.retries === "object" && read.retries !== null && !Array.isArray(read.retries) ? Object.entries(read.retries) : null;
  if (counts === null || counts.some(([, made]) => count(made) === null)) throw wrong("`retries` is not an object of counts");
  const must = (/** @type {any} */ part, /** @type {string} */ name) => {
    if (typeof part[name] !== "string") throw wrong(`\`${name}\` is missing`);
    return part[name];
  };
  const { suspended: own, escalation: open } = read;
  if (open && count(open.timeout_seconds) === null) throw wrong("`timeout_seconds` is missing");
  return {
    retries: new Map(counts),
    suspended: own ? { kind: "suspend", hook: must(own, "hook"), reason: must(own, "reason"), resumeHint: text(own.resume_hint) } : null,
    escalation: open
      ? {
          kind: "escalate",
          hook: must(open, "hook"),
          target: must(open, "target"),
          message: text(open.message),
          timeoutSeconds: open.timeout_seconds,
        }
      : null,
  };
}
