/** Runs a program in the real engine from flags, in a folder of its own, and reads its log back through the verifier. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { InvariantViolation } from "../../kernel/errors.ts";
import { type AuditRecord, readAuditLog } from "../audit/readAuditLog.ts";
import { parseFlags } from "../cli/parseFlags.ts";
import { resolveConfig, secretValues } from "../cli/resolveConfig.ts";
import { createGuestPool } from "../engine/guestPool.ts";
import type { JsonObject } from "../membrane/jsonText.ts";
import { NetworkFault, type NetworkPort } from "../network/networkPort.ts";
import { runFlags } from "../policy/configKeys.ts";
import type { TaskRunner } from "../process/taskRunner.ts";
import { type RunResult, runAgent } from "../turn/runAgent.ts";

export interface ProgramRun {
  readonly result: RunResult;
  readonly status: string;
  readonly reason: string | null;
  readonly events: readonly JsonObject[];
  readonly records: readonly AuditRecord[];
  readonly log: string;
  of(type: string): readonly AuditRecord[];
}

export interface ProgramRunOptions {
  readonly flags?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly clock?: Clock;
  /** Without one, whatever reaches out fails. */
  readonly network?: NetworkPort;
  readonly taskRunner?: TaskRunner;
  readonly npmRegistry?: string;
}

/** The time that a program and its tools may take on a machine that is busy with other tests. */
const PATIENT = ["--timeout-ms=30000", "--tool-timeout-ms=30000"];

/** Of a test file: while one program runs, the thread of the next comes up. */
export const guests = createGuestPool({ ahead: 1 });

export const noNetwork: NetworkPort = {
  send: () => Promise.reject(new NetworkFault("unreachable")),
};

export async function runProgram(source: string, options: ProgramRunOptions = {}): Promise<ProgramRun> {
  const folder = options.folder ?? newFolder();
  try {
    for (const [name, text] of Object.entries({ "agent.js": source, ...options.files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await run(folder, options);
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true });
  }
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "cazi-compartment-"));
}

async function run(folder: string, options: ProgramRunOptions): Promise<ProgramRun> {
  const given = options.flags ?? [];
  const program = given.some((flag) => /^--(project|policy|entry-module)/.test(flag)) ? [] : ["agent.js"];
  const resolved = { npm_registry: options.npmRegistry ?? null, model_url: null };
  const config = {
    ...resolveConfig(parseFlags(runFlags, [...PATIENT, ...given, ...program]), folder),
    resolved,
  };
  const events: JsonObject[] = [];
  const result = await runAgent(
    {
      clock: options.clock ?? systemClock,
      guests,
      tools: {
        network: options.network ?? noNetwork,
        credential: (name) => options.env?.[name] ?? "",
        taskRunner: options.taskRunner ?? null,
      },
      seed: () => 7,
      secrets: secretValues(config, options.env ?? {}),
      onEvent: (event) => void events.push(event),
      cwd: folder,
    },
    config,
  );
  const log = readFileSync(result.auditLog, "utf8");
  const reading = readAuditLog(log);
  if (reading.state !== "complete") throw new InvariantViolation(`the log is ${JSON.stringify(reading)}`);
  const reason = "reason" in result.outcome ? result.outcome.reason : null;
  const of = (type: string) => reading.records.filter((record) => record.type === type);
  return { result, status: result.outcome.status, reason, events, records: reading.records, log, of };
}
