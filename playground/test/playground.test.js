// The page in Chromium. SCREENSHOTS=DIR keeps pictures.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../serve.js";
import { BROWSER } from "./browser.js";

const skip = BROWSER ? false : "no Chromium: set CHROMIUM";
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const PUSH = "hooks:\n  - {id: é_push, event: PreToolUse, when: tool_input.command starts_with 'git push', action: {type: ask, reason: 'Sure? ${tool_input.command}'}}\n";
const EVENT = '{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push <b>x</b>"}}';

/** @type {import("playwright-core").BrowserContext} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
const folder = mkdtempSync(join(tmpdir(), "hookc-chromium-"));
/** @type {string[]} */
const problems = [];

before(async () => {
  if (skip) return;
  site = await serve(0);
  const args = [...ARGS, "--disable-component-update", "--disable-sync"];
  const viewport = { width: 1280, height: 900 };
  browser = await chromium.launchPersistentContext(folder, { executablePath: BROWSER, headless: true, args, viewport });
});

after(async () => {
  await browser?.close();
  site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @param {string} url */
async function open(url) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(url);
  await page.locator("#diagnostics > *").first().waitFor();
  return page;
}

test("a decision, an explanation, a diagnostic, and a link that restores both", { skip }, async () => {
  const page = await open(site.url);
  assert.match(await page.locator("#decision").innerText(), /ask_before_push/);

  await page.locator("#policy").fill(PUSH);
  await page.locator("#event").fill(EVENT);
  const decision = page.locator("#decision");
  await decision.getByText("é_push").waitFor();
  assert.match(await decision.innerText(), /"reason": "Sure\? git push <b>x<\/b>"/);
  assert.equal(await decision.locator("b").count(), 0);
  assert.match(await page.locator("#explanation").innerText(), /✓ tool_input\.command starts_with "git push"/);
  await shoot(page, "decision");

  const other = await open(page.url());
  assert.equal(await other.locator("#policy").inputValue(), PUSH);
  assert.equal(await other.locator("#event").inputValue(), EVENT);
  await other.locator("#decision").getByText("é_push").waitFor();
  await other.close();

  await page.locator("#policy").fill(PUSH.replace("type: ask", "type: askk"));
  const diagnostics = page.locator("#diagnostics");
  await diagnostics.getByText("unknown action kind `askk`").waitFor();
  assert.match(await diagnostics.innerText(), /error E0406/);
  await shoot(page, "diagnostic");
  await diagnostics.locator("button").first().click();
  const selected = () => {
    const area = /** @type {HTMLTextAreaElement} */ (document.getElementById("policy"));
    return area.value.slice(area.selectionStart, area.selectionEnd);
  };
  assert.equal(await page.evaluate(selected), "askk");
  await diagnostics.locator("button.fix").first().click();
  await page.locator("#decision").getByText("é_push").waitFor();
  assert.equal(await page.locator("#policy").inputValue(), PUSH);
  assert.deepEqual(problems, []);
});

test("an invalid event and a damaged link are shown", { skip }, async () => {
  const page = await open(site.url);
  await page.locator("#event").fill('{"a": }');
  await page.locator("#decision").getByText("No decision. 1:7").waitFor();
  await page.close();
  for (const hash of ["#v1=AAAA", "#v1=%", "#other"]) {
    const damaged = await open(site.url + hash);
    assert.match(await damaged.locator("#status").innerText(), /The link cannot be read/);
    assert.match(await damaged.locator("#policy").inputValue(), /ask_before_push/);
    await damaged.close();
  }
  assert.deepEqual(problems, []);
});

test("every example does what its name says", { skip }, async () => {
  const page = await open(site.url);
  const names = await page.locator("#examples option").allInnerTexts();
  for (const name of names) {
    await page.locator("#examples").selectOption({ label: name });
    const expected = name === "A mistake" ? page.locator("#diagnostics .error") : page.locator("#decision .hook");
    await expected.first().waitFor();
    assert.equal(await page.locator("#diagnostics .error").count() > 0, name === "A mistake", name);
  }
  assert.deepEqual(problems, []);
});

/**
 * A picture for people, if SCREENSHOTS names a directory.
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
async function shoot(page, name) {
  const where = process.env.SCREENSHOTS;
  if (where) await page.screenshot({ path: join(where, `${name}.png`), fullPage: true });
}
