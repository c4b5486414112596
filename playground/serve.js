// Serves the playground, from the project as it is: `node playground/serve.js [PORT]`.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** What is served: the page, and the package that it uses. */
const SERVED = ["playground/index.html", "playground/style.css", "playground/src/", "bindings/node/src/", "bindings/node/wasm/"];
/** @type {Record<string, string>} */
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm" };

/**
 * A server of the page, on this machine only.
 * @param {number} port 0 for any.
 * @returns {Promise<{url: string, close: () => void}>}
 */
export function serve(port) {
  const server = createServer(async (request, response) => {
    let path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname)).slice(1);
    if (path === "" || path === join("playground", sep)) path = "playground/index.html";
    const file = join(ROOT, path);
    const known = SERVED.some((name) => path === name || (name.endsWith("/") && path.startsWith(name)));
    if (!known || !(await stat(file).catch(() => null))?.isFile()) {
      response.writeHead(404).end("not found\n");
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => {
      const address = /** @type {import("node:net").AddressInfo} */ (server.address());
      resolve({ url: `http://127.0.0.1:${address.port}/playground/`, close: () => server.close() });
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { url } = await serve(Number(process.argv[2] ?? 8000));
  console.log(url);
}
