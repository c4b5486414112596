/**
 * What failed: an argument, a module, an event, a policy, a thread, a snapshot, memory, or hookc itself.
 * @typedef {"argument" | "handle" | "memory" | "module" | "event" | "policy" | "thread" | "snapshot" | "internal"} ErrorKind
 */
/**
 * A short name of the error, the same in every binding; docs/bindings.md lists them. For a policy the code
 * of its first error, such as `E0406`.
 * @typedef {"argument" | "handle" | "memory" | "internal" | "snapshot" | "not_a_module" | "too_large" | "version" | "features" | "damaged" | "too_deep" | "utf8" | "syntax" | "not_an_object" | "surrogate" | "exponent" | "duplicate_key" | "no_type" | "ambiguous_type" | "pattern" | "values" | "query_steps" | "schema_steps" | "schema_depth" | "feeds" | "history" | "waiting" | "busy" | "state" | "idle" | `E${number}`} ErrorCode
 */
/**
 * A place in a text: a source of a policy, or `event`.
 * @typedef {object} Location
 * @property {string} file The name of the source.
 * @property {number} line From 1.
 * @property {number} column From 1, in characters.
 */
/**
 * What the compiler reports, as `hookc check --format json` writes it.
 * @typedef {object} Diagnostic
 * @property {string} code Such as `E0406`.
 * @property {"error" | "warning" | "note"} severity
 * @property {string} title What the code is about.
 * @property {string} message The problem.
 * @property {Label[]} labels Where it is in the sources; the first label is the place of the problem.
 * @property {string[]} notes
 * @property {string | null} help What to write.
 * @property {Fix | null} fix A change of the text that solves the problem.
 */
/**
 * A part of a source that a diagnostic is about.
 * @typedef {object} Label
 * @property {string} file
 * @property {Position} start
 * @property {Position} end
 * @property {string} text What to say about the part.
 */
/**
 * @typedef {object} Fix
 * @property {string} file
 * @property {Position} start
 * @property {Position} end
 * @property {string} replacement
 * @property {boolean} safe Whether the meaning of the policy is certain to stay.
 */
/**
 * @typedef {object} Position
 * @property {number} line From 1.
 * @property {number} column From 1, in characters.
 * @property {number} offset In bytes of UTF-8.
 */
/** Why a call failed. */
export class HookcError extends Error {
    /**
     * @param {ErrorKind} kind
     * @param {string} message
     * @param {{code?: ErrorCode, location?: Location | null, rendered?: string, diagnostics?: Diagnostic[], cause?: unknown}} [details]
     */
    constructor(kind: ErrorKind, message: string, details?: {
        code?: ErrorCode;
        location?: Location | null;
        rendered?: string;
        diagnostics?: Diagnostic[];
        cause?: unknown;
    });
    /** @type {ErrorKind} */
    kind: ErrorKind;
    /** @type {ErrorCode} */
    code: ErrorCode;
    /** Where the problem is, if it is in a text. @type {Location | null} */
    location: Location | null;
    /** The problem as the command line shows it: for a policy with the lines of its text. @type {string} */
    rendered: string;
    /** What the compiler reports about a policy; empty for other errors. @type {Diagnostic[]} */
    diagnostics: Diagnostic[];
}
/**
 * What failed: an argument, a module, an event, a policy, a thread, a snapshot, memory, or hookc itself.
 */
export type ErrorKind = "argument" | "handle" | "memory" | "module" | "event" | "policy" | "thread" | "snapshot" | "internal";
/**
 * A short name of the error, the same in every binding; docs/bindings.md lists them. For a policy the code
 * of its first error, such as `E0406`.
 */
export type ErrorCode = "argument" | "handle" | "memory" | "internal" | "snapshot" | "not_a_module" | "too_large" | "version" | "features" | "damaged" | "too_deep" | "utf8" | "syntax" | "not_an_object" | "surrogate" | "exponent" | "duplicate_key" | "no_type" | "ambiguous_type" | "pattern" | "values" | "query_steps" | "schema_steps" | "schema_depth" | "feeds" | "history" | "waiting" | "busy" | "state" | "idle" | `E${number}`;
/**
 * A place in a text: a source of a policy, or `event`.
 */
export type Location = {
    /**
     * The name of the source.
     */
    file: string;
    /**
     * From 1.
     */
    line: number;
    /**
     * From 1, in characters.
     */
    column: number;
};
/**
 * What the compiler reports, as `hookc check --format json` writes it.
 */
export type Diagnostic = {
    /**
     * Such as `E0406`.
     */
    code: string;
    severity: "error" | "warning" | "note";
    /**
     * What the code is about.
     */
    title: string;
    /**
     * The problem.
     */
    message: string;
    /**
     * Where it is in the sources; the first label is the place of the problem.
     */
    labels: Label[];
    notes: string[];
    /**
     * What to write.
     */
    help: string | null;
    /**
     * A change of the text that solves the problem.
     */
    fix: Fix | null;
};
/**
 * A part of a source that a diagnostic is about.
 */
export type Label = {
    file: string;
    start: Position;
    end: Position;
    /**
     * What to say about the part.
     */
    text: string;
};
export type Fix = {
    file: string;
    start: Position;
    end: Position;
    replacement: string;
    /**
     * Whether the meaning of the policy is certain to stay.
     */
    safe: boolean;
};
export type Position = {
    /**
     * From 1.
     */
    line: number;
    /**
     * From 1, in characters.
     */
    column: number;
    /**
     * In bytes of UTF-8.
     */
    offset: number;
};
