#!/usr/bin/env node
// Starts the program of this platform with the arguments, streams and signals of this process, and ends as it ends.
// A hook should call the program itself, which starts in a millisecond: `hookc install` writes its path.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const platform = `${process.platform}-${process.arch}`;
const name = `@hookc/cli-${platform}`;
const SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR2"];

function fail(reason) {
  console.error(`hookc: ${reason}`);
  process.exit(2);
}

function find() {
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/hookc`);
  } catch {
    return fail(`no program for ${platform}: the package ${name} is not installed (is it omitted as an optional dependency?)`);
  }
}

const program = find();
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${program} of ${name} cannot be started on ${platform}: ${error.message}`));
for (const signal of SIGNALS) {
  process.on(signal, () => {
    // A terminal has sent it to the program too.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
