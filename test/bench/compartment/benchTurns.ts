/** Turns and calls in the compartment beside the same source on the bare engine. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AuditLog, createAuditLog } from "../../../services/compartment/audit/auditLog.ts";
import { createGuestPool } from "../../../services/compartment/engine/guestPool.ts";
import { createRedactor } from "../../../services/compartment/membrane/redaction.ts";
import { sha256 } from "../../../services/compartment/membrane/sha256.ts";
import { alone, compared, type Figure, median } from "../figures.ts";
import { evaluateBare, loadBareEngine } from "./bareEngine.mjs";
import { openOnce } from "./runOnce.ts";

const HEAP_MB = 64;
/** Threads that stand ready for the turns of a round. */
const AHEAD = 10;
const THREE_CALLS = `for (let n = 0; n < 3; n++) callTool("echo", { n, text: "some text" });`;
const MANY = 1000;
const MANY_CALLS = `for (let n = 0; n < ${MANY}; n++) callTool("echo", { n, text: "some text" });`;
const ECHO = ["--tool=echo"];

export interface TurnOptions {
  readonly folder: string;
  readonly rounds: number;
}

const noEvents = { context: {}, onEvent: () => {}, onCall: (_tool: string, args: unknown) => args };

/** A turn with three calls, from threads that were started before, and from none. */
export async function benchTurns({ folder, rounds }: TurnOptions): Promise<Figure[]> {
  const bare = await loadBareEngine();
  const [warm, cold]: [{ value: number; control: number }[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const guests = createGuestPool({ ahead: 0 });
    for (let n = 0; n < AHEAD; n++) guests.warm(HEAP_MB);
    await threadsAreUp();
    const [ours, controls]: [number[], number[]] = [[], []];
    for (let n = 0; n < AHEAD; n++) {
      const opened = await openOnce(guests, folder, THREE_CALLS, ECHO);
      ours.push(await msOf(() => opened.run()));
      await threadIsDown();
      controls.push(await msOf(() => evaluateBare(bare, THREE_CALLS, noEvents)));
    }
    warm.push({ value: median(ours), control: median(controls) });
    const opened = await openOnce(guests, folder, THREE_CALLS, ECHO);
    cold.push(await msOf(() => opened.run()));
    await threadIsDown();
  }
  return [
    compared({
      name: "turn with three calls, from a thread that was ready",
      unit: "ms",
      controlName: "bare engine, a context of its own",
      target: { of: "ratio", is: "at most", value: 5 },
      rounds: warm,
    }),
    alone("turn with three calls, without a thread that was ready", "ms", cold, {
      of: "value",
      is: "at most",
      value: 90,
    }),
  ];
}

/** A thousand calls in a turn, beside a host function that writes the same records. */
export async function benchCalls({ folder, rounds }: TurnOptions): Promise<Figure> {
  const bare = await loadBareEngine();
  const both: { value: number; control: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const guests = createGuestPool({ ahead: 0 });
    guests.warm(HEAP_MB);
    await threadsAreUp();
    const opened = await openOnce(guests, folder, MANY_CALLS, ECHO);
    const value = await msOf(() => opened.run());
    await threadIsDown();
    const redactor = createRedactor({ fields: [], secrets: [] });
    const path = join(folder, `bare-${round}.jsonl`);
    const log = createAuditLog({ path, runId: "bare", redactor, elapsedMs: () => performance.now() });
    const control = await msOf(() => callsWithRecords(bare, log));
    both.push({ value, control });
  }
  return compared({
    name: `${MANY} synchronous calls`,
    unit: "ms",
    controlName: "bare engine, a host function that writes the records",
    target: { of: "ratio", is: "at most", value: 2.5 },
    rounds: both,
  });
}

function callsWithRecords(bare: Awaited<ReturnType<typeof loadBareEngine>>, log: AuditLog): void {
  evaluateBare(bare, MANY_CALLS, {
    ...noEvents,
    onCall: (tool, given) => {
      const args = given as { n: number; text: string };
      const text = JSON.stringify(args);
      const [bytes, hash, call] = [Buffer.byteLength(text), sha256(text), args.n];
      log.append("tool_call", {
        tool,
        policy: "allowed",
        args,
        arg_bytes: bytes,
        args_sha256: hash,
        call,
      });
      log.append("tool_result", {
        tool,
        result: args,
        result_bytes: bytes,
        result_sha256: sha256(text),
        call,
      });
      return args;
    },
  });
  log.close();
}

/** Nothing tells: they are only looked at when they are taken. */
async function threadsAreUp(): Promise<void> {
  await sleep(2000);
}

/** A thread is taken down after its turn; what is measured next is not to be measured beside that. */
async function threadIsDown(): Promise<void> {
  await sleep(100);
}

export async function msOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
