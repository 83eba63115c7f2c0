/**
 * The only place where a subject is spelled. A builder takes the parts of one message's subject; a filter
 * holds the wildcards. No dot, star, `>`, space, CR or LF of a user ever reaches a subject: the client library
 * passes CR and LF on to the server, where a crafted name becomes a second command, so every token goes
 * through {@link token}.
 */
import { Rejection } from "../services/kernel/errors.ts";

const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** The two output streams of a container. */
export type LogStream = "stdout" | "stderr";
/** Kinds of aggregate that have a history in the ledger. */
export type AggregateKind = "task";

/** True for a name that may stand in a subject, a KV key or a container name. */
export function isName(text: string): boolean {
  return NAME_PATTERN.test(text);
}

/** @returns `text` when it is a valid token. @throws Rejection `NAME_INVALID` */
export function token(text: string): string {
  if (NAME_PATTERN.test(text)) return text;
  throw new Rejection("NAME_INVALID", `${JSON.stringify(text.slice(0, 80))} is not a valid name`, {
    hint: "Use 1 to 63 of a-z, 0-9, '-' and '_', beginning with a letter or digit.",
  });
}

/** As the client makes them: letters and digits. */
function nuidToken(text: string): string {
  if (/^[A-Za-z0-9]{1,64}$/.test(text)) return text;
  throw new Rejection("NAME_INVALID", `${JSON.stringify(text.slice(0, 80))} is not an object's id`);
}

/**
 * The consumer of a subscriber, and the token that stands for it in subjects. The tenant is part of it: an account that may
 * read from this consumer can never come to read another tenant's feed, whoever has its name later.
 */
export function subscriberDurable(of: { tenant: string; name: string }): string {
  return `${token(of.name)}@${token(of.tenant)}`;
}

function padded(base64: string): string {
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, "=");
}

export const subjects = {
  ledger: (of: { tenant: string; kind: AggregateKind; id: string }) =>
    `ledger.${token(of.tenant)}.${token(of.kind)}.${token(of.id)}`,
  event: (of: { tenant: string; kind: AggregateKind; transition: string; id: string }) =>
    `events.${token(of.tenant)}.${token(of.kind)}.${token(of.transition)}.${token(of.id)}`,
  claim: (of: { node: string; task: string }) => `claim.${token(of.node)}.${token(of.task)}`,
  report: (of: { node: string; task: string }) => `report.${token(of.node)}.${token(of.task)}`,
  log: (of: { node: string; task: string; attempt: number; stream: LogStream }) =>
    `log.${token(of.node)}.${token(of.task)}.${token(String(of.attempt))}.${token(of.stream)}`,
  grant: (of: { node: string }) => `grant.${token(of.node)}`,
  beat: (of: { node: string }) => `beat.${token(of.node)}`,
  register: (of: { node: string }) => `register.${token(of.node)}`,
  /** A node asks how much of its output is stored. */
  logOffset: (of: { node: string }) => `offset.${token(of.node)}`,
  /** The bucket `heartbeats` by its subject: what a node in an account of its own may write. */
  heartbeat: (of: { node: string }) => `$KV.heartbeats.${token(of.node)}`,
  control: (of: { node: string }) => `control.${token(of.node)}`,
  /** Servers of the API say that they are there. */
  apiServers: () => "api.servers",
  /** Asked before a task is submitted by another role. */
  quotaOfSubmits: () => "quota.submits",
  deadLetter: (of: { stream: string }) => `dead.${token(of.stream)}`,
  /** Of a sink that has failed: one each, so that it is there once. */
  deadSink: (of: { tenant: string; task: string; sink: string }) =>
    `dead.sinks.${token(of.tenant)}.${token(of.task)}.${token(of.sink)}`,
  guard: (of: { shard: number }) => `guard.${token(String(of.shard))}`,
  checkpoint: (of: { shard: number }) => `checkpoint.${token(String(of.shard))}`,
  gateNotice: (of: { shard: number }) => `gate.${token(String(of.shard))}`,
  /** Of an object's bytes and of what is known of it, as NATS lays its object buckets out (ADR-20 of NATS). */
  objectChunks: (of: { bucket: string; nuid: string }) => `$O.${token(of.bucket)}.C.${nuidToken(of.nuid)}`,
  objectMeta: (of: { bucket: string; name: string }) =>
    `$O.${token(of.bucket)}.M.${padded(Buffer.from(of.name).toString("base64url"))}`,
  /** The ledger listens to this instead of its own while a repair saves what it holds: nobody can append. */
  sealedLedger: (of: { shard: number }) => `sealed.${token(String(of.shard))}`,
  /** Of a message that only takes a sequence, where erasure had left none; it is deleted at once. */
  ledgerGap: () => "ledger._gap",
} as const;

