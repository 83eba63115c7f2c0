import { headers } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LogEntry, type TaskLogsQuery, taskLogsQuery } from "../../../schemas/api/logEntry.ts";
import { logHeaders } from "../../../schemas/messages/node.ts";
import { type LogStream, subjects } from "../../../streams/subjects.ts";
import { ledgerOnNats, submitCommand } from "../../../test/support/ledgerOnNats.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { systemClock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import { createLogSource, type LogSource } from "../../kernel/logs/logSource.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { noSecrets, SecretSet } from "../../kernel/redaction/secretMasker.ts";
import { followLog } from "./followLog.ts";
import { LogPlaces } from "./logPlaces.ts";
import { type LogPosition, parsePosition } from "./logPosition.ts";
import { logQuestion } from "./logQuestion.ts";
import { readLogPage } from "./readLogPage.ts";

const tenant = "default";
const chunkBytes = 128 * 1024;
const start = Date.parse("2026-01-01T00:00:00Z");
/** Chunks were read a second apart. */
const stepMs = 1_000;
const lineBytes = 64;
const chunks = Number(process.env.LOG_MIB ?? 12) * 8;
const lines = (chunks * chunkBytes) / lineBytes;
/** Less than a request may, so that little output takes several. */
const scanBytesMax = process.env.LOG_MIB ? undefined : 4 * 1024 * 1024;
const needle = "the needle, here";

const server = withNats();
let nats: Nats;
let ledger: TaskLedger;
let logs: LogSource;
/** Chunks that were read from LOGS. */
let taken = 0;
let long: string;
/** Of tasks that are followed. */
const tellEnd = new Map<string, () => void>();

beforeAll(async () => {
  ({ nats, ledger } = await ledgerOnNats(server));
  const source = createLogSource({ nats, clock: systemClock });
  const counted = async (opening: ReturnType<LogSource["read"]>) => {
    const reading = await opening;
    const all = (async function* () {
      for await (const chunk of reading.chunks) {
        taken++;
        yield chunk;
      }
    })();
    return { pending: reading.pending, chunks: all };
  };
  logs = {
    ...source,
    read: (filter, seq) => counted(source.read(filter, seq)),
    follow: (filter, seq, signal) => counted(source.follow(filter, seq, signal)),
  };
  long = await longTask();
}, 60_000);
afterAll(() => nats.close());

function ports() {
  return {
    ledger,
    logs,
    clock: systemClock,
    pendingReason: () => null,
    places: new LogPlaces(),
    scanBytesMax,
    connections: {
      secrets: async (_tenant: string, names: readonly string[]) =>
        names.length === 0 ? noSecrets : new SecretSet([Buffer.from("hunter2secret")]),
    },
    ends: {
      ended: (task: string, signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
          tellEnd.set(task, resolve);
        }),
      stop: async () => undefined,
    },
    stopping: new AbortController().signal,
  } as unknown as Parameters<typeof readLogPage>[0] & Parameters<typeof followLog>[0];
}

/** A task on node n1 that was granted its first attempt. */
async function granted(connections: readonly string[] = []) {
  const task = newId(Date.now());
  const key = { tenant, task };
  const spec = JSON.stringify({ image: "cazi/toolbox:latest", connections });
  await ledger.execute(key, submitCommand(spec));
  const at = Date.now();
  await ledger.execute(key, { kind: "schedule", node: "n1", id: newId(at), at });
  const { state } = await ledger.load(key);
  if (state.status !== "scheduled") throw new Error(`the task is ${state.status}`);
  const { fence } = state;
  await ledger.execute(key, { kind: "grant", node: "n1", fence, attempt: 1, id: newId(at), at });
  const end = async (stored: { stdout: number; stderr?: number }) => {
    await ledger.execute(key, {
      kind: "report",
      id: newId(Date.now()),
      at: Date.now(),
      jitter: 0,
      report: {
        ...{
          ...key,
          node: "n1",
          fence,
          attempt: 1,
          revision: 1,
          not_started: null,
          started_at: at,
          pull: null,
        },
        image: { ref: "cazi/toolbox:latest", repo_digest: null, image_id: "sha256:abc" },
        ended: {
          ...{ exit_code: 0, signal: null, oom_killed: false, stopped_by: null, failure: null },
          ...{ finished_at: at, message: null },
        },
        logs: {
          stdout: { stored: stored.stdout, dropped: 0 },
          stderr: { stored: stored.stderr ?? 0, dropped: 0 },
        },
      },
    });
    tellEnd.get(task)?.();
  };
  return { task, end };
}

