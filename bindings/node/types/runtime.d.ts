/** @param {(name: FileName) => Promise<WebAssembly.Module>} read */
export function runtime(read: (name: FileName) => Promise<WebAssembly.Module>): {
    /**
     * Loads a compiled module, such as `hookc compile` writes. Every policy has its own memory, which
     * the garbage collector frees with it.
     * @param {ByteSource} module
     * @returns {Promise<Policy>}
     * @throws {HookcError} `module`: the bytes are not a module of this version.
     */
    load(module: ByteSource): Promise<Policy>;
    /**
     * A compiler, in an instance of its own.
     * @returns {Promise<Compiler>}
     */
    compiler(): Promise<Compiler>;
    /**
     * The version of hookc, and of the format of modules that it loads.
     * @returns {Promise<Version>}
     */
    version(): Promise<Version>;
};
export type FileName = "hookc-vm" | "hookc-compiler";
export type Version = {
    hookc: string;
    interface: number;
    format: number;
    compiler: boolean;
};
import { Policy } from "./policy.js";
import type { ByteSource } from "./instance.js";
import { Compiler } from "./compiler.js";
