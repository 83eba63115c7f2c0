/** MCP on standard input and output, in the version that the client opens with. Standard output carries the protocol only. */
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import type { Clock } from "../services/kernel/clock.ts";
import type { Tracer } from "../services/kernel/tracing/tracer.ts";
import { createAnswers } from "./answers.ts";
import type { Call } from "./call.ts";
import { type Catalog, caziCatalog } from "./catalog.ts";
import { type Era, eraOf } from "./era.ts";
import { hideBugs } from "./hideBugs.ts";
import { refuseWrongParams } from "./refuseWrongParams.ts";
import type { ServerParts } from "./servers/server.ts";
import { traceAnswers } from "./traceAnswers.ts";
import { trackAnswers } from "./trackAnswers.ts";

export interface StdioOptions {
  /** Finds the API; called for each call. */
  readonly connect: (call: Call) => ApiClient;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly version: string;
  readonly clock: Clock;
  /** Told of what should not be; the caller is only told that something was. */
  readonly onBug: (error: unknown) => void;
  /** {@link caziCatalog} unless given. */
  readonly catalog?: Catalog;
  readonly tracer?: Tracer;
}

/** A first message longer than this is not one: what reads it afterwards refuses it as well. */
const openingBytesMax = 10 * 1024 * 1024;

/** Serves until the client closes standard input; answers what was asked before. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { stdin, stdout, version, clock, connect, tracer, onBug, catalog = caziCatalog } = options;
  const closed = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    stdout.once("error", () => resolve());
  });
  const input = new PassThrough();
  const opening = openingOf(stdin, input);
  const { answers, settled } = trackAnswers(
    hideBugs(traceAnswers(createAnswers(catalog, connect), tracer), onBug),
  );
  const opened = await Promise.race([opening, closed.then(() => null)]);
  if (opened === null) return;
  const parts = { catalog, version, answers, clock };
  const server = await (opened === "2026" ? serve2026 : serve2025)(parts, input, stdout);
  await closed;
  while (input.readableLength > 0) await new Promise((resolve) => setImmediate(resolve));
  await settled();
  await server.close();
}

/**
 * Passes everything on, and tells the era by the first whole line. The library that serves reads `input`, whose
 * end is not passed on: it drops what it has not answered when its input ends.
 */
function openingOf(stdin: Readable, input: PassThrough): Promise<Era> {
  stdin.pipe(input, { end: false });
  return new Promise((resolve) => {
    let text = "";
    const read = (bytes: Buffer) => {
      text += bytes.toString("latin1");
      const end = text.indexOf("\n");
      if (end === -1 && text.length < openingBytesMax) return;
      stdin.off("data", read);
      resolve(eraOf(parsed(Buffer.from(text.slice(0, end), "latin1").toString())));
    };
    stdin.on("data", read);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

interface Running {
  close(): Promise<void>;
}

async function serve2025(parts: ServerParts, input: Readable, output: Writable): Promise<Running> {
  const [{ createServer2025 }, { StdioServerTransport }] = await Promise.all([
    import("./servers/server2025.ts"),
    import("@modelcontextprotocol/sdk/server/stdio.js"),
  ]);
  const server = createServer2025(parts);
  // Of a client that is gone nobody needs to hear.
  await server.connect(refuseWrongParams(new StdioServerTransport(input, output), () => undefined));
  return server;
}

/** Also takes a client that only asked whether this version is spoken here, and then opens with an older one. */
async function serve2026(parts: ServerParts, input: Readable, output: Writable): Promise<Running> {
  const [{ createServer2026 }, { StdioServerTransport, serveStdio: serve }] = await Promise.all([
    import("./servers/server2026.ts"),
    import("@modelcontextprotocol/server/stdio"),
  ]);
  const transport = refuseWrongParams(new StdioServerTransport(input, output), () => undefined);
  return serve(() => createServer2026(parts), { transport });
}
