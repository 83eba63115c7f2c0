import { openGround } from "../../deploy/compose/openGround.ts";
import type { Ground } from "../../deploy/compose/roles/role.ts";
import { systemClock } from "../../services/kernel/clock.ts";
import { loadConfig } from "../../services/kernel/config.ts";
import { createLog } from "../../services/kernel/log.ts";
import { connectNats } from "../../services/kernel/nats/connectNats.ts";
import { subjects } from "../../streams/subjects.ts";
import { tempHome } from "./tempHome.ts";

/** Times short enough for a test; everything else is the default. */
const quick = {
  CAZI_BEAT_SECONDS: "1",
  CAZI_LEASE_SECONDS: "2",
  CAZI_NODE_OFFLINE_SECONDS: "4",
  CAZI_NODE_LOST_GRACE_SECONDS: "2",
  CAZI_STOP_GRACE_SECONDS: "1",
  CAZI_DUE_MARGIN_SECONDS: "1",
};

/**
 * The ground of a process on a test's NATS server, without Postgres: what would answer for the copy in Postgres
 * says that there is none to lose.
 */
export async function groundOnNats(
  server: { readonly url: string; readonly credsFile: string },
  env: Readonly<Record<string, string>> = {},
): Promise<Ground> {
  const home = tempHome();
  const { config } = loadConfig({ ...quick, CAZI_HOME: home.path, ...env }, () => "");
  const log = createLog(process.env.TEST_LOG ?? "silent", "test");
  const guard = await connectNats({ ...server, name: "guard", firstWaitMs: 5_000 });
  guard.connection.subscribe(subjects.guard({ shard: 0 }), {
    callback: (_error, message) => message.respond('{"answer":"ok"}'),
  });
  await guard.connection.flush();
  const ground = await openGround({
    config,
    clock: systemClock,
    log,
    tell: () => undefined,
    nats: server,
    home: "",
  });
  return {
    ...ground,
    stop: async () => {
      await ground.stop();
      await guard.close();
      home.remove();
    },
  };
}
