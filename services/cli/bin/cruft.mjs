#!/usr/bin/env node
/** `cruft agent …` is `cazi agent …`. */
if (process.argv[2] !== "agent") process.argv.splice(2, 0, "agent");
await import("./cazi.mjs");
