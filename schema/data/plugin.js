// The guard of hookc, written by `hookc install`. Its calls are in `hookc.json`, in the directory above this one. A call
// that fails, a program that is missing and settings that cannot be read deny.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const SETTINGS = fileURLToPath(new URL("../hookc.json", import.meta.url));
const SECONDS = 60;
/** The most characters of an answer. */
const LONGEST = 16 * 1024 * 1024;

/** The project, if the calls are those of a project. A session finds its own by its directory if they are the user's. */
function project() {
  const folder = dirname(SETTINGS);
  return basename(folder) === FOLDER ? dirname(folder) : undefined;
}

/** Runs one call of the settings with an event on its standard input. */
function call(handler, event) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, HOOKC_PROJECT_DIR: project() };
    const child = spawn("/bin/sh", ["-c", handler.command], { cwd: event.cwd, env });
    const seconds = handler.timeout ?? SECONDS;
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`no answer after ${seconds} s`));
    }, seconds * 1000);
    const texts = ["", ""];
    [child.stdout, child.stderr].forEach((stream, index) => {
      stream.setEncoding("utf8").on("data", (text) => {
        if (texts[index].length < LONGEST) texts[index] += text;
      });
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      const [stdout, stderr] = texts.map((text) => text.trim());
      if (code !== 0) return resolve({ decision: "deny", reason: stderr || `its call ends with ${code}` });
      try {
        resolve(stdout === "" ? {} : JSON.parse(stdout));
      } catch (error) {
        reject(error);
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(event));
  });
}

/** What all calls of an event answer: the first denial, else each change and all texts. */
async function answer(event) {
  try {
    const known = JSON.parse(readFileSync(SETTINGS, "utf8")).hooks;
    const all = {};
    for (const handler of known[event.hook_event_name] ?? []) {
      const one = await call(handler, event);
      if (one.decision === "deny" || all.decision !== "ask") Object.assign(all, { decision: one.decision, reason: one.reason });
      if (one.context) all.context = [all.context, one.context].filter(Boolean).join("\n");
      for (const key of ["input", "output", "prompt"]) if (key in one) all[key] = one[key];
      if (all.decision === "deny") break;
      if (one.input) event = { ...event, tool_input: one.input };
    }
    return all;
  } catch (error) {
    return { decision: "deny", reason: `hookc cannot decide: ${error.message}. Run \`hookc doctor\`` };
  }
}

/** Makes an object equal to another one: agents keep the object that they have given. */
function replace(old, other) {
  for (const key of Object.keys(old)) delete old[key];
  Object.assign(old, other);
}

/** A tool's new output as text. */
function text(output) {
  return typeof output === "string" ? output : JSON.stringify(output);
}
