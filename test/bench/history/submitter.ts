/**
 * A program: a process with a fold of the ledger on the server that its arguments name. It says how long that fold
 * took from the start, and then, each time it is asked, how long a submit's appends took.
 * One process a server, so that neither warms up, or collects garbage, for the other.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Ground } from "../../../deploy/compose/roles/role.ts";
import { newId } from "../../../services/kernel/ids.ts";
import { groundOnNats } from "../../support/groundOnNats.ts";
import { submitCommand } from "../../support/ledgerOnNats.ts";

const [url, credsFile] = process.argv.slice(2);
if (url === undefined || credsFile === undefined) throw new Error("submitter URL CREDSFILE");

const began = performance.now();
const ground = await groundOnNats({ url, credsFile });
while (!ground.live.caughtUp()) await pause(1);
const foldMs = performance.now() - began;
while (!ground.live.ended.isWhole) await pause(1);
process.send?.(foldMs);

process.on("message", async () => process.send?.(await submitOnce(ground)));
process.on("disconnect", async () => {
  await ground.stop();
  process.exit(0);
});

/** A submit and a cancel, so that nothing is left pending; in milliseconds, both together. */
async function submitOnce({ ledger, clock }: Ground): Promise<number> {
  const from = performance.now();
  const task = newId(clock.now());
  await ledger.execute({ tenant: "default", task }, submitCommand());
  await ledger.execute(
    { tenant: "default", task },
    { kind: "cancel", at: clock.now(), id: newId(clock.now()), who: submitCommand().who, reason: null },
  );
  return performance.now() - from;
}
