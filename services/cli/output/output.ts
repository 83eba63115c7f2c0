/** The two output streams of a command: data on stdout, messages on stderr, each write waited for. */
import type { Writable } from "node:stream";

/** Who reads our output has left (`| head`): an end, not a failure. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

export interface Output {
  /** @throws ReaderGone */
  data(bytes: Uint8Array | string): Promise<void>;
  /** The task's own stderr, as bytes. A closed stderr is ignored: nobody is there to tell. */
  errorBytes(bytes: Uint8Array): Promise<void>;
  /** One message of Cazi's own; dropped where it cannot be written, whatever is told of must not end by that. */
  message(text: string): Promise<void>;
  readonly stderrIsTerminal: boolean;
}

interface TerminalLike extends Writable {
  readonly isTTY?: boolean;
}

export function createOutput(of: { readonly stdout: TerminalLike; readonly stderr: TerminalLike }): Output {
  const { stdout, stderr } = of;
  // The write's own callback reports the error; without a listener Node would throw it as well.
  stdout.on("error", () => {});
  stderr.on("error", () => {});
  const errorBytes = (bytes: Uint8Array | string) =>
    written(stderr, bytes).catch((error) => {
      if (!(error instanceof ReaderGone)) throw error;
    });
  return {
    data: (bytes) => written(stdout, bytes),
    errorBytes,
    message: (text) => written(stderr, `cazi: ${text}\n`).catch(() => undefined),
    stderrIsTerminal: stderr.isTTY === true,
  };
}

function written(stream: Writable, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => {
      if (!error) return resolve();
      const { code } = error as NodeJS.ErrnoException;
      const gone = code === "EPIPE" || code === "ERR_STREAM_DESTROYED" || code === "ECONNRESET";
      reject(gone ? new ReaderGone("the reader is gone", { cause: error }) : error);
    });
  });
}
