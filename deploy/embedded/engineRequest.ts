/** The few calls to a Docker engine's API that setting it up takes; running containers is the node agent's. */
import { request } from "node:http";

export type EngineAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

/** @returns null for a scheme other than `unix://` and plain `tcp://` */
export function engineAddress(dockerHost: string): EngineAddress | null {
  if (dockerHost.startsWith("unix://")) return { socketPath: dockerHost.slice("unix://".length) };
  if (!URL.canParse(dockerHost)) return null;
  const { protocol, hostname, port } = new URL(dockerHost);
  if (protocol !== "tcp:" && protocol !== "http:") return null;
  return { host: hostname, port: port === "" ? 2375 : Number(port) };
}

export interface EngineAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * One request. @throws Error when there is no answer within `timeoutMs`, or the address is not usable
 */
export function engineRequest(
  dockerHost: string,
  options: { method: "GET" | "POST"; path: string; body?: Uint8Array; timeoutMs: number },
): Promise<EngineAnswer> {
  const address = engineAddress(dockerHost);
  if (address === null) return Promise.reject(new Error(`${dockerHost} is neither unix:// nor tcp://`));
  const { method, path, body, timeoutMs } = options;
  const headers = body ? { "content-type": "application/x-tar", "content-length": body.length } : {};
  return new Promise((resolve, reject) => {
    const call = request({ ...address, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on("error", reject);
    });
    call.setTimeout(timeoutMs, () => call.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    call.on("error", reject);
    call.end(body);
  });
}

/** Null when the engine answers, else why not. */
export async function engineSilence(dockerHost: string): Promise<NodeJS.ErrnoException | null> {
  try {
    const { status } = await engineRequest(dockerHost, { method: "GET", path: "/_ping", timeoutMs: 3_000 });
    return status === 200 ? null : new Error(`it answers with status ${status}`);
  } catch (error) {
    return error as Error;
  }
}
