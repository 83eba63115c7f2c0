/** A failure of a request that has no result to put it into: reading a resource, getting a prompt, completing. */
import { CaziError, Rejection } from "../services/kernel/errors.ts";
import { type Failure, failureOf } from "./failure.ts";

/** Numbers of JSON-RPC, and the one that MCP added for a resource (which 2026-07-28 folds into invalid params). */
const rpcCodes = { invalid: -32_602, notFound: -32_002, internal: -32_603 } as const;

/** Carried to the client as it is: both server libraries send `code`, `message` and `data` of what is thrown. */
export class ProtocolFailure extends Error {
  override readonly name = "ProtocolFailure";
  readonly code: number;
  readonly data: Failure & { readonly uri?: string };

  constructor(kind: keyof typeof rpcCodes, data: Failure & { readonly uri?: string }) {
    super(data.message);
    this.code = rpcCodes[kind];
    this.data = data;
  }
}

/**
 * Runs what reads a resource or makes a prompt.
 * @param uri of the resource, where it is one: what is not there is then "not found", not "invalid"
 * @throws ProtocolFailure for every failure that has a code; anything else is a bug and stays one
 */
export async function asProtocolFailure<T>(work: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CaziError)) throw error;
    const failure = failureOf(error);
    throw new ProtocolFailure(kindOf(error, uri), uri === undefined ? failure : { ...failure, uri });
  }
}

function kindOf(error: CaziError, uri: string | undefined): keyof typeof rpcCodes {
  const { status } = error.fields;
  if (!(error instanceof Rejection) || typeof status !== "number" || status >= 500) return "internal";
  return uri !== undefined && (status === 404 || status === 410) ? "notFound" : "invalid";
}
