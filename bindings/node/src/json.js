// Values as JSON text, without losing anything silently.

import { HookcError } from "./error.js";

/**
 * An object as JSON text.
 * @param {string} name
 * @param {object} object
 */
export function json(name, object) {
  let text;
  try {
    text = JSON.stringify(object);
    // After it, because an object without an end is an error there.
    checkKept(name, object);
  } catch (cause) {
    if (cause instanceof HookcError) throw cause;
    const hint = String(cause).includes("BigInt") ? "; write it as JSON text, which keeps the digits of every number" : "";
    throw new HookcError("argument", `the ${name} cannot be written as JSON: ${cause}${hint}`, { cause });
  }
  if (text === undefined) throw new HookcError("argument", `the ${name} cannot be written as JSON`);
  return text;
}

/** Objects that JSON keeps; it would write others, such as a `Map` or a `Promise`, as `{}`. */
const KEPT = new Set(["Object", "Array", "String", "Number", "Boolean"].map((name) => `[object ${name}]`));

/**
 * Checks that JSON keeps a value: a guard would not see what is silently left out or becomes `null`.
 * @param {string} where
 * @param {unknown} value
 */
function checkKept(where, value) {
  if (typeof value === "object") {
    if (value === null || "toJSON" in value) return;
    if (Array.isArray(value)) {
      for (const one of value) checkKept(where, one);
      return;
    }
    const prototype = Object.getPrototypeOf(value);
    const isPlain = prototype === Object.prototype || prototype === null;
    if (!isPlain && !KEPT.has(Object.prototype.toString.call(value))) throw lost(where, value);
    for (const [key, one] of Object.entries(value)) checkKept(key, one);
  } else if (typeof value === "number" ? !Number.isFinite(value) : typeof value === "function" || typeof value === "symbol") {
    throw lost(where, value);
  }
}

/**
 * @param {string} where
 * @param {unknown} value
 */
function lost(where, value) {
  const what = typeof value === "number" ? String(value) : Object.prototype.toString.call(value).slice(8, -1);
  return new HookcError("argument", `${JSON.stringify(where)} is ${what}, which JSON does not have`);
}

/**
 * Text that UTF-8 can represent: an encoder would replace half a surrogate pair silently.
 * @param {string} name
 * @param {string} text
 */
export function wellFormed(name, text) {
  if (!text.isWellFormed()) throw new HookcError("argument", `the ${name} has half a surrogate pair`);
  return text;
}
