// The package in browsers: it fetches the WebAssembly files from its own directory.

import { runtime } from "./runtime.js";

export { HookcError } from "./error.js";
export { Compiler } from "./compiler.js";
export { CompiledPolicy, Decision, Policy } from "./policy.js";
export { Session } from "./session.js";
export { Thread } from "./thread.js";
/** @typedef {import("./error.js").Diagnostic} Diagnostic */
/** @typedef {import("./error.js").ErrorCode} ErrorCode */
/** @typedef {import("./error.js").ErrorKind} ErrorKind */
/** @typedef {import("./error.js").Location} Location */
/** @typedef {import("./compiler.js").CompileOptions} CompileOptions */
/** @typedef {import("./compiler.js").Report} Report */
/** @typedef {import("./compiler.js").Source} Source */
/** @typedef {import("./policy.js").Action} Action */
/** @typedef {import("./policy.js").DecideOptions} DecideOptions */
/** @typedef {import("./policy.js").Event} Event */
/** @typedef {import("./policy.js").Explanation} Explanation */
/** @typedef {import("./policy.js").MatchedHook} MatchedHook */
/** @typedef {import("./policy.js").UnknownHook} UnknownHook */
/** @typedef {import("./runtime.js").Version} Version */
/** @typedef {import("./session.js").SessionOptions} SessionOptions */
/** @typedef {import("./session.js").Verdict} Verdict */
/** @typedef {import("./thread.js").Step} Step */
/** @typedef {import("./thread.js").ThreadOptions} ThreadOptions */

const { load, compiler, version } = runtime(async (name) => {
  const url = new URL(`../wasm/${name}.wasm`, import.meta.url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return WebAssembly.compile(await answer.arrayBuffer());
});
export { load, compiler, version };
