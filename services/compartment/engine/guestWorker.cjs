/**
 * The thread that holds the engine for exactly one turn. It decides nothing about authority: each thing that the
 * program does is a blocking question to the parent, which owns effects, log, budgets of data and the clock. Here
 * are only the limits that the engine itself must count: steps, microtasks and its memory.
 * Plain JavaScript, so that a thread starts without a compiler in front of it, and no ES module: their loader takes a
 * thread as long to start as all of this.
 */
const { parentPort, receiveMessageOnPort, workerData } = require("node:worker_threads");
const { createSealedEngine } = require("./sealedEngine.cjs");

const PAGE_BYTES = 65_536;

const { port, signal } = workerData;
const flag = new Int32Array(signal, 0, 2);
const ran = new Float64Array(signal, 8, 1);
let answeredMs = performance.now();

/**
 * Asks the parent and blocks until it answers; it may never answer, and then ends this thread instead.
 * @param {unknown[]} question
 * @returns {any}
 */
function ask(question) {
  // Measured here: the parent may hear of it late, and what it was busy with is not the program's.
  ran[0] = performance.now() - answeredMs;
  port.postMessage(question);
  // Until the flag says so: the parent wakes after it has set it, and a wake-up that comes late is of the answer before.
  do Atomics.wait(flag, 0, 0);
  while (Atomics.load(flag, 0) === 0);
  answeredMs = performance.now();
  Atomics.store(flag, 0, 0);
  // Short texts stand in the shared memory (guestLink.ts).
  if (flag[1] >= 0) return Buffer.from(signal, 16, flag[1] * 2).toString("utf16le");
  return receiveMessageOnPort(port).message;
}

/** What an earlier tick of a job was answered, in order; while it lasts, the parent is not asked. */
const replay = { entries: [], at: 0 };

/**
 * The answer to a question of the program: from the journal as long as that reaches, then from the parent.
 * @param {string[]} question
 * @returns {any} undefined after the program asked something else than it did before
 */
function answerTo(question) {
  const entry = replay.entries[replay.at];
  if (entry === undefined) return ask(question);
  // Only here: loading it takes a thread longer than a short turn.
  const { createHash } = require("node:crypto");
  const hash = createHash("sha256").update(JSON.stringify(question)).digest("hex");
  if (entry[0] !== hash) {
    turn.reason ??= "divergence";
    return undefined;
  }
  replay.at++;
  return entry[1];
}

/** The engine's calendar asks this thread's Date for the local time: it is UTC on every machine. */
function fixTimeZone() {
  const prototype = Date.prototype;
  prototype.getTimezoneOffset = () => 0;
  for (const part of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"]) {
    prototype[`get${part}`] = prototype[`getUTC${part}`];
  }
}

/** What this turn has used, and whether it is over. Once `reason` is set nothing answers any more. */
const turn = { reason: null, polls: 0, pollsMax: Infinity, microtasks: 0, microtasksMax: 0, closed: false };

async function main() {
  fixTimeZone();
  // Asked for, not given at the start: this thread comes up while the parent still compiles and reads its inputs.
  const { wasmModule, preludeText, heapBytesMax, image } = ask(["engine"]);
  const memory = new WebAssembly.Memory({ initial: 256, maximum: Math.floor(heapBytesMax / PAGE_BYTES) });
  const { runtime, vm, surface, takeImage } = await createSealedEngine({
    wasmModule,
    memory,
    // Below the cap of the memory itself, so that the engine says "out of memory" before malloc fails under it.
    bytesMax: heapBytesMax - 32 * PAGE_BYTES,
    preludeText,
    host,
    image: image === "take" ? null : image,
  });
  if (image === "take") port.postMessage(["image", takeImage()]);
  runtime.setModuleLoader(loadModule, moduleName);
  const heapSoftMax = heapBytesMax - Math.max(64 * PAGE_BYTES, Math.floor(heapBytesMax / 16));
  const overHeap = () => memory.buffer.byteLength > heapSoftMax;
  watchGrowth(memory, overHeap);

  const given = ask(["ready"]);
  packageMains = new Map(Object.entries(given.packageMains));
  call(vm, surface.begin, given.begin);
  turn.pollsMax = given.pollsMax ?? Infinity;
  turn.microtasksMax = given.microtasksMax;
  replay.entries = given.replay;
  runtime.setInterruptHandler(() => {
    turn.polls++;
    if (turn.polls > turn.pollsMax) turn.reason ??= "step_budget_exceeded";
    if (overHeap()) turn.reason ??= "memory_heap_exceeded";
    return turn.reason !== null;
  });
  const outcome = runProgram(vm, runtime, surface, given, overHeap);
  ask([
    "end",
    {
      ...outcome,
      replayed: replay.at,
      polls: turn.polls,
      microtasks: turn.microtasks,
      heapBytes: memory.buffer.byteLength,
    },
  ]);
}

