// Opens every page of `site/out` in Chromium: no dead link, no error on the console, no request to another origin; and
// the search finds every code, verb, operator and event by its name.
//
//     node site/browse.js    # needs the packages of the playground; HOOKC names the program, CHROMIUM the browser
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "../playground/node_modules/playwright-core/index.mjs";
import { BROWSER } from "../playground/test/browser.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(ROOT, "site/out");
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
/** @type {Record<string, string>} */
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
  ".woff2": "font/woff2", ".md": "text/markdown", ".txt": "text/plain" };
const TABS = 3;
/** @type {string[]} */
const problems = [];

/** A server of the site, on this machine only. */
function serve() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
    try {
      const body = readFileSync(join(OUT, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
    } catch {
      response.writeHead(404).end("not found\n");
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** @returns {string[]} the pages, each with its path from the root of the site */
function pages() {
  const found = readdirSync(OUT, { recursive: true }).map(String).filter((name) => name.endsWith(".html"));
  return found.filter((name) => !["404.html", "print.html", "toc.html"].includes(name)).sort();
}

/** What can be looked for: a name, and what the address of one of the pages found starts with. */
function names() {
  const codes = readdirSync(join(ROOT, "schema/codes")).map((name) => name.replace(".md", ""));
  const data = join(ROOT, "schema/data");
  const events = readdirSync(data).filter((name) => name.startsWith("events-"))
    .flatMap((name) => Object.keys(JSON.parse(readFileSync(join(data, name), "utf8")).events));
  const operators = Object.keys(JSON.parse(readFileSync(join(data, "operators.json"), "utf8")));
  const help = execFileSync(process.env.HOOKC ?? "hookc", ["--help"], { encoding: "utf8" });
  const verbs = [...help.matchAll(/^ {2,4}([a-z][a-z-]+) {2,}/gm)].map((match) => match[1]);
  return { codes, verbs, operators, events };
}

/**
 * @param {import("playwright-core").BrowserContext} browser
 * @param {string} origin
 */
async function tab(browser, origin) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
  page.on("console", (message) => message.type() === "error" && problems.push(`${page.url()}: ${message.text()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) problems.push(`${page.url()} asks for ${url}`);
  });
  page.on("response", (response) => response.status() >= 400 && problems.push(`${page.url()}: ${response.status()} ${response.url()}`));
  return page;
}

const server = await serve();
const origin = `http://127.0.0.1:${server.address().port}`;
const folder = mkdtempSync(join(tmpdir(), "hookc-site-"));
const browser = await chromium.launchPersistentContext(folder, { executablePath: BROWSER, headless: true, args: ARGS });
const all = pages();
const [queue, targets] = [[...all], new Map()];
await Promise.all(Array.from({ length: TABS }, async () => {
  const page = await tab(browser, origin);
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    await page.goto(`${origin}/${name}`, { waitUntil: "load" });
    const links = await page.evaluate(() => Array.from(document.querySelectorAll("a[href]"), (link) => link.href));
    const ids = await page.evaluate(() => Array.from(document.querySelectorAll("[id]"), (node) => node.id));
    targets.set(`${origin}/${name}`, { links, ids: new Set(ids) });
  }
}));
for (const [from, { links }] of targets) {
  for (const link of links.filter((link) => link.startsWith(origin))) {
    const [file, anchor] = link.split("#");
    const to = targets.get(file.split("?")[0].replace(/\/$/, "/index.html"));
    const known = to || /\.(md|txt|svg|png)$/.test(file) || file.endsWith("/print.html");
    if (!known) problems.push(`${from}: ${link} leads nowhere`);
    else if (to && anchor && !to.ids.has(decodeURIComponent(anchor))) problems.push(`${from}: ${link} has no such heading`);
  }
}

const page = await tab(browser, origin);
await page.goto(`${origin}/index.html`);
await page.keyboard.press("s");
const bar = page.locator("#mdbook-searchbar");
let looked = 0;
for (const [kind, list] of Object.entries(names())) {
  for (const name of new Set(list)) {
    looked += 1;
    await bar.fill(name);
    // The search listens to keys.
    await page.keyboard.press("End");
    const header = page.locator("#mdbook-searchresults-header", { hasText: `'${name}'` });
    const found = await header.waitFor({ timeout: 5000 }).then(() => page.locator("#mdbook-searchresults li").evaluateAll(
      (items) => items.map((item) => ({ text: item.textContent ?? "", link: item.querySelector("a")?.href ?? "" }))), () => []);
    const is = ({ text, link }) => kind === "codes" ? link.includes(`/codes/${name}.html`) : text.toLowerCase().includes(name.toLowerCase());
    if (!found.some(is)) problems.push(`the search finds no page of ${name} (${kind}) among ${found.length}`);
  }
}
await browser.close();
server.close();
rmSync(folder, { recursive: true, force: true });
for (const problem of [...new Set(problems)]) console.log(problem);
if (problems.length) process.exit(1);
console.log(`${all.length} pages in ${BROWSER}: no dead link, no error, no request elsewhere; ${looked} names found`);
