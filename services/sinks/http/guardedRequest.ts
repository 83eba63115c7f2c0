import { lookup } from "node:dns/promises";
import { once } from "node:events";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { SecureContext } from "node:tls";
import { plainIp } from "../../kernel/outbound/classifyAddress.ts";
import {
  hostOf,
  mayBePrivate,
  type OutboundPolicy,
  whyNotAddress,
  whyNotTarget,
} from "../../kernel/outbound/outboundPolicy.ts";
import { answerBytesMax, connectMs, headersMs } from "../limits.ts";

/** What is behind requests of tenants. */
export interface Guard {
  readonly policy: OutboundPolicy;
  /** Every address of a host. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Who may sign certificates; undefined: the platform's own list. */
  readonly trust?: SecureContext | undefined;
}

/** The addresses of the system's resolver. */
export async function systemAddresses(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map((one) => one.address);
}

export interface GuardedRequest {
  readonly tenant: string;
  readonly url: URL;
  readonly method: "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  /** Sent whole, with its length. */
  readonly body: Uint8Array | { readonly length: number; readonly bytes: AsyncIterable<Uint8Array> };
  /** For all of it, in milliseconds. */
  readonly wholeMs: number;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The beginning of its body. */
  readonly text: string;
}

/** The target is one that must not be reached. Trying again changes nothing. */
export class TargetNotAllowed extends Error {
  override readonly name = "TargetNotAllowed";
}

/**
 * Sends one request to where a tenant asked for, and nowhere else: the name is resolved once, every address of it is
 * looked at, the connection goes to one that was looked at, and the socket is asked where it really is. No redirect is
 * followed, and no proxy of the environment is used.
 * @throws TargetNotAllowed; Error for what went wrong on the way
 */
export async function guardedRequest(request: GuardedRequest, guard: Guard): Promise<Answer> {
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new Error(`took longer than ${request.wholeMs / 1000} s`)),
    request.wholeMs,
  );
  try {
    const pinned = await pinnedAddress(request, guard);
    return await send(request, { address: pinned, trust: guard.trust }, deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function pinnedAddress({ tenant, url }: GuardedRequest, guard: Guard): Promise<string> {
  const { policy } = guard;
  const why = whyNotTarget(policy, tenant, url);
  if (why !== null) throw new TargetNotAllowed(`the address ${why}`);
  const host = hostOf(url);
  if (isIP(host)) return host;
  const addresses = await within(connectMs, guard.resolve(host), `the name ${host} was not resolved`);
  const [first] = addresses;
  if (first === undefined) throw new Error(`the name ${host} has no address`);
  const allowed = mayBePrivate(policy, tenant, url);
  for (const address of addresses) {
    const bad = whyNotAddress(address, allowed);
    if (bad !== null) throw new TargetNotAllowed(`the name ${host} ${bad}`);
  }
  return first;
}

async function send(
  request: GuardedRequest,
  { address, trust }: { readonly address: string; readonly trust: Guard["trust"] },
  signal: AbortSignal,
): Promise<Answer> {
  const { url, method, body } = request;
  const sent = (url.protocol === "https:" ? https : http).request(url, {
    method,
    headers: { ...request.headers, "content-length": String(body.length), connection: "close" },
    // An agent of its own: no socket that something else opened, and none left over.
    agent: false,
    lookup: always(address),
    ...(trust === undefined ? {} : { secureContext: trust }),
    signal,
  });
  const failed = new Promise<never>((_, reject) => sent.on("error", reject));
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  // Told through whichever of the steps waits for it.
  for (const one of [failed, answered]) one.catch(() => undefined);
  try {
    await Promise.race([within(connectMs, connected(sent, address), "no connection"), failed]);
    const finished = finish(sent, body);
    finished.catch(() => undefined);
    // An answer may come before all is sent, and the connection be closed on it.
    await Promise.race([finished, answered, failed]);
    const [response] = await Promise.race([within(headersMs, answered, "no answer"), failed]);
    return {
      status: response.statusCode ?? 0,
      retryAfter: response.headers["retry-after"] ?? null,
      text: await beginning(response),
    };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    sent.destroy();
  }
}

/** Resolves when the socket is there, and where it has to be. */
async function connected(sent: ClientRequest, address: string): Promise<void> {
  const [socket] = (await once(sent, "socket")) as [Socket];
  if (socket.connecting) await once(socket, "connect");
  const real = socket.remoteAddress ?? "";
  if (plainIp(real) === plainIp(address)) return;
  throw new TargetNotAllowed(`the connection leads to ${real || "nowhere"} instead of ${address}`);
}

async function finish(sent: ClientRequest, body: GuardedRequest["body"]): Promise<void> {
  if (body instanceof Uint8Array) {
    sent.end(body);
    return;
  }
  await pipeline(Readable.from(body.bytes, { objectMode: false }), sent);
}

async function beginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length >= answerBytesMax) break;
  }
  return Buffer.concat(parts).subarray(0, answerBytesMax).toString("utf8");
}

function always(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
}

async function within<T>(ms: number, step: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${otherwise} within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([step, late]);
  } finally {
    clearTimeout(timer);
  }
}
