/** `agent schedule …`: durable jobs from the command line. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CaziError, Rejection } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { readAuditLog } from "../../audit/readAuditLog.ts";
import { summarize } from "../../audit/summarize.ts";
import { cancelJob, giveInput, resolveCall } from "../../jobs/decideJob.ts";
import { auditLogPath, jobFolder, journalPath, storeOf } from "../../jobs/jobFolder.ts";
import { checkJournal } from "../../jobs/journalFile.ts";
import { type JobManifest, readManifest } from "../../jobs/manifest.ts";
import { startJob } from "../../jobs/startJob.ts";
import { tickJob } from "../../jobs/tickJob.ts";
import type { JsonObject } from "../../membrane/jsonText.ts";
import { thrownSentence } from "../../membrane/thrownText.ts";
import type { AgentIo, RunCommand } from "../agentIo.ts";
import { EXIT } from "../exitCodes.ts";
import { type ParsedFlags, usage } from "../parseFlags.ts";
import { resolveConfig, secretValues, toolPortsOf, withAddresses } from "../resolveConfig.ts";

export const scheduleStart: RunCommand = async (io, flags) => {
  const config = await withAddresses(resolveConfig(flags, io.cwd), io);
  secretValues(config, io.env);
  const jobId = flags.texts.get("job-id") ?? newId(io.clock.now());
  const store = storeOf(flags.texts.get("store"), io.cwd);
  const folder = jobFolder(store, jobId);
  const manifest = await startJob({ ...io, tools: toolPortsOf(io) }, { folder, jobId, config });
  say(io, flags, { type: "agent_job_started", job_id: jobId, store, status: manifest.status }, `${jobId}\n`);
  if (!flags.switches.has("json"))
    io.err(`Job ${jobId} in ${store}; next: cazi agent schedule tick ${jobId}\n`);
  return 0;
};

export const scheduleTick: RunCommand = async (io, flags) => {
  const json = flags.switches.has("json");
  const { manifest, ready, outcome } = await tickJob(
    {
      clock: io.clock,
      guests: io.guests,
      tools: toolPortsOf(io),
      secretsOf: (config) => secretValues(config, io.env),
      onEvent: (event) => {
        if (!json) io.out(`${JSON.stringify(event)}\n`);
      },
      stepDone: () => {},
    },
    folderOf(io, flags),
  );
  const facts = { ready, ...shown(manifest) };
  if (json) io.out(`${JSON.stringify({ type: "agent_job_tick", ...facts })}\n`);
  else
    io.err(
      `job ${manifest.job_id}: ${manifest.status}${manifest.reason === null ? "" : `, ${manifest.reason}`}\n`,
    );
  if (outcome?.thrown != null) io.err(`the program threw "${thrownSentence(outcome.thrown)}"\n`);
  return manifest.status === "failed" || manifest.status === "expired" ? EXIT.failed : 0;
};

export const scheduleInput: RunCommand = async (io, flags) => {
  const token = flags.texts.get("token");
  if (token === undefined)
    throw usage("--token is missing: it says which wait is meant, and `schedule status` shows it.");
  const given = flags.texts.get("json");
  const named = given === undefined ? "Standard input" : "--json";
  const text = given ?? (await io.readStdin());
  const manifest = await giveInput(io.clock, folderOf(io, flags), { token, text, named });
  io.out(`job ${manifest.job_id}: input taken; next: cazi agent schedule tick ${manifest.job_id}\n`);
  return 0;
};

export const scheduleCancel: RunCommand = async (io, flags) => {
  const manifest = await cancelJob(io.clock, folderOf(io, flags));
  say(io, flags, { type: "agent_job", ...shown(manifest) }, `job ${manifest.job_id}: ${manifest.status}\n`);
  return 0;
};

/** The one command that shows the tokens of open inputs; of a job that no tick takes, it says so after them. */
export const scheduleStatus: RunCommand = async (io, flags) => {
  const folder = folderOf(io, flags);
  const manifest = readManifest(folder);
  io.out(`${JSON.stringify(manifest, null, flags.switches.has("json") ? 0 : 2)}\n`);
  checkJournal(journalPath(folder), manifest.journal);
  return 0;
};

/** A job whose files are refused is listed with the code, beside the others. */
export const scheduleList: RunCommand = async (io, flags) => {
  const store = storeOf(flags.texts.get("store"), io.cwd);
  const names = existsSync(store) ? readdirSync(store).sort() : [];
  const jobs = names
    .filter((name) => existsSync(join(store, name, "manifest.json")) && !name.includes(".starting-"))
    .map((name) => listed(join(store, name), name));
  if (flags.switches.has("json")) {
    io.out(`${JSON.stringify({ type: "agent_job_list", store, jobs })}\n`);
  } else {
    for (const { job_id, status, refused } of jobs) {
      io.out(`${job_id} ${status ?? "-"}${refused === undefined ? "" : ` ${refused.code}`}\n`);
    }
  }
  return 0;
};

