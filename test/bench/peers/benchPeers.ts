import { setTimeout as pause } from "node:timers/promises";
import { hasNativePostgres } from "../../support/nativePostgres.ts";
import { waitFor } from "../../support/waitFor.ts";
import { type BenchResult, compared, type Figure, median } from "../figures.ts";
import { wallClockOffsetMs } from "../idle/ledgerTimes.ts";
import { openApiClient } from "../system/apiClient.ts";
import { progress } from "../system/progress.ts";
import { startUp } from "../system/runningUp.ts";
import { echoSpec } from "../system/specs.ts";
import { connectBeside, driveTasks } from "../throughput/driveTasks.ts";
import {
  type PeerServer,
  restateProgram,
  startPeerPostgres,
  startRedis,
  startRestate,
} from "./peerServers.ts";
import { installPeers, type PeerFigures, runPeer } from "./runPeer.ts";

export interface PeersOptions {
  readonly rounds: number;
  readonly jobs: number;
  readonly idle: number;
  readonly settings: Readonly<Record<string, string>>;
}

interface Peer {
  readonly name: string;
  /** What it promises and what it keeps, to be read beside its figures. */
  readonly keeps: string;
  readonly program: readonly [string, ...string[]];
  /** Null where it cannot be had. */
  readonly start: (() => Promise<PeerServer>) | null;
  /** Cazi should be at least this many times as fast with the whole record. */
  readonly atLeast: number | null;
}

const atOnce = 20;
const inFlight = 256;
const restMs = 60;
const warmIdle = 5;

/** The same job that does nothing, 20 at once and then alone, in Cazi and in what a user might pick instead. */
export async function benchPeers(options: PeersOptions): Promise<BenchResult> {
  await installPeers();
  const all = peers();
  const measured = new Map<string, PeerFigures[]>();
  const note = (name: string, figures: PeerFigures) => {
    measured.set(name, [...(measured.get(name) ?? []), figures]);
    progress(`${name}: ${figures.perSecond.toFixed(0)} jobs/s, start after ${figures.startMs.toFixed(1)} ms`);
  };
  for (let round = 0; round < options.rounds; round++) {
    note("Cazi", await measureCazi(options));
    for (const { name, program, start } of all) {
      if (start === null) continue;
      const server = await start();
      try {
        note(name, await runPeer(program, { ...options, server: server.address }));
      } finally {
        await server.stop();
      }
    }
  }
  const cazi = measured.get("Cazi")!;
  return {
    figures: all.flatMap((peer) => besideOne(peer, cazi, measured.get(peer.name))),
    details: {
      peers: Object.fromEntries([
        [
          "Cazi",
          { keeps: "every event, report and log chunk; page cache, Postgres synced", ...medians(cazi) },
        ],
        ...all.map((peer) => {
          const own = measured.get(peer.name);
          return [peer.name, { keeps: peer.keeps, ...(own ? medians(own) : { not: "available here" }) }];
        }),
      ]),
    },
  };
}

function peers(): readonly Peer[] {
  const restate = restateProgram();
  const postgres = hasNativePostgres ? startPeerPostgres : null;
  return [
    {
      name: "BullMQ",
      keeps: "no history; each write synced by Redis",
      program: ["bullmq.mjs"],
      start: startRedis,
      atLeast: null,
    },
    {
      name: "graphile-worker",
      keeps: "no history; Postgres synced",
      program: ["graphileWorker.mjs"],
      start: postgres,
      atLeast: null,
    },
    {
      name: "DBOS, queue",
      keeps: "journal; Postgres synced",
      program: ["dbos.mjs", "queue"],
      start: postgres,
      atLeast: 1,
    },
    {
      name: "DBOS, direct",
      keeps: "journal; Postgres synced",
      program: ["dbos.mjs", "direct"],
      start: postgres,
      atLeast: 1,
    },
    {
      name: "Restate",
      keeps: "journal; synced",
      program: ["restate.mjs"],
      start: restate === null ? null : () => startRestate(restate),
      atLeast: 1,
    },
  ];
}

function besideOne(
  peer: Peer,
  cazi: readonly PeerFigures[],
  own: readonly PeerFigures[] | undefined,
): Figure[] {
  if (own === undefined) return [];
  const rounds = (of: keyof PeerFigures) =>
    own.map((one, round) => ({ value: cazi[round]![of], control: one[of] }));
  return [
    compared({
      name: `jobs a second, ${atOnce} at once`,
      unit: "",
      controlName: peer.name,
      target: peer.atLeast === null ? null : { of: "ratio", is: "at least", value: peer.atLeast },
      rounds: rounds("perSecond"),
    }),
    compared({
      name: "idle enqueue to start",
      unit: "ms",
      controlName: peer.name,
      target: null,
      rounds: rounds("startMs"),
    }),
  ];
}

function medians(all: readonly PeerFigures[]): PeerFigures {
  return {
    perSecond: median(all.map((one) => one.perSecond)),
    startMs: median(all.map((one) => one.startMs)),
  };
}

/** No-op tasks on a node with 20 slots; a task is done when Postgres and the public feed have its last event. */
async function measureCazi(options: PeersOptions): Promise<PeerFigures> {
  const up = await startUp({
    postgres: hasNativePostgres ? "native" : "embedded",
    nodeArgs: [],
    program: null,
    settings: { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: String(atOnce), ...options.settings },
  });
  const client = openApiClient(up);
  const connection = await connectBeside(up.nats);
  try {
    await waitFor("the first submit to be taken", () => client.submit(echoSpec), { pollMs: 500 });
    const drive = (count: number) =>
      driveTasks(connection, client, { spec: echoSpec, count, inFlight, read: async () => null });
    await drive(Math.ceil(options.jobs / 4));
    const { ms } = await drive(options.jobs);
    const starts: number[] = [];
    for (let i = -warmIdle; i < options.idle; i++) {
      await pause(restMs);
      const began = wallClockOffsetMs() + performance.now();
      const task = await client.waitForEnd(await client.submit(echoSpec));
      // The node notes whole milliseconds.
      if (i >= 0) starts.push(Date.parse(task.started_at) + 0.5 - began);
    }
    return { perSecond: (options.jobs * 1000) / ms, startMs: median(starts) };
  } finally {
    client.close();
    await connection.close();
    await up.stop();
  }
}
