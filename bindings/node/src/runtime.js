// What both entries of the package share: they differ in how they read a WebAssembly file.

import { Compiler } from "./compiler.js";
import { HookcError } from "./error.js";
import { Instance, isByteSource } from "./instance.js";
import { Policy, eventBytes } from "./policy.js";

/** @import { ByteSource } from "./instance.js" */
/** @typedef {"hookc-vm" | "hookc-compiler"} FileName */
/** @typedef {{hookc: string, interface: number, format: number, compiler: boolean}} Version */

/** The interface of `bindings/wasm` that this package is written for. */
const INTERFACE = 4;

/** @param {(name: FileName) => Promise<WebAssembly.Module>} read */
export function runtime(read) {
  /** @type {Map<FileName, Promise<WebAssembly.Module>>} */
  const modules = new Map();

  /**
   * @param {FileName} name
   * @returns {Promise<Instance>}
   */
  async function instantiate(name) {
    let compiled = modules.get(name);
    if (!compiled) {
      compiled = read(name);
      modules.set(name, compiled);
      // What failed is read again the next time.
      compiled.catch(() => modules.delete(name));
    }
    const instance = new Instance(await WebAssembly.instantiate(await compiled));
    const found = about(instance);
    if (found.interface !== INTERFACE) {
      const message = `${name}.wasm has interface ${found.interface}, not ${INTERFACE}: build it again`;
      throw new HookcError("module", message, { code: "version" });
    }
    return instance;
  }

  return {
    /**
     * Loads a compiled module, such as `hookc compile` writes. Every policy has its own memory, which
     * the garbage collector frees with it.
     * @param {ByteSource} module
     * @returns {Promise<Policy>}
     * @throws {HookcError} `module`: the bytes are not a module of this version.
     */
    async load(module) {
      if (!isByteSource(module)) {
        throw new HookcError("argument", "a module is bytes: an ArrayBuffer or a view of one");
      }
      const instance = await instantiate("hookc-vm");
      return new Policy(instance, instance.call("load", [], [eventBytes(module)]));
    },

    /**
     * A compiler, in an instance of its own.
     * @returns {Promise<Compiler>}
     */
    async compiler() {
      return new Compiler(await instantiate("hookc-compiler"));
    },

    /**
     * The version of hookc, and of the format of modules that it loads.
     * @returns {Promise<Version>}
     */
    async version() {
      return about(await instantiate("hookc-vm"));
    },
  };
}

/**
 * @param {Instance} instance
 * @returns {Version}
 */
function about(instance) {
  instance.call("version", []);
  return JSON.parse(instance.text());
}