function store(
  task: string,
  offset: number,
  bytes: string | Buffer,
  of: { at?: number; stream?: LogStream } = {},
) {
  const own = headers();
  own.set(logHeaders.offset, String(offset));
  own.set(logHeaders.at, String(of.at ?? start));
  const subject = subjects.log({ node: "n1", task, attempt: 1, stream: of.stream ?? "stdout" });
  return nats.js.publish(subject, Buffer.from(bytes as string), { headers: own });
}

/** An output of many lines of 64 bytes, each with its number, and few of stderr that come far apart. */
async function longTask(): Promise<string> {
  const { task, end } = await granted();
  const filler = "x".repeat(lineBytes - 11);
  await store(task, 0, "begun ", { stream: "stderr" });
  for (let from = 0; from < chunks; from += 64) {
    const stored: Promise<unknown>[] = [];
    for (let n = from; n < Math.min(chunks, from + 64); n++) {
      const first = (n * chunkBytes) / lineBytes;
      let text = "";
      for (let line = first; line < first + chunkBytes / lineBytes; line++) {
        text +=
          line === lines - 3_000
            ? `${needle}${"-".repeat(lineBytes - needle.length - 1)}\n`
            : `${numbered(line)}${filler}\n`;
      }
      stored.push(store(task, n * chunkBytes, text, { at: start + n * stepMs }));
    }
    await Promise.all(stored);
  }
  await store(task, 6, "and ended\n", { stream: "stderr", at: start + chunks * stepMs });
  await end({ stdout: chunks * chunkBytes, stderr: 16 });
  return task;
}

const numbered = (line: number) => `${String(line).padStart(9, "0")} `;
const numbersOf = (entries: readonly LogEntry[]) => entries.map((one) => Number(one.text.slice(0, 9)));
const textsOf = (entries: readonly LogEntry[]) => entries.map((one) => one.text);
const time = (ms: number) => new Date(ms).toISOString();

function read(task: string, query: Partial<TaskLogsQuery>) {
  taken = 0;
  return readLogPage(ports(), { tenant, task }, taskLogsQuery.parse(query));
}

/** All pages of a question, as the command line reads them. */
async function readAll(task: string, query: Partial<TaskLogsQuery>) {
  const found: LogEntry[] = [];
  let pages = 0;
  const { since, offset, ...rest } = query;
  for (let from: Partial<TaskLogsQuery> = { since, offset }; ; pages++) {
    const page = await read(task, { ...rest, ...from });
    found.push(...page.data);
    if (pages > 100) throw new Error("the pages have no end");
    if (page.next_cursor === null || (page.data.length === 0 && !page.partial))
      return { found, pages: pages + 1 };
    from = { after: page.next_cursor };
  }
}

async function follow(
  task: string,
  query: Partial<TaskLogsQuery>,
  stop: { after?: number; resumed?: LogPosition } = {},
) {
  const gone = new AbortController();
  const asked = logQuestion(
    taskLogsQuery.parse({ ...query, follow: true }),
    Date.now(),
    stop.resumed ?? null,
  );
  const entries: LogEntry[] = [];
  let ended = false;
  for await (const step of followLog(ports(), { tenant, task }, asked, gone.signal)) {
    if (step.kind === "entries") entries.push(...step.entries);
    if (step.kind === "end") ended = true;
    if (entries.length >= (stop.after ?? Number.POSITIVE_INFINITY)) break;
  }
  gone.abort();
  return { entries, ended };
}

