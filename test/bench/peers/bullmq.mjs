/** BullMQ on Redis. The server is its unix socket; it syncs each write before it answers. */
import { Queue, Worker } from "bullmq";
import Redis from "ioredis";
import { measurePeer } from "./measurePeer.mjs";

await measurePeer(async (told, server) => {
  const connect = () => new Redis({ path: server, maxRetriesPerRequest: null });
  const queue = new Queue("bench", {
    connection: connect(),
    defaultJobOptions: { removeOnComplete: true },
  });
  const worker = new Worker("bench", async (job) => told.started(job.data.id), {
    connection: connect(),
    concurrency: 20,
  });
  worker.on("completed", (job) => told.done(job.data.id));
  await worker.waitUntilReady();
  return {
    inFlight: 256,
    enqueue: (id) => queue.add("nothing", { id }),
    stop: async () => {
      await worker.close();
      await queue.close();
    },
  };
});
