// `types/` is what `npm run types` makes of `src/`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("the types are current", () => {
  const root = new URL("..", import.meta.url).pathname;
  const folder = mkdtempSync(join(tmpdir(), "hookc-types-"));
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", root, "--outDir", folder]);
    const names = readdirSync(folder);
    assert.deepEqual(readdirSync(join(root, "types")), names);
    for (const name of names) {
      const [current, made] = [join(root, "types"), folder].map((where) => readFileSync(join(where, name), "utf8"));
      assert.equal(current, made, `types/${name} is not current: npm run types`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
