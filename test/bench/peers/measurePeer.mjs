/** What is done to each system: many jobs that do nothing, then single ones. One process, as the job's system has it. */
import { setTimeout as pause } from "node:timers/promises";

/**
 * @typedef {object} Peer
 * @property {(id: string) => Promise<unknown>} enqueue resolves when the job is stored
 * @property {number} inFlight enqueues under way at once
 * @property {() => Promise<void>} stop
 */

/** @typedef {{ started(id: string): void, done(id: string): void }} Told what a system tells of its jobs */

/** Lets the job before come to rest. */
const restMs = 60;
const doneDeadlineMs = 120_000;

/**
 * @param {(told: Told, server: string) => Promise<Peer>} open
 * @returns {Promise<void>} when the figures are printed as the last line
 */
export async function measurePeer(open) {
  const { server, jobs, idle } = JSON.parse(process.argv[2]);
  /** @type {Map<string, number>} */
  const startedAt = new Map();
  let done = 0;
  let onDone = () => {};
  const peer = await open(
    {
      started: (id) => startedAt.set(id, performance.now()),
      done: () => {
        done++;
        onDone();
      },
    },
    server,
  );

  /** @param {string} round @param {number} count */
  async function drain(round, count) {
    const until = done + count;
    const allDone = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${until - done} jobs did not end`)), doneDeadlineMs);
      onDone = () => {
        if (done < until) return;
        clearTimeout(late);
        resolve(undefined);
      };
    });
    const began = performance.now();
    let next = 0;
    const worker = async () => {
      while (next < count) await peer.enqueue(`${round}-${next++}`);
    };
    await Promise.all([allDone, ...Array.from({ length: peer.inFlight }, worker)]);
    return (count * 1000) / (performance.now() - began);
  }

  await drain("warm", Math.ceil(jobs / 4));
  const perSecond = await drain("drain", jobs);
  /** @type {number[]} */
  const startMs = [];
  for (let i = -5; i < idle; i++) {
    await pause(restMs);
    const id = `idle-${i}`;
    const until = done + 1;
    const over = new Promise((resolve) => {
      onDone = () => done >= until && resolve(undefined);
    });
    const began = performance.now();
    await Promise.all([peer.enqueue(id), over]);
    if (i >= 0) startMs.push(startedAt.get(id) - began);
  }
  startMs.sort((a, b) => a - b);
  await peer.stop();
  process.stdout.write(
    `\n${JSON.stringify({ perSecond, startMs: startMs[Math.floor(startMs.length / 2)] })}\n`,
  );
  process.exit(0);
}
