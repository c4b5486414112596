/** @import { Diagnostic } from "./error.js" */
/**
 * The text of a policy, with a name.
 * @typedef {object} Source
 * @property {string} name For diagnostics; it can also determine the dialect, such as `policy.yaml`.
 * @property {string} text
 * @property {string} [dialect] Such as `hooks-yaml`; by default the name and the text determine it.
 * @property {"managed" | "directive" | "project" | "user"} [layer] By default `directive`.
 */
/**
 * @typedef {object} CompileOptions
 * @property {"never" | "threads" | "always"} [shippedHooks] When to link the hooks that hookc ships; by
 *   default `never`.
 * @property {boolean} [strict] Undeclared names are errors instead of warnings.
 * @property {boolean} [strip] Leave ids and locations of hooks out of the module.
 */
/**
 * What the compiler reports.
 * @typedef {object} Report
 * @property {boolean} ok Whether there is no error.
 * @property {string} rendered As the command line prints it; empty if there is nothing to report.
 * @property {Diagnostic[]} diagnostics
 */
/** Compiles policies. The policies of a compiler share its memory. */
export class Compiler {
    /** @param {Instance} instance */
    constructor(instance: Instance);
    /**
     * Compiles a policy: its text in YAML, or sources.
     * @param {string | Source[]} sources
     * @param {CompileOptions} [options]
     * @returns {{policy: CompiledPolicy, report: Report}}
     * @throws {HookcError} `policy`: it has errors, which `diagnostics` lists.
     */
    compile(sources: string | Source[], options?: CompileOptions): {
        policy: CompiledPolicy;
        report: Report;
    };
    /**
     * What the compiler reports about a policy. Errors of the policy are no exceptions.
     * @param {string | Source[]} sources
     * @param {CompileOptions} [options]
     * @returns {Report}
     */
    check(sources: string | Source[], options?: CompileOptions): Report;
    #private;
}
/**
 * The text of a policy, with a name.
 */
export type Source = {
    /**
     * For diagnostics; it can also determine the dialect, such as `policy.yaml`.
     */
    name: string;
    text: string;
    /**
     * Such as `hooks-yaml`; by default the name and the text determine it.
     */
    dialect?: string | undefined;
    /**
     * By default `directive`.
     */
    layer?: "user" | "directive" | "managed" | "project" | undefined;
};
export type CompileOptions = {
    /**
     * When to link the hooks that hookc ships; by
     * default `never`.
     */
    shippedHooks?: "always" | "never" | "threads" | undefined;
    /**
     * Undeclared names are errors instead of warnings.
     */
    strict?: boolean | undefined;
    /**
     * Leave ids and locations of hooks out of the module.
     */
    strip?: boolean | undefined;
};
/**
 * What the compiler reports.
 */
export type Report = {
    /**
     * Whether there is no error.
     */
    ok: boolean;
    /**
     * As the command line prints it; empty if there is nothing to report.
     */
    rendered: string;
    diagnostics: Diagnostic[];
};
import { CompiledPolicy } from "./policy.js";
import { Instance } from "./instance.js";
import type { Diagnostic } from "./error.js";
