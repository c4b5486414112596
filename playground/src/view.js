// What the page shows. Text of policies and events is set as text, never as HTML.

/** @import { Diagnostic, MatchedHook } from "../../bindings/node/src/browser.js" */

/**
 * An element with classes and children.
 * @param {string} tag
 * @param {string} classes
 * @param {(Node | string)[]} children
 */
export function element(tag, classes, ...children) {
  const made = document.createElement(tag);
  made.className = classes;
  made.append(...children);
  return made;
}

/**
 * A hook with its action.
 * @param {MatchedHook} hook
 * @param {string} word
 */
function hook(hook, word) {
  const where = hook.location ? `${hook.location.file}:${hook.location.line}` : "";
  const action = hook.error ?? JSON.stringify(hook.action, null, 2);
  return element(
    "div",
    "hook",
    element("span", `badge ${word ? "warning" : "good"}`, word || String(hook.action?.type ?? "error")),
    element("span", "name", hook.id),
    element("span", "faint", where),
    element("pre", hook.error ? "bad" : "", action),
  );
}

/** @param {import("../../bindings/node/src/browser.js").Decision} made */
export function decision(made) {
  const hooks = made.hooks.map((one) => hook(one, ""));
  const reported = made.reported.map((one) => hook(one, one.mode));
  if (hooks.length === 0) hooks.push(element("p", "faint", `${made.event}: no opinion. The agent decides.`));
  return [...hooks, ...reported];
}

/**
 * The text of `hookc explain`, its marks in colour.
 * @param {string} text
 */
export function explanation(text) {
  const lines = text.split("\n").map((line) => {
    const mark = line.trimStart().charAt(0);
    return element("span", mark === "✓" ? "good" : mark === "✗" ? "bad" : "", `${line}\n`);
  });
  return element("pre", "", ...lines);
}

/**
 * @param {Diagnostic} one
 * @param {(start: number, end: number) => void} show
 * @param {(start: number, end: number, text: string) => void} replace
 */
export function diagnostic(one, show, replace) {
  const label = one.labels[0];
  const line = element("div", "", element("span", `badge ${one.severity}`, `${one.severity} ${one.code}`), ` ${one.message} `);
  if (label) {
    const go = element("button", "", `${label.start.line}:${label.start.column}`);
    go.addEventListener("click", () => show(label.start.offset, label.end.offset));
    line.append(go);
  }
  const { fix } = one;
  if (fix) {
    const change = element("button", "fix", `Write ${JSON.stringify(fix.replacement)}`);
    change.addEventListener("click", () => replace(fix.start.offset, fix.end.offset, fix.replacement));
    line.append(change);
  }
  const more = [label?.text, ...one.notes, one.help].filter((text) => text);
  return element("div", "diagnostic", line, ...more.map((text) => element("p", "faint", String(text))));
}
