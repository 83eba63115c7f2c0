/** The agent program on its own, for trying it without the rest: the only file here that reads the process. */
import { randomInt } from "node:crypto";
import { systemClock } from "../../kernel/clock.ts";
import { createGuestPool } from "../engine/guestPool.ts";
import { systemNetwork } from "../network/networkPort.ts";
import type { AgentIo } from "./agentIo.ts";
import { EXIT } from "./exitCodes.ts";

const words = process.argv.slice(process.argv[2] === "agent" ? 3 : 2);
const guests = createGuestPool({ ahead: 0 });
// A thread comes up while the commands are loaded and the inputs read: it is most of the time of a short run.
const [first, second] = words;
if (first === "run" || (first === "schedule" && second === "tick")) guests.warm();

let isOutputLost = false;
// Without a listener an output that cannot be written would end the process in the middle of a run, its log unsealed.
process.stderr.on("error", () => undefined);
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that has left wants no more; that is no failure.
  if (code === "EPIPE" || isOutputLost) return;
  isOutputLost = true;
  process.stderr.write(`standard output cannot be written: ${message}\n`);
});
process.once("exit", () => {
  if (isOutputLost && !process.exitCode) process.exitCode = EXIT.io;
});

const io: AgentIo = {
  cwd: process.cwd(),
  env: process.env,
  clock: systemClock,
  guests,
  network: systemNetwork,
  seed: () => randomInt(2 ** 32),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async readStdin() {
    let text = "";
    for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
    return text;
  },
};

const { serveWords } = await import("./serveWords.ts");
process.exitCode = await serveWords(words, io);
