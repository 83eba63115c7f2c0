/**
 * `npm run bench`: sets up what the benches need, builds, and runs them. Arguments go to them; see
 * test/bench/README.md. A running `npm start` is not touched, but it takes its share of the cores.
 */
import { fileURLToPath } from "node:url";
import { runTool } from "./bootstrap/runTool.mjs";
import {
  dockerEngine,
  nativePostgres,
  natsServer,
  redisServer,
  staticBusybox,
} from "./bootstrap/systemParts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const named = process.argv.includes("peers") ? [redisServer] : [];
await runTool(root, {
  main: "test/bench/main.ts",
  parts: [natsServer, dockerEngine, staticBusybox, nativePostgres, ...named],
});
