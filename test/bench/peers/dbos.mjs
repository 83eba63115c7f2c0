/** DBOS on Postgres: through a queue that is looked at every 50 ms, or started at once, 20 at a time. */
import { DBOS } from "@dbos-inc/dbos-sdk";
import { measurePeer } from "./measurePeer.mjs";

const direct = process.argv[3] === "direct";

await measurePeer(async (told, server) => {
  const nothing = DBOS.registerWorkflow(async (id) => told.started(id), { name: "nothing" });
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: server,
    systemDatabasePoolSize: 25,
    logLevel: "error",
  });
  await DBOS.launch();
  if (!direct) await DBOS.registerQueue("bench", { workerConcurrency: 20, minPollingIntervalMs: 50 });
  const options = direct ? {} : { queueName: "bench" };
  /** @param {string} id @param {{ getResult(): Promise<unknown> }} handle */
  const ended = (id, handle) => handle.getResult().then(() => told.done(id));
  return {
    inFlight: direct ? 20 : 256,
    enqueue: async (id) => {
      const handle = await DBOS.startWorkflow(nothing, options)(id);
      const over = ended(id, handle);
      if (direct) await over;
    },
    stop: () => DBOS.shutdown(),
  };
});
