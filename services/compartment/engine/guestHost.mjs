/**
 * The process that holds one guest's thread, for a run whose memory is limited. It decides nothing: it hands questions
 * to the parent and answers to the thread, and tells how much memory it takes. It ends with its parent.
 * Plain JavaScript, so that it starts without a compiler in front of it.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";

const { port1: port, port2 } = new MessageChannel();
// As in guestLink.ts, with no room for texts.
const signal = new SharedArrayBuffer(16);
const flag = new Int32Array(signal, 0, 2);
const ran = new Float64Array(signal, 8, 1);
const worker = new Worker(join(fileURLToPath(new URL(".", import.meta.url)), "guestWorker.cjs"), {
  workerData: { port: port2, signal },
  transferList: [port2],
  execArgv: [],
  argv: [],
  env: {},
  resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 256 },
});

/** @param {unknown[]} message */
const tell = (message) => {
  if (process.connected) process.send(message, () => {});
};

/** @param {unknown} value */
const answer = (value) => {
  port.postMessage(value);
  // It is a message.
  flag[1] = -1;
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
};

port.on("message", (question) => tell(["question", question, ran[0]]));
worker.on("message", (death) => tell(["death", death]));
worker.on("error", () => tell(["death", ["fault"]]));
process.on("message", async ([kind, value]) => {
  if (kind === "answer") return answer(value);
  const { wasmBytes, preludeText, heapBytesMax } = value;
  answer({ wasmModule: await WebAssembly.compile(wasmBytes), preludeText, heapBytesMax, image: null });
});
process.on("disconnect", () => process.exit(1));
setInterval(() => tell(["rss", process.memoryUsage.rss()]), Number(process.argv[2]));
