// The compiler.

import { HookcError } from "./error.js";
import { Instance } from "./instance.js";
import { json } from "./json.js";
import { CompiledPolicy, optionsObject } from "./policy.js";
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
  /** @type {Instance} */
  #instance;

  /** @param {Instance} instance */
  constructor(instance) {
    if (!(instance instanceof Instance)) throw new HookcError("argument", "a compiler comes from `await compiler()`");
    this.#instance = instance;
  }

  /**
   * Compiles a policy: its text in YAML, or sources.
   * @param {string | Source[]} sources
   * @param {CompileOptions} [options]
   * @returns {{policy: CompiledPolicy, report: Report}}
   * @throws {HookcError} `policy`: it has errors, which `diagnostics` lists.
   */
  compile(sources, options = {}) {
    const handle = this.#instance.call("compile", [], [request(sources, options)]);
    const report = { ok: true, ...JSON.parse(this.#instance.text()) };
    return { policy: new CompiledPolicy(this.#instance, handle), report };
  }

  /**
   * What the compiler reports about a policy. Errors of the policy are no exceptions.
   * @param {string | Source[]} sources
   * @param {CompileOptions} [options]
   * @returns {Report}
   */
  check(sources, options = {}) {
    try {
      const { policy, report } = this.compile(sources, options);
      policy.free();
      return report;
    } catch (error) {
      if (!(error instanceof HookcError) || error.kind !== "policy") throw error;
      return { ok: false, rendered: error.rendered, diagnostics: error.diagnostics };
    }
  }
}

/**
 * @param {string | Source[]} sources
 * @param {CompileOptions} options
 */
function request(sources, options) {
  if (typeof sources !== "string" && !(Array.isArray(sources) && sources.length > 0)) {
    const found = Array.isArray(sources) ? "an empty list" : Object.prototype.toString.call(sources).slice(8, -1);
    throw new HookcError("argument", `a policy is its text, or a list of sources, not ${found}`);
  }
  const { shippedHooks, ...others } = optionsObject(options);
  const named =
    typeof sources === "string" ? [{ name: "policy.yaml", text: sources, dialect: "hooks-yaml" }] : sources;
  return json("request", { ...others, sources: named, shipped_hooks: shippedHooks });
}
