/** A thread of an agent under a policy. `Policy.thread` makes it. */
export class Thread {
    /**
     * @param {(event: Event) => {decision: Decision, parsed: () => any}} decide
     * @param {(value: unknown) => boolean} isReturn Whether a value is a valid result of a directive.
     * @param {ThreadOptions} [options]
     */
    constructor(decide: (event: Event) => {
        decision: Decision;
        parsed: () => any;
    }, isReturn: (value: unknown) => boolean, { state, failureMode }?: ThreadOptions);
    /** The retries, the suspension and the escalation as JSON text, to save. @returns {string} */
    get state(): string;
    /** The retries of each hook since the last `succeeded`. @returns {Map<string, number>} */
    get retries(): Map<string, number>;
    /** The step that the thread waits at. @returns {Suspend | Escalate | null} */
    get waits(): Suspend | Escalate | null;
    /**
     * Decides about an event.
     * @param {Event} event
     * @returns {Step}
     * @throws {HookcError} `event`: nothing can be decided. `thread`: the thread waits (`waiting`), or an action of the event
     *   before has no result yet (`busy`).
     */
    on(event: Event): Step;
    /**
     * The result of the action that `perform` asks for. Of `escalate`: `true`, `false`, or `null` for an answer that comes
     * later. Of `call_directive`: what the directive returned, or `null`. Of `prompt` and `agent`: `{ok: true}` or `{ok: false,
     * reason}`. Of others: `null`, or an object with an `action` as a directive returns it.
     * @param {unknown} value
     * @returns {Step}
     */
    performed(value: unknown): Step;
    /**
     * The action that `perform` asks for has failed: it is asked for again if the hook has `on_error: retry`, else the failure
     * mode decides.
     * @param {unknown} error
     * @returns {Step}
     */
    failed(error: unknown): Step;
    /**
     * What performed the action denies: the thread fails.
     * @param {string} [reason]
     * @returns {Step}
     */
    denied(reason?: string): Step;
    /** What was tried again has worked: counts retries from 0. */
    succeeded(): void;
    /** Ends the suspension; `false` without one. @returns {boolean} */
    resume(): boolean;
    /**
     * Answers the escalation: the step is `continue` or `fail`, and `no_opinion` if there was none.
     * @param {boolean} approved
     * @returns {Step}
     */
    answered(approved: boolean): Step;
    /**
     * Rejects the escalation if it was open for `waited` seconds and its time is over; otherwise null.
     * @param {number} waited
     * @returns {Step | null}
     */
    expireEscalation(waited: number): Step | null;
    #private;
}
/**
 * What the thread does next. `perform` asks your program for the result of an action: answer with `performed`, `failed`
 * or `denied`, which give the next step.
 */
export type Step = {
    kind: "no_opinion";
} | {
    kind: "continue";
} | {
    kind: "abort";
} | Retry | Fail | Suspend | Escalate | Compact | Perform;
/**
 * Try again after so many seconds.
 */
export type Retry = {
    kind: "retry";
    after: number;
    attempt: number;
};
export type Fail = {
    kind: "fail";
    message: string;
};
/**
 * Wait for `resume`.
 */
export type Suspend = {
    kind: "suspend";
    hook: string;
    reason: string;
    resumeHint: string | null;
};
/**
 * Wait for `answered`; later than after `timeoutSeconds` the answer is no.
 */
export type Escalate = {
    kind: "escalate";
    hook: string;
    target: string;
    message: string | null;
    timeoutSeconds: number;
};
/**
 * The summary replaces the turns before `pruneBeforeTurn`.
 */
export type Compact = {
    kind: "compact";
    summary: string;
    pruneBeforeTurn: number | null;
};
export type Perform = {
    kind: "perform";
    hook: string;
    action: Action;
};
export type ThreadOptions = {
    /**
     * The `state` of a thread that another process had.
     */
    state?: string | undefined;
    /**
     * Of hooks that have none themselves; by default `closed`.
     */
    failureMode?: "closed" | "open" | undefined;
};
export type State = {
    retries: Map<string, number>;
    suspended: Suspend | null;
    escalation: Escalate | null;
};
/**
 * What a hook requests, and whether its retries are used up.
 */
export type Proposal = {
    step: Step;
    isSpent?: boolean;
};
/**
 * An event for which the actions of some hooks have no result yet.
 */
export type Pending = {
    /**
     * Null if no hook can retry.
     */
    event: any;
    /**
     * Those whose turn comes later.
     */
    hooks: MatchedHook[];
    best: {
        hook: MatchedHook;
        proposal: Proposal;
    } | null;
    asked: Asked | null;
    tries: number;
};
/**
 * An action that the program performs; `depth`: how many directives called one another.
 */
export type Asked = {
    hook: MatchedHook;
    action: Action;
    depth: number;
};
import type { Event } from "./policy.js";
import type { Decision } from "./policy.js";
import type { Action } from "./policy.js";
import type { MatchedHook } from "./policy.js";
