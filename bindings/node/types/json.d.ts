/**
 * An object as JSON text.
 * @param {string} name
 * @param {object} object
 */
export function json(name: string, object: object): string;
/**
 * Text that UTF-8 can represent: an encoder would replace half a surrogate pair silently.
 * @param {string} name
 * @param {string} text
 */
export function wellFormed(name: string, text: string): string;