interface Listed extends JsonObject {
  readonly job_id: string;
  /** Null where the manifest cannot be read. */
  readonly status: string | null;
  readonly refused?: { readonly code: string; readonly message: string };
}

function listed(folder: string, name: string): Listed {
  let known: Listed = { job_id: name, status: null };
  try {
    const manifest = readManifest(folder);
    known = shown(manifest) as Listed;
    checkJournal(journalPath(folder), manifest.journal);
    return known;
  } catch (error) {
    if (!(error instanceof CaziError)) throw error;
    return { ...known, refused: { code: error.code, message: error.message } };
  }
}

export const scheduleResolve: RunCommand = async (io, flags) => {
  const call = flags.numbers.get("call");
  const resultText = flags.texts.get("result-json");
  const ways = [
    ...(resultText === undefined ? [] : [{ resultText }]),
    ...(flags.switches.has("retry") ? (["retry"] as const) : []),
    ...(flags.switches.has("fail") ? (["fail"] as const) : []),
  ];
  if (call === undefined || ways.length !== 1) {
    throw usage("Give --call and one of --result-json, --retry, --fail.");
  }
  const manifest = await resolveCall(io.clock, folderOf(io, flags), { call, is: ways[0]! });
  say(io, flags, { type: "agent_job", ...shown(manifest) }, `job ${manifest.job_id}: ${manifest.status}\n`);
  return 0;
};

/** Every tick's log, checked and summarized, of a job whose journal holds; a tick that died has no end. */
export const scheduleReplay: RunCommand = async (io, flags) => {
  const folder = folderOf(io, flags);
  const manifest = readManifest(folder);
  checkJournal(journalPath(folder), manifest.journal);
  const turns: JsonObject[] = [];
  let newest: string | null = null;
  for (let turn = 1; turn <= manifest.turn_cursor; turn++) {
    const path = auditLogPath(folder, turn);
    newest = null;
    if (!existsSync(path)) continue;
    const reading = readAuditLog(readFileSync(path, "utf8"));
    if (reading.state === "refused") {
      throw new Rejection(
        "AUDIT_LOG_REFUSED",
        `${path} is not an intact log: line ${reading.line}, ${reading.why}.`,
      );
    }
    newest = reading.head;
    const about = { head: reading.head, complete: reading.state === "complete", tornLine: reading.tornLine };
    turns.push(summarize(reading.records, about));
  }
  refuseOtherLog(manifest, newest, folder);
  const events = turns.reduce((sum, turn) => sum + (turn.events as number), 0);
  const replay = { type: "agent_job_replay", ...shown(manifest), events, turns };
  io.out(`${JSON.stringify(replay, null, flags.switches.has("json") ? 0 : 2)}\n`);
  return 0;
};

/** Of a tick that is under way, or died, nobody wrote the head down. */
function refuseOtherLog(manifest: JobManifest, newest: string | null, folder: string): void {
  if (manifest.active_turn_id !== null || manifest.audit_head === newest) return;
  const path = auditLogPath(folder, manifest.turn_cursor);
  throw new Rejection(
    "AUDIT_HEAD_DIFFERS",
    newest === null
      ? `${path} is not there.`
      : `The head of ${path} is ${newest}, not ${manifest.audit_head}, which the job's manifest has.`,
  );
}

function folderOf(io: AgentIo, flags: ParsedFlags): string {
  return jobFolder(storeOf(flags.texts.get("store"), io.cwd), flags.positionals[0]!);
}

/** A manifest without the tokens, which are keys. */
function shown(manifest: JobManifest): JsonObject {
  const awaits = manifest.awaits.map((one) => {
    if (one.kind !== "input") return { ...one };
    const { token: _token, ...rest } = one;
    return rest;
  });
  const { job_id, status, reason, turn_cursor, budget_ledger, unknown, audit_head } = manifest;
  return {
    job_id,
    status,
    reason,
    turn_cursor,
    awaits,
    unknown,
    budget_ledger,
    audit_head,
  } as unknown as JsonObject;
}

function say(io: AgentIo, flags: ParsedFlags, facts: JsonObject, text: string): void {
  io.out(flags.switches.has("json") ? `${JSON.stringify(facts)}\n` : text);
}
