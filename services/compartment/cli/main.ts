/** The agent program on its own, for trying it without the rest: the only file here that reads the process. */
import { randomInt } from "node:crypto";
import { systemClock } from "../../kernel/clock.ts";
import { createGuestPool } from "../engine/guestPool.ts";
import { systemNetwork } from "../network/networkPort.ts";
import type { AgentIo } from "./agentIo.ts";

const words = process.argv.slice(process.argv[2] === "agent" ? 3 : 2);
const guests = createGuestPool({ ahead: 0 });
// A thread comes up while the commands are loaded and the inputs read: it is most of the time of a short run.
const [first, second] = words;
if (first === "run" || (first === "schedule" && second === "tick")) guests.warm();

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