export const filters = {
  ledger: "ledger.>",
  /** Of a task whose tenant is not known. A server looks through all subjects for it. */
  ledgerOfTask: (of: { task: string }) => `ledger.*.task.${token(of.task)}`,
  events: "events.*.*.*.*",
  /** A tenant's feed; null for every transition. */
  eventsOf: (of: { tenant: string; transition: string | null }) =>
    `events.${token(of.tenant)}.*.${of.transition === null ? "*" : token(of.transition)}.*`,
  claimsOf: (of: { node: string }) => `claim.${token(of.node)}.*`,
  claims: "claim.*.*",
  reports: "report.*.*",
  reportsOf: (of: { node: string }) => `report.${token(of.node)}.*`,
  logs: "log.*.*.*.*",
  logsOf: (of: { node: string }) => `log.${token(of.node)}.*.*.*`,
  logsOfTask: (of: { task: string }) => `log.*.${token(of.task)}.*.*`,
  /** Of a task; null for every attempt, every stream, every node. */
  logsOfAttempt: (of: {
    task: string;
    attempt: number | null;
    stream: LogStream | null;
    node?: string | null;
  }) =>
    `log.${of.node ? token(of.node) : "*"}.${token(of.task)}.${of.attempt === null ? "*" : token(String(of.attempt))}.${of.stream ?? "*"}`,
  objectChunks: (of: { bucket: string }) => `$O.${token(of.bucket)}.C.*`,
  /** All that is in an object bucket, as NATS names it. */
  objects: (of: { bucket: string }) => [`$O.${token(of.bucket)}.C.>`, `$O.${token(of.bucket)}.M.>`],
  deadLetters: "dead.>",
  deadSinks: "dead.sinks.*.*.*",
  deadSinksOfTask: (of: { tenant: string; task: string }) =>
    `dead.sinks.${token(of.tenant)}.${token(of.task)}.*`,
  grants: "grant.*",
  beats: "beat.*",
  registrations: "register.*",
  logOffsets: "offset.*",
} as const;

/** True for a message that a repair stores to delete it: no event. */
export function isLedgerGap(subject: string): boolean {
  return subject === subjects.ledgerGap();
}

/** Subjects with the names of their parts, for documents. */
export const addresses = {
  event: (of: { kind: AggregateKind; transition: string }) =>
    `events.{tenant}.${token(of.kind)}.${token(of.transition)}.{id}`,
} as const;

/** The parts of a ledger subject, or null when `subject` is not one. */
export function parseLedgerSubject(
  subject: string,
): { tenant: string; kind: AggregateKind; id: string } | null {
  const [root, tenant, kind, id, extra] = subject.split(".");
  if (root !== "ledger" || !tenant || kind !== "task" || !id || extra !== undefined) return null;
  return { tenant, kind, id };
}

/** The parts of a report's subject, or null when `subject` is not one. */
export function parseReportSubject(subject: string): { node: string; task: string } | null {
  const [root, node, task, extra] = subject.split(".");
  if (root !== "report" || !node || !task || extra !== undefined) return null;
  return isName(node) && isName(task) ? { node, task } : null;
}

/** The parts of the subject of a sink's dead letter, or null when `subject` is not one. */
export function parseDeadSink(subject: string): { tenant: string; task: string; sink: string } | null {
  const [root, sinks, tenant, task, sink, extra] = subject.split(".");
  if (root !== "dead" || sinks !== "sinks" || !tenant || !task || !sink || extra !== undefined) return null;
  return { tenant, task, sink };
}

/** The parts of a log subject, or null when `subject` is not one. */
export function parseLogSubject(
  subject: string,
): { node: string; task: string; attempt: number; stream: LogStream } | null {
  const [root, node, task, attempt, stream] = subject.split(".");
  if (root !== "log" || !node || !task || (stream !== "stdout" && stream !== "stderr")) return null;
  return { node, task, attempt: Number(attempt), stream };
}
