/** graphile-worker on Postgres. */
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { measurePeer } from "./measurePeer.mjs";

await measurePeer(async (told, server) => {
  const common = { connectionString: server, logger: new Logger(() => () => {}) };
  const utils = await makeWorkerUtils(common);
  await utils.migrate();
  const runner = await run({
    ...common,
    concurrency: 20,
    maxPoolSize: 25,
    noHandleSignals: true,
    taskList: { nothing: async (payload) => told.started(payload.id) },
  });
  runner.events.on("job:complete", ({ job }) => told.done(job.payload.id));
  return {
    inFlight: 256,
    enqueue: (id) => utils.addJob("nothing", { id }),
    stop: async () => {
      await runner.stop();
      await utils.release();
    },
  };
});
