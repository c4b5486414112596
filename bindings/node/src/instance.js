// An instance of a WebAssembly module of hookc: memory, calls, results.

import { HookcError } from "./error.js";

/** @typedef {ArrayBuffer | SharedArrayBuffer | ArrayBufferView} ByteSource */
/** @typedef {string | ByteSource} Bytes */

/** A buffer that is larger is freed when a call needs less. */
const KEPT_BYTES = 1 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The functions that `bindings/wasm` describes. */
export class Instance {
  /** @type {Record<string, (...numbers: number[]) => number>} */
  #functions;
  /** @type {WebAssembly.Memory} */
  #memory;
  #view = new Uint8Array(0);
  /** The buffer for inputs: its address and length. */
  #address = 0;
  #length = 0;
  #trapped = false;

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    const { memory, ...functions } = instance.exports;
    this.#memory = /** @type {WebAssembly.Memory} */ (memory);
    this.#functions = /** @type {any} */ (functions);
  }

  /**
   * Calls a function with numbers and then with inputs, each as its address and length. Returns its
   * status, 0 or a handle; throws its failure.
   * @param {string} name
   * @param {number[]} numbers
   * @param {Bytes[]} [inputs]
   */
  call(name, numbers, inputs = []) {
    const places = inputs.length > 0 ? this.#write(inputs) : [];
    const status = this.#run(name, ...numbers, ...places);
    if (status >= 0) return status;
    const failure = JSON.parse(this.text());
    throw new HookcError(failure.kind, failure.message, failure);
  }

  /** The result of the last call, as text. */
  text() {
    return decoder.decode(this.#result());
  }

  /** A copy of the result of the last call. */
  bytes() {
    return this.#result().slice();
  }

  #result() {
    const start = this.#run("result_ptr") >>> 0;
    return this.#bytesOfMemory().subarray(start, start + this.#run("result_length"));
  }

  /**
   * Writes the inputs one after the other, and returns the address and length of each.
   * @param {Bytes[]} inputs
   */
  #write(inputs) {
    let most = 0;
    for (const input of inputs) most += typeof input === "string" ? input.length * 3 : input.byteLength;
    this.#reserve(most);
    const memory = this.#bytesOfMemory();
    const places = [];
    let at = this.#address;
    for (const input of inputs) {
      let length;
      if (typeof input === "string") {
        length = encoder.encodeInto(input, memory.subarray(at, this.#address + this.#length)).written;
      } else {
        memory.set(bytesOf(input), at);
        length = input.byteLength;
      }
      places.push(at, length);
      at += length;
    }
    return places;
  }

  /** @param {number} length */
  #reserve(length) {
    const kept = length <= KEPT_BYTES && this.#length > KEPT_BYTES ? 0 : this.#length;
    if (length <= kept) return;
    this.#release();
    const wanted = Math.max(length, 4096);
    // An address is a number of 32 bits without a sign.
    const address = wanted < 2 ** 31 ? this.#run("alloc", wanted) >>> 0 : 0;
    if (address === 0) throw new HookcError("memory", `no memory for an input of ${length} bytes`);
    this.#address = address;
    this.#length = wanted;
  }

  #release() {
    if (this.#length > 0) this.#run("free", this.#address);
    this.#address = this.#length = 0;
  }

  #bytesOfMemory() {
    // Memory that grew has a new buffer.
    if (this.#view.buffer !== this.#memory.buffer) this.#view = new Uint8Array(this.#memory.buffer);
    return this.#view;
  }

  /**
   * @param {string} name
   * @param {number[]} numbers
   */
  #run(name, ...numbers) {
    if (this.#trapped) throw new HookcError("internal", "an earlier call failed inside hookc: load the policy again");
    try {
      return /** @type {(...numbers: number[]) => number} */ (this.#functions[name])(...numbers);
    } catch (cause) {
      this.#trapped = true;
      throw new HookcError("internal", `hookc stopped: ${cause}`, { cause });
    }
  }
}

/**
 * @param {unknown} value
 * @returns {value is ByteSource}
 */
export function isByteSource(value) {
  // Browsers have no SharedArrayBuffer in most pages.
  const shared = typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer;
  return shared || value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

/** @param {ByteSource} input */
export function bytesOf(input) {
  try {
    if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    return new Uint8Array(input);
  } catch (cause) {
    throw new HookcError("argument", `the bytes cannot be read: ${cause}`, { cause });
  }
}
