/** MCP on standard input and output, in the version that the client opens with. Standard output carries the protocol only. */
import type { Readable, Writable } from "node:stream";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import type { Clock } from "../services/kernel/clock.ts";
import type { Tracer } from "../services/kernel/tracing/tracer.ts";
import { createAnswers } from "./answers.ts";
import type { Call } from "./call.ts";
import { type Catalog, caziCatalog } from "./catalog.ts";
import type { Era } from "./era.ts";
import { hideBugs } from "./hideBugs.ts";
import { createMessageGate, type MessageCheck } from "./messageGate.ts";
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

/** Serves until the client closes standard input; answers what was asked before. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { stdin, stdout, version, clock, connect, tracer, onBug, catalog = caziCatalog } = options;
  const closed = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    stdout.once("error", () => resolve());
  });
  const { lines, era } = createMessageGate({
    checkOf,
    answer: (message) => void stdout.write(`${JSON.stringify(message)}\n`),
  });
  // Its end is not passed on: the library drops what it has not answered when its input ends.
  stdin.pipe(lines, { end: false });
  const { answers, settled } = trackAnswers(
    hideBugs(traceAnswers(createAnswers(catalog, connect), tracer), onBug),
  );
  const opened = await Promise.race([era, closed.then(() => null)]);
  if (opened === null) return;
  const parts = { catalog, version, answers, clock };
  const server = await (opened === "2026" ? serve2026 : serve2025)(parts, lines, stdout);
  await closed;
  while (lines.writableLength + lines.readableLength > 0)
    await new Promise((resolve) => setImmediate(resolve));
  await settled();
  await server.close();
}

const serverOf = {
  "2025": () => import("./servers/server2025.ts"),
  "2026": () => import("./servers/server2026.ts"),
};

/** The check by the schema that the era's library reads its input with. */
async function checkOf(era: Era): Promise<MessageCheck> {
  const { wrongMessage } = await serverOf[era]();
  return (message) => {
    const wrong = wrongMessage(message);
    return wrong === null ? null : `The line ${wrong}`;
  };
}

interface Running {
  close(): Promise<void>;
}

async function serve2025(parts: ServerParts, input: Readable, output: Writable): Promise<Running> {
  const [{ createServer2025 }, { StdioServerTransport }] = await Promise.all([
    serverOf["2025"](),
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
    serverOf["2026"](),
    import("@modelcontextprotocol/server/stdio"),
  ]);
  const transport = refuseWrongParams(new StdioServerTransport(input, output), () => undefined);
  return serve(() => createServer2026(parts), { transport });
}
