// The Chromium that the tests use.
import { existsSync } from "node:fs";

/** The one that CHROMIUM names, or that of the system; undefined if there is none. */
export const BROWSER = [
  process.env.CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== "" && existsSync(path));
