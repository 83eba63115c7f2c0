/** A registry's bad days: stands in front of a real one and limits, slows, cuts or refuses as it is told. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RegistryProxy {
  /** What an image reference names instead of the registry. */
  readonly address: string;
  /** From the next request for a manifest on, `windows` times: for so many seconds 429 with Retry-After to all. */
  limit(windows: number, retryAfterSeconds: number): void;
  /** Bytes a second of each layer; null as fast as they come. */
  slow(bytesPerSecond: number | null): void;
  /** Cuts the connection of the next `times` layers after so many bytes. */
  cut(times: number, afterBytes: number): void;
  /** Every request is answered so. */
  refuse(status: number, code: string): void;
  /** Manifests and layers that were asked for and let through. */
  readonly passed: readonly { readonly method: string; readonly path: string; readonly atMs: number }[];
  /** Layers on their way at once, at most. */
  readonly layersAtOnceMax: number;
  /** Nothing listens there any more. */
  close(): Promise<void>;
  /** Listens again at the same address. */
  open(): Promise<void>;
}

const SMALL_BYTES = 64 * 1024;

/** Starts one before `target`, such as `127.0.0.1:5000`. */
export async function startRegistryProxy(target: string): Promise<RegistryProxy> {
  const rules = { windows: 0, retryAfterMs: 0, limitedUntilMs: 0, bytesPerSecond: null as number | null };
  const cuts = { times: 0, afterBytes: 0 };
  let refusal: { status: number; code: string } | null = null;
  const passed: { method: string; path: string; atMs: number }[] = [];
  let layersNow = 0;
  let layersAtOnceMax = 0;

  const limited = (path: string): number | null => {
    const now = performance.now();
    if (now >= rules.limitedUntilMs && rules.windows > 0 && path.includes("/manifests/")) {
      rules.windows--;
      rules.limitedUntilMs = now + rules.retryAfterMs;
    }
    return now < rules.limitedUntilMs ? Math.ceil((rules.limitedUntilMs - now) / 1000) : null;
  };
  const answer = (reply: ServerResponse, status: number, code: string, more: Record<string, string> = {}) => {
    reply.writeHead(status, { "content-type": "application/json", ...more });
    reply.end(JSON.stringify({ errors: [{ code, message: "as the test has it" }] }));
  };

  const handle = (asked: IncomingMessage, reply: ServerResponse) => {
    const path = asked.url ?? "";
    if (refusal !== null && path !== "/v2/") return answer(reply, refusal.status, refusal.code);
    const seconds = limited(path);
    if (seconds !== null) {
      return answer(reply, 429, "TOOMANYREQUESTS", { "Retry-After": String(seconds) });
    }
    if (path !== "/v2/") passed.push({ method: asked.method ?? "", path, atMs: performance.now() });
    const onward = request(`http://${target}${path}`, { method: asked.method, headers: asked.headers });
    onward.on("error", () => reply.destroy());
    onward.on("response", (found) => {
      reply.writeHead(found.statusCode ?? 502, found.headers);
      if (path.includes("/blobs/") && asked.method === "GET") sendLayer(found, reply);
      else found.pipe(reply);
    });
    asked.pipe(onward);
  };

  const sendLayer = (found: IncomingMessage, reply: ServerResponse) => {
    // An image's configuration is a blob too, and small.
    if (Number(found.headers["content-length"]) > SMALL_BYTES) {
      layersAtOnceMax = Math.max(layersAtOnceMax, ++layersNow);
      reply.on("close", () => layersNow--);
    }
    const cutAfter = cuts.times > 0 ? cuts.afterBytes : Number.POSITIVE_INFINITY;
    cuts.times--;
    let sent = 0;
    found.on("data", (chunk: Buffer) => {
      sent += chunk.length;
      if (sent >= cutAfter) return reply.destroy();
      reply.write(chunk);
      if (rules.bytesPerSecond === null) return;
      found.pause();
      setTimeout(() => found.resume(), (chunk.length / rules.bytesPerSecond) * 1000);
    });
    found.on("end", () => reply.end());
  };

  let server: Server = createServer(handle);
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    limit: (windows, retryAfterSeconds) =>
      Object.assign(rules, { windows, retryAfterMs: retryAfterSeconds * 1000 }),
    slow: (bytesPerSecond) => Object.assign(rules, { bytesPerSecond }),
    cut: (times, afterBytes) => Object.assign(cuts, { times, afterBytes }),
    refuse: (status, code) => {
      refusal = { status, code };
    },
    passed,
    get layersAtOnceMax() {
      return layersAtOnceMax;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    open: async () => {
      server = createServer(handle);
      await listen(port);
    },
  };
}