describe("reading a long output", () => {
  it("costs its last lines no more than they are long, a line that began far before included", async () => {
    const { data, next_cursor } = await read(long, { tail: 3 });
    expect(textsOf(data).at(-1)).toBe("begun and ended");
    expect(numbersOf(data.slice(0, 2))).toEqual([lines - 2, lines - 1]);
    expect(next_cursor).toBeNull();
    expect(taken).toBeLessThan(24);
    const both = await read(long, { tail: 1000, stream: "stdout" });
    expect(numbersOf(both.data)).toEqual(Array.from({ length: 1000 }, (_, n) => lines - 1000 + n));
  });

  it("begins at any byte, and goes on from any position, without what is before", async () => {
    const offset = Math.floor(lines / 2) * lineBytes;
    const page = await read(long, { offset: offset + 60, stream: "stdout", limit: 3 });
    expect(textsOf(page.data)[0]).toBe("xxx");
    expect(numbersOf(page.data.slice(1))).toEqual([lines / 2 + 1, lines / 2 + 2]);
    const next = await read(long, { after: page.next_cursor!, stream: "stdout", limit: 1 });
    expect(numbersOf(next.data)).toEqual([lines / 2 + 3]);
    expect(taken).toBeLessThan(24);
    const followed = await follow(long, { offset, stream: "stdout" }, { after: 1 });
    expect(numbersOf(followed.entries)[0]).toBe(lines / 2);
  });

  it("costs the next page the same however far it is, where a line of the other stream has not ended", async () => {
    const own = ports();
    let after: string | undefined;
    const [seen, costs]: [number[], number[]] = [[], []];
    for (let pages = 0; pages < 8; pages++) {
      taken = 0;
      const query = taskLogsQuery.parse({ limit: 10_000, after });
      const page = await readLogPage(own, { tenant, task: long }, query);
      costs.push(taken);
      seen.push(...numbersOf(page.data));
      after = page.next_cursor!;
    }
    expect(seen).toEqual(Array.from({ length: 80_000 }, (_, n) => n));
    // What a page gives lies in six chunks, and the line began a few before them or is read apart.
    expect(Math.max(...costs)).toBeLessThan(16);
  });

  it("shows what was read from a time on and before another, the first included and the second not", async () => {
    const [from, to] = [chunks - 40, chunks - 38];
    const query = {
      since: time(start + from * stepMs),
      until: time(start + to * stepMs),
      stream: "stdout",
    } as const;
    const { found } = await readAll(long, { ...query, limit: 1000 });
    const perChunk = chunkBytes / lineBytes;
    expect(numbersOf(found)).toEqual(Array.from({ length: 2 * perChunk }, (_, n) => from * perChunk + n));
    expect((await read(long, { since: "1s" })).data).toEqual([]);
    expect((await read(long, { until: time(start) })).data).toEqual([]);
    const tail = await read(long, { tail: 1000, since: time(start + chunks * stepMs - 1) });
    expect(tail.data).toEqual([]);
  });

  it("looks through so much a request, and says so until the text is found", async () => {
    const first = await read(long, { grep: needle });
    expect(first).toMatchObject({ data: [], partial: true });
    const began = performance.now();
    const { found, pages } = await readAll(long, { grep: "THE NEEDLE", ignore_case: true });
    const seconds = (performance.now() - began) / 1000;
    expect(textsOf(found)).toEqual([`${needle}${"-".repeat(lineBytes - needle.length - 1)}`]);
    expect(pages).toBeGreaterThan(1);
    if (process.env.LOG_MIB) {
      const exact = performance.now();
      await readAll(long, { grep: needle });
      const exactSeconds = (performance.now() - exact) / 1000;
      const tailed = performance.now();
      await read(long, { tail: 10 });
      console.log({
        insensitive: chunks / 8 / seconds,
        exact: chunks / 8 / exactSeconds,
        tailMs: performance.now() - tailed,
      });
    }
    const last = await read(long, { grep: needle, tail: 5 });
    expect(last.data).toHaveLength(1);
    expect(last.partial).toBe(true);
    expect(
      (await follow(long, { grep: needle, since: time(start + (chunks - 30) * stepMs) })).entries,
    ).toHaveLength(1);
  });
});