/**
 * A program that catches "out of memory" in a tight loop may reach no poll for seconds: the parent is told at the moment
 * that the memory grows over the budget, and ends the thread.
 */
function watchGrowth(memory, overHeap) {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    const before = grow(pages);
    if (overHeap() && turn.reason === null) {
      turn.reason = "memory_heap_exceeded";
      parentPort.postMessage(["heap", memory.buffer.byteLength]);
    }
    return before;
  };
}

/** The one function of the host that the prelude is given. */
function host(op, a, b) {
  if (turn.reason !== null || turn.closed) return CLOSED;
  return answerTo([op, a, b]) ?? CLOSED;
}

const CLOSED = '["e","Error","agent surface revoked: the turn is over"]';

/** Name of each package that is a folder, and its entry as `package:<name>/<path>`. */
let packageMains = new Map();

/**
 * A name stays as it is written, but for packages that are folders: their name means their entry, and inside of one
 * a relative path is joined, never out of it. The form of such a name cannot be written by a program.
 */
function moduleName(base, specifier) {
  if (specifier.startsWith("package:")) return `package:${specifier}`;
  const main = packageMains.get(specifier);
  if (main !== undefined) return main;
  if (!base.startsWith("package:") || !/^\.\.?\//.test(specifier)) return specifier;
  const roots = [...packageMains.keys()].map((name) => `package:${name}/`);
  const root = roots.filter((each) => base.startsWith(each)).sort((a, b) => b.length - a.length)[0];
  if (root === undefined) return specifier;
  const parts = base.slice(root.length).split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") {
      if (parts.length === 0) return specifier;
      parts.pop();
    } else if (part !== ".") parts.push(part);
  }
  return root + parts.join("/");
}

/** Resolves by exact name only: the parent has the table of what is admitted. */
function loadModule(specifier) {
  if (turn.reason !== null || turn.closed) return { error: new Error("module denied: the turn is over") };
  const answer = answerTo(["import", specifier, ""]) ?? { error: "module denied: the turn is over" };
  return answer.source === undefined ? { error: new Error(answer.error) } : answer.source;
}

function call(vm, target, text) {
  const argument = vm.newString(text);
  const result = vm.callFunction(target, vm.undefined, argument);
  argument.dispose();
  return result;
}

/** Runs the program to its end or to its first breach. */
function runProgram(vm, runtime, surface, given, overHeap) {
  const result = vm.evalCode(given.source, given.sourceName, { type: "module" });
  if (turn.reason === null && overHeap()) turn.reason = "memory_heap_exceeded";
  if (turn.reason !== null) return { reason: turn.reason };
  if (result.error) return thrown(vm, surface, result.error);
  const body = result.value;
  for (;;) {
    pump(runtime);
    if (turn.reason === null && overHeap()) turn.reason = "memory_heap_exceeded";
    if (turn.reason !== null) return { reason: turn.reason };
    const state = vm.getPromiseState(body);
    if (state.type === "rejected") return thrown(vm, surface, state.error);
    const completion = answerTo(["idle", String(state.type === "pending"), ""]);
    if (turn.reason !== null) return { reason: turn.reason };
    if (completion === null) break;
    call(vm, surface.deliver, completion);
  }
  // The program ended before what it did the last time: that is another program.
  if (replay.at < replay.entries.length) return { reason: "divergence" };
  turn.closed = true;
  return { authority: textOf(vm, vm.callFunction(surface.authority, vm.undefined)) };
}

/** One job at a time, so that the budget is exact. */
function pump(runtime) {
  while (turn.reason === null && runtime.hasPendingJob()) {
    if (turn.microtasks >= turn.microtasksMax) {
      turn.reason = "microtask_budget_exceeded";
      return;
    }
    turn.microtasks++;
    runtime.executePendingJobs(1);
  }
}

/** Showing a thrown value runs code of the program: every surface is closed first, the budgets still count. */
function thrown(vm, surface, error) {
  turn.closed = true;
  const shown = textOf(vm, vm.callFunction(surface.describe, vm.undefined, error));
  if (turn.reason !== null) return { reason: turn.reason };
  const authority = textOf(vm, vm.callFunction(surface.authority, vm.undefined));
  return { reason: "exception", thrown: shown, authority };
}

function textOf(vm, result) {
  return result.error ? null : vm.getString(result.value);
}

main().catch((error) => {
  // A throw of the host inside the engine: this instance is spoilt, and the parent ends it.
  parentPort.postMessage(["fault", error instanceof Error ? error.name : "unknown"]);
});
