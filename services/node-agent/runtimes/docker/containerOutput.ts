import type { Readable } from "node:stream";
import type Docker from "dockerode";
import type { LogStream } from "../../../../streams/subjects.ts";
import { attachStallMs } from "../../limits.ts";
import type { Attachment, OutputEnd, OutputOffsets, OutputSink } from "../../ports.ts";
import { after } from "../../repeat.ts";
import { toRefusal } from "./engineErrors.ts";
import { FrameDemux } from "./frameDemux.ts";

/**
 * Attaches to a container's output as it is written. While the sink is full the connection is held, and after
 * {@link attachStallMs} dropped: the engine would stop the container's own writes next.
 */
export async function attachOutput(container: Docker.Container, sink: OutputSink): Promise<Attachment> {
  const stream = await container.attach({ stream: true, stdout: true, stderr: true });
  return read(stream as unknown as Readable, sink, { skip: null, stallMs: attachStallMs });
}

/**
 * Reads the engine's own log of a container from byte offsets. Holding this connection blocks nobody, so it is
 * held for as long as the sink is full.
 * @param options.live goes on until the container ends
 */
export function followOutput(
  docker: Docker,
  name: string,
  sink: OutputSink,
  options: { readonly from: OutputOffsets; readonly live: boolean },
): Attachment {
  let closed = false;
  let reading: Attachment | null = null;
  const open = async (): Promise<OutputEnd> => {
    const stream = await openLog(docker, name, options.live);
    if (closed) stream.destroy();
    reading = read(stream, sink, { skip: { ...options.from }, stallMs: null });
    return reading.ended;
  };
  return {
    ended: open().catch((error) => (toRefusal(error) === null ? "broken" : "refused")),
    close: () => {
      closed = true;
      reading?.close();
    },
  };
}

/** Not the client's `logs`: without `follow` that gathers the whole log in memory, and reads it as text. */
function openLog(docker: Docker, name: string, live: boolean): Promise<Readable> {
  return new Promise((resolve, reject) => {
    docker.modem.dial(
      {
        path: `/containers/${name}/logs?`,
        method: "GET",
        isStream: true,
        options: { stdout: true, stderr: true, follow: live },
        statusCodes: { 200: true, 404: "no such container", 500: "server error" },
      },
      (error: unknown, stream: unknown) => (error ? reject(error) : resolve(stream as Readable)),
    );
  });
}

function read(
  stream: Readable,
  sink: OutputSink,
  options: { readonly skip: Record<LogStream, number> | null; readonly stallMs: number | null },
): Attachment {
  let end: (how: OutputEnd) => void = () => {};
  const ended = new Promise<OutputEnd>((resolve) => {
    end = resolve;
  });
  const finish = (how: OutputEnd) => {
    end(how);
    stream.destroy();
  };
  const demux = new FrameDemux((name, bytes) => {
    const rest = options.skip === null ? bytes : skipped(options.skip, name, bytes);
    if (rest.length > 0) sink.write(name, rest);
  });
  stream.on("data", (chunk: Buffer) => {
    try {
      demux.push(chunk);
    } catch {
      return finish("broken");
    }
    if (sink.full) hold(stream, sink, { stallMs: options.stallMs, onStall: () => finish("stalled") });
  });
  stream.on("end", () => end("eof"));
  stream.on("error", () => end("broken"));
  stream.on("close", () => end("broken"));
  return { ended, close: () => finish("broken") };
}

function hold(
  stream: Readable,
  sink: OutputSink,
  options: { readonly stallMs: number | null; readonly onStall: () => void },
): void {
  stream.pause();
  const cancel = options.stallMs === null ? () => {} : after(options.stallMs, options.onStall);
  void sink.ready().then(() => {
    cancel();
    stream.resume();
  });
}

/** Takes off the bytes that were seen before. */
function skipped(skip: Record<LogStream, number>, name: LogStream, bytes: Uint8Array): Uint8Array {
  if (skip[name] === 0) return bytes;
  const cut = Math.min(skip[name], bytes.length);
  skip[name] -= cut;
  return bytes.subarray(cut);
}
