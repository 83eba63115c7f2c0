import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import { type GuardedChild, startGuardedChild } from "../../deploy/embedded/guardedChild.ts";
import { tempHome } from "../../test/support/tempHome.ts";
import { systemClock } from "../kernel/clock.ts";
import { loadConfig } from "../kernel/config.ts";
import { lookAtStream } from "../repair/readStream.ts";
import type { CliContext } from "./context.ts";
import { withLedgerStores } from "./ledgerStores.ts";

const home = tempHome();
let server: GuardedChild | null = null;
afterAll(async () => {
  await server?.kill();
  home.remove();
});

it("a server that does not answer for its streams is told with a code and what to do, not in the client's words", async () => {
  const port = await freeLoopbackPort(null);
  const file = join(home.path, "nats.conf");
  writeFileSync(file, JSON.stringify({ host: "127.0.0.1", port }));
  server = await startGuardedChild({
    command: "nats-server",
    args: ["-c", file],
    cwd: home.path,
    logFile: join(home.path, "nats.log"),
    pidFile: join(home.path, "nats.pid"),
  });
  const env = {
    CAZI_HOME: home.path,
    NATS_URL: `nats://127.0.0.1:${port}`,
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
  };
  const { config } = loadConfig(env, () => "");
  const context = { clock: systemClock, settings: () => ({ config }) } as unknown as CliContext;
  const asked = withLedgerStores(context, ({ nats }) => lookAtStream(nats, "LEDGER_0"));
  await expect(asked).rejects.toMatchObject({
    code: "NATS_WITHOUT_JETSTREAM",
    hint: expect.stringContaining("JetStream"),
  });
});
