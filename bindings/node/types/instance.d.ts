/**
 * @param {unknown} value
 * @returns {value is ByteSource}
 */
export function isByteSource(value: unknown): value is ByteSource;
/** @param {ByteSource} input */
export function bytesOf(input: ByteSource): Uint8Array<ArrayBufferLike>;
/** The functions that `bindings/wasm` describes. */
export class Instance {
    /** @param {WebAssembly.Instance} instance */
    constructor(instance: WebAssembly.Instance);
    /**
     * Calls a function with numbers and then with inputs, each as its address and length. Returns its
     * status, 0 or a handle; throws its failure.
     * @param {string} name
     * @param {number[]} numbers
     * @param {Bytes[]} [inputs]
     */
    call(name: string, numbers: number[], inputs?: Bytes[]): number;
    /** The result of the last call, as text. */
    text(): string;
    /** A copy of the result of the last call. */
    bytes(): Uint8Array<ArrayBuffer>;
    #private;
}
export type ByteSource = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
export type Bytes = string | ByteSource;
