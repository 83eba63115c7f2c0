/** `npm run chaos`: sets up what the faults need, builds, and makes them happen; see test/chaos/README.md. */
import { fileURLToPath } from "node:url";
import { runTool } from "./bootstrap/runTool.mjs";
import {
  dockerEngine,
  nativePostgres,
  natsServer,
  networkTools,
  staticBusybox,
} from "./bootstrap/systemParts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
await runTool(root, {
  main: "test/chaos/main.ts",
  parts: [natsServer, dockerEngine, staticBusybox, nativePostgres, networkTools],
});
