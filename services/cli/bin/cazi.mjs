#!/usr/bin/env node
/** Starts the bundled command line. Plain JavaScript, so that it can say what to do before anything is built. */
import { existsSync } from "node:fs";

const program = new URL("../../../dist/cazi.js", import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write(
    "cazi: not built yet; run `npm start` once, which builds it, or `npm ci && node deploy/build.mjs`\n",
  );
  process.exitCode = 1;
}
