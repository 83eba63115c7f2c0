/**
 * `npm start`: sets up what is missing, then runs Cazi in the foreground, in this very process, so that signals
 * and the exit code need no forwarding. Runs in a clean clone: only what Node itself brings is imported here.
 */
import { fileURLToPath } from "node:url";
import { withBootstrapLock } from "./bootstrap/bootstrapLock.mjs";
import { dependenciesAreCurrent, ensureDependencies } from "./bootstrap/dependencies.mjs";
import { ensureSystemParts } from "./bootstrap/ensureSystemParts.mjs";
import { requireNode } from "./bootstrap/nodeVersion.mjs";
import { fail } from "./bootstrap/speak.mjs";
import { dockerEngine, natsServer, staticBusybox } from "./bootstrap/systemParts.mjs";
import { buildIsCurrent, ensureBuild } from "./build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
try {
  requireNode(process.versions.node);
  if (!dependenciesAreCurrent(root) || !buildIsCurrent(root)) {
    await withBootstrapLock(root, async () => {
      await ensureDependencies(root);
      await ensureBuild(root);
    });
  }
  await ensureSystemParts([natsServer, dockerEngine, staticBusybox], process.env);
} catch (error) {
  fail(error);
}
const program = `${root}/dist/cazi.js`;
process.argv = [process.execPath, program, "up", ...process.argv.slice(2)];
await import(program);
