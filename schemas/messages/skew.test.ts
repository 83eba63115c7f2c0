/** Nodes and servers may be one version apart: servers are upgraded first, then nodes, one by one. */
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { keptCursor } from "./feed.ts";
import { fleetEntry } from "./fleet.ts";
import { guardReply } from "./guard.ts";
import * as node from "./node.ts";

const ref = { tenant: "default", task: "01hf", attempt: 1, fence: "1.a" };
const logs = { stdout: { stored: 6, dropped: 0 }, stderr: { stored: 0, dropped: 0 } };
const ended = {
  exit_code: 0,
  signal: null,
  oom_killed: false,
  stopped_by: null,
  failure: null,
  finished_at: 9,
  message: null,
};

/** Each message as the version before this one writes it. A released sample is never edited: a new field is not added. */
const before: Readonly<Record<string, readonly [z.ZodType, Readonly<Record<string, unknown>>]>> = {
  claim: [node.attemptRef, ref],
  "grant request": [node.grantRequest, { ...ref, node: "a", decline: null }],
  "grant reply": [
    node.grantReply,
    {
      answer: "yes",
      spec: "{}",
      image: null,
      pull: null,
      traceparent: null,
      tracestate: null,
      start_within_ms: 600_000,
      stop_grace_ms: 10_000,
      as_of: { epoch: "e", seq: 1 },
    },
  ],
  report: [
    node.report,
    {
      ...ref,
      node: "a",
      revision: 1,
      image: null,
      pull: null,
      not_started: null,
      started_at: 5,
      ended,
      logs,
    },
  ],
  beat: [node.beat, { node: "a", observed: [{ ...ref, state: "running" }], partial: false }],
  "beat reply": [
    node.beatReply,
    { as_of: { epoch: "e", seq: 1 }, desired: [{ ...ref, cancel: false }], settled: ["1.b"] },
  ],
  registration: [
    node.nodeRegistration,
    {
      node: "a",
      runtime: "docker",
      labels: { zone: "b" },
      tags: ["gpu"],
      slots: 4,
      cpus: 2,
      memory_bytes: 1,
      mount_allowlist: [],
      networks: ["bridge"],
      engine: "20.10",
      unavailable: null,
      registered_at: 1,
    },
  ],
  heartbeat: [node.heartbeat, { node: "a", at: 1, running: 0 }],
  checkpoint: [node.checkpointNotice, { epoch: "e", seq: 1, lag: 0 }],
  "registration's answer": [node.registerReply, { answer: "taken", clipped: ["tag fast is not declared"] }],
  "question for stored output": [
    node.logOffsetRequest,
    { node: "a", task: "01hf", attempt: 1, stream: "stdout" },
  ],
  "answer of stored output": [node.logOffsetReply, { stored: 6 }],
  "operators' word of a node": [
    fleetEntry,
    {
      bounds: null,
      state: "active",
      account: null,
      by: "user:admin",
      changed_at: 1,
    },
  ],
  "relay's cursor": [keptCursor, { epoch: "e", ledger_seq: 2, events_seq: 2, event_id: "01hf" }],
  "guard's answer": [guardReply, { answer: "regressed", reason: "the ledger is shorter than its copy" }],
};
const messages = Object.entries(before);

/** The same with a member in every object that this version has never heard of. */
function fromTheFuture(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromTheFuture);
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).map(([name, inner]) => [name, fromTheFuture(inner)]);
  return { ...Object.fromEntries(known), of_a_later_version: { and: ["more"] } };
}

describe("a message between node and control plane", () => {
  it.each(messages)(
    "%s of the version before is read, with what it says unchanged",
    (_name, [schema, sample]) => {
      expect(schema.parse(sample)).toMatchObject(sample);
    },
  );

  it.each(messages)(
    "%s of a later version is read, and what is not known in it is left alone",
    (_name, entry) => {
      const [schema, sample] = entry;
      // Labels are anybody's names: what is in them is no member of the message.
      const { labels, ...rest } = sample;
      const later = { ...(fromTheFuture(rest) as object), ...(labels === undefined ? {} : { labels }) };
      expect(schema.parse(later)).toEqual(schema.parse(sample));
    },
  );
});
