/**
 * The judgement in the answer of a model or a service: `{"ok": ...}`, also as text. Null: it is something else.
 * @param {unknown} answer
 * @returns {Judgement | null}
 */
export function judgement(answer: unknown): Judgement | null;
/**
 * Whether an answer is text without an object in it.
 * @param {unknown} answer
 */
export function isText(answer: unknown): boolean;
/**
 * What an answer says: why it denies (empty without a reason), or why it cannot be read; neither: it approves.
 */
export type Judgement = {
    denial?: string;
    error?: string;
};
