/**
 * Programs of every kind of end, by a seeded choice. Each first sends any JSON at all through a tool that gives back
 * what it saw, so that every run can be held to the same: what the tool saw is what the log says, byte for byte.
 */
import fc from "fast-check";
import type { AuditRecord } from "../audit/readAuditLog.ts";
import { sha256 } from "../membrane/sha256.ts";
import { anyJson } from "./anyJson.ts";

export interface GeneratedProgram {
  readonly source: string;
  /** Reason of its end; null is a good end. */
  readonly end: string | null;
  /** JSON text of what its first call sends; null when it does not come so far. */
  readonly sent: string | null;
}

interface Kind {
  readonly end: string | null;
  readonly body: (n: number) => string;
}

const kinds: readonly Kind[] = [
  { end: null, body: (n) => `emit({ n: ${n} }); callTool("echo", { n: ${n} });` },
  { end: "exception", body: (n) => `throw new Error("e${n}")` },
  { end: "step_budget_exceeded", body: () => "for (;;);" },
  {
    end: "memory_heap_exceeded",
    body: () => "const a = []; for (;;) a.push(new Array(1000).fill(1));",
  },
  {
    end: "microtask_budget_exceeded",
    body: () => "const f = () => Promise.resolve().then(f); f();",
  },
  { end: "exception", body: () => "const f = () => f(); f();" },
  { end: null, body: (n) => `await new Promise(() => {}); ${n}` },
  { end: "exception", body: () => "1 +" },
  { end: "exception", body: () => `await callTool("slow", { delay_ms: 1 }); close(); emit({});` },
  { end: "exception", body: () => "globalThis.x = new ArrayBuffer(1 << 30)" },
];

export const generatedFlags = [
  "--tool=echo",
  "--tool=slow",
  "--max-steps=50000",
  "--max-microtasks=200",
  "--max-heap-mb=32",
];

export function* generatedPrograms(count: number): Generator<GeneratedProgram> {
  let state = 12345;
  for (let n = 0; n < count; n++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const { end, body } = kinds[(state >>> 16) % kinds.length]!;
    const [value] = fc.sample(anyJson, { seed: n, numRuns: 1 });
    const sent = JSON.stringify({ v: value });
    const first = `const sent = JSON.parse(${JSON.stringify(sent)});
emit({ same: JSON.stringify(callTool("echo", sent)) === JSON.stringify(sent) });`;
    const program = body(n);
    yield { source: `${first}\n${program}`, end, sent: program === "1 +" ? null : sent };
  }
}

/** What a run did otherwise than its program must, as a sentence; null when nothing. */
export function generatedFault(
  { end, sent }: GeneratedProgram,
  of: { readonly reason: string | null; readonly records: readonly AuditRecord[] },
): string | null {
  if (of.reason !== end) return `it ended with ${of.reason}, not ${end}`;
  const calls = of.records.filter((record) => record.type === "tool_call" && record.tool === "echo");
  const results = of.records.filter((record) => record.type === "tool_result" && record.tool === "echo");
  if (calls.length !== results.length) return `${calls.length} calls have ${results.length} results`;
  for (const [index, call] of calls.entries()) {
    const [asked, seen] = [JSON.stringify(call.args), JSON.stringify(results[index]!.result)];
    if (asked !== seen) return `call ${index}: the tool saw something else than the log says`;
    const hashes = [call.args_sha256, results[index]!.result_sha256];
    if (hashes.some((hash) => hash !== sha256(asked)))
      return `call ${index}: a hash is not that of its bytes`;
  }
  if (sent === null) return calls.length === 0 ? null : "a program that cannot be parsed made a call";
  if (JSON.stringify(calls[0]?.args) !== sent) return "the log does not say what the program sent";
  const [event] = of.records.filter((record) => record.type === "event");
  if (JSON.stringify(event?.event) !== '{"same":true}') return "the program was given back something else";
  return hostIsUntouched() ? null : "a prototype of the host was changed";
}

const builtIn = [Object, Array, Function, Promise, String, Number, RegExp, Error, Map, Set];
const namesOf = () => builtIn.map(({ prototype }) => Reflect.ownKeys(prototype).map(String).join()).join();
const untouched = namesOf();

function hostIsUntouched(): boolean {
  return namesOf() === untouched;
}
