import type { AttemptRef, BeatReply, GrantReply, Report } from "../../../schemas/messages/node.ts";
import type { LogStream } from "../../../streams/subjects.ts";
import type { ControlPlane, LogChunk, Logs, Marker, Markers, Reports } from "../ports.ts";

/**
 * What outlives an agent, in memory, for tests that end its life between any two effects: reports and log bytes
 * that were stored, markers that were written, and what the control plane decided.
 */
export class MemoryWorld implements ControlPlane, Reports, Logs, Markers {
  readonly stored: Report[] = [];
  readonly #spec: string;
  readonly #ref: AttemptRef;
  readonly #markers = new Map<string, Marker>();
  readonly #bytes: Record<LogStream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  granted = false;

  constructor(ref: AttemptRef, spec: object) {
    this.#ref = ref;
    this.#spec = JSON.stringify(spec);
  }

  /** The facts that the control plane would have taken: the first report that ends the attempt is the last word. */
  get outcome(): Report | undefined {
    return this.stored.find((report) => report.ended !== null || report.not_started !== null);
  }

  logged(stream: LogStream): string {
    return this.#bytes[stream].toString();
  }

  async grant(): Promise<GrantReply> {
    if (this.outcome !== undefined) return { answer: "no", reason: "over" };
    this.granted = true;
    return {
      answer: "yes",
      spec: this.#spec,
      image: null,
      pull: null,
      traceparent: null,
      tracestate: null,
      workload_token: null,
      artifact_url: null,
      stdin_url: null,
      model_url: null,
      secrets: null,
      start_within_ms: 60_000,
      stop_grace_ms: 100,
      as_of: { epoch: "e", seq: 1 },
    };
  }

  async beat(): Promise<BeatReply> {
    const over = this.outcome !== undefined;
    return {
      as_of: { epoch: "e", seq: 2 },
      desired: this.granted && !over ? [{ ...this.#ref, cancel: false }] : [],
      settled: over ? [this.#ref.fence] : [],
    };
  }

  async publish(report: Report): Promise<void> {
    this.stored.push(structuredClone(report));
  }

  async append(chunk: LogChunk): Promise<void> {
    const before = this.#bytes[chunk.stream];
    if (chunk.offset > before.length) throw new Error("a gap in the output");
    this.#bytes[chunk.stream] = Buffer.concat([
      before,
      Buffer.from(chunk.bytes).subarray(before.length - chunk.offset),
    ]);
  }

  async storedOffset(_ref: AttemptRef, stream: LogStream): Promise<number> {
    return this.#bytes[stream].length;
  }

  async reserve(_ref: AttemptRef): Promise<void> {}

  async write(marker: Marker): Promise<void> {
    this.#markers.set(marker.ref.fence, structuredClone(marker));
  }

  async probe(): Promise<void> {}

  async list(): Promise<readonly Marker[]> {
    return [...this.#markers.values()];
  }

  async remove(ref: AttemptRef): Promise<void> {
    this.#markers.delete(ref.fence);
  }
}