describe("looking for text", () => {
  it("comes to its end past what another node stored of the task", async () => {
    const { task, end } = await granted();
    const foreign = Buffer.alloc(chunkBytes * 4, "x");
    const storeForeign = (n: number) => {
      const own = headers();
      own.set(logHeaders.offset, String(1e12 + n * foreign.length));
      const subject = subjects.log({ node: "n2", task, attempt: 1, stream: "stdout" });
      return nats.js.publish(subject, foreign, { headers: own });
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => storeForeign(n)));
    await store(task, 0, "the line\n");
    await end({ stdout: 9 });
    const own = ports();
    let after: string | undefined;
    for (let pages = 0; pages < 5; pages++) {
      const page = await readLogPage(own, { tenant, task }, taskLogsQuery.parse({ grep: "line", after }));
      if (page.data.length > 0) return expect(textsOf(page.data)).toEqual(["the line"]);
      after = page.next_cursor ?? undefined;
    }
    throw new Error("the line was not found");
  });

  it("finds it across the border of chunks, of characters and of the pieces of a very long line", async () => {
    const { task, end } = await granted();
    const text = Buffer.from(`grün und €uro\n${"a".repeat(65_530)}Straße nach Hause\nother\n`);
    const cuts = [0, 3, 12, 30, 65_536 + 15, 65_536 + 17, text.length];
    for (let n = 1; n < cuts.length; n++)
      await store(task, cuts[n - 1]!, text.subarray(cuts[n - 1], cuts[n]));
    await end({ stdout: text.length });
    const grep = async (of: string, ignore_case = false) =>
      (await read(task, { grep: of, ignore_case })).data;
    expect(textsOf(await grep("grün und €"))).toEqual(["grün und €uro"]);
    expect(textsOf(await grep("GRÜN", true))).toEqual(["grün und €uro"]);
    expect(await grep("GRÜN")).toEqual([]);
    expect((await grep("aaaStraße nach")).map((one) => one.ending)).toEqual(["newline"]);
    expect(textsOf(await grep(".*"))).toEqual([]);
  });

  it("does not tell whether a secret was printed, whichever way the output is read", async () => {
    const { task, end } = await granted(["db"]);
    await store(task, 0, "pass hun");
    await store(task, 8, "ter2secret ok\nnext\n");
    await end({ stdout: 27 });
    for (const grep of ["hunter2secret", "hunter2", "pass hun", "secret ok", "2s"]) {
      expect((await read(task, { grep })).data, grep).toEqual([]);
      expect((await read(task, { grep, tail: 5 })).data, grep).toEqual([]);
      expect((await read(task, { grep, offset: 10, stream: "stdout" })).data, grep).toEqual([]);
      expect((await follow(task, { grep })).entries, grep).toEqual([]);
    }
    const masked = "pass ************* ok";
    expect(textsOf((await read(task, { grep: "* ok" })).data)).toEqual([masked]);
    expect(textsOf((await read(task, { offset: 10, stream: "stdout" })).data)).toEqual([
      masked.slice(10),
      "next",
    ]);
    expect(textsOf((await read(task, { tail: 2 })).data)).toEqual([masked, "next"]);
    expect(textsOf((await follow(task, { tail: 2 })).entries)).toEqual([masked, "next"]);
  });

  it("goes on in a follower that comes back, each line once, and shows a line when it is whole", async () => {
    const { task, end } = await granted();
    await store(task, 0, "hit one\nmiss\nhit t");
    const first = await follow(task, { grep: "hit", since: time(start) }, { after: 1 });
    expect(textsOf(first.entries)).toEqual(["hit one"]);
    const resumed = parsePosition(first.entries[0]!.position)!;
    const second = follow(task, { grep: "hit", since: time(start) }, { resumed });
    await store(task, 18, "wo\nmiss\n", { at: start - 60_000 });
    await store(task, 26, "a hit at the end");
    await end({ stdout: 42 });
    expect(await second).toMatchObject({
      entries: [{ text: "hit two" }, { text: "a hit at the end" }],
      ended: true,
    });
  });
});
