/** Thousands of generated programs in one process: each ends as it must, and the process is as it was. */
import { createGuestPool } from "../../../services/compartment/engine/guestPool.ts";
import {
  generatedEnds,
  generatedFlags,
  generatedPrograms,
} from "../../../services/compartment/testing/generatedPrograms.ts";
import { alone, type Figure } from "../figures.ts";
import { runOnce } from "./runOnce.ts";

/** Runs after which the process has what it keeps. */
const SETTLED = 300;

export async function benchHealth(of: {
  readonly folder: string;
  readonly runs: number;
}): Promise<{ readonly figures: Figure[]; readonly ends: Readonly<Record<string, number>> }> {
  const guests = createGuestPool({ ahead: 1 });
  const ends: Record<string, number> = {};
  let [rssBefore, rssMax, done, strange] = [0, 0, 0, 0];
  for (const source of generatedPrograms(of.runs)) {
    const { outcome } = await runOnce(guests, of.folder, source, generatedFlags);
    const reason = "reason" in outcome ? outcome.reason : null;
    if (!generatedEnds.includes(reason)) strange++;
    ends[reason ?? "ok"] = (ends[reason ?? "ok"] ?? 0) + 1;
    done++;
    if (done === Math.min(SETTLED, Math.floor(of.runs / 2))) rssBefore = process.memoryUsage().rss;
    if (rssBefore > 0) rssMax = Math.max(rssMax, process.memoryUsage().rss);
  }
  await guests.close();
  const mib = (bytes: number) => bytes / 1024 / 1024;
  const none = { of: "value", is: "at most", value: 0 } as const;
  return {
    ends,
    figures: [
      alone(`memory grown over ${of.runs} generated runs, at its highest`, "MiB", [mib(rssMax - rssBefore)], {
        of: "value",
        is: "at most",
        value: 64,
      }),
      alone(`generated runs of ${of.runs} that ended otherwise`, "runs", [strange], none),
    ],
  };
}
