/** Workload tokens, the keys they are signed with, and stored connections. */
import type { ProblemList } from "./problemEntry.ts";

export const identityProblems = {
  WORKLOAD_TOKEN_INVALID: {
    status: 401,
    means:
      "The workload token is not one of this Cazi, is for somebody else, or its attempt is not running any more.",
    todo: "Send the CAZI_WORKLOAD_TOKEN of the container's own environment, while the container runs.",
  },
  KEYS_UNAVAILABLE: {
    status: 503,
    means: "The signing keys of workload tokens cannot be read or written now.",
    todo: "Send the request again; look at the NATS server when it happens again.",
  },
  KEY_NOT_FOUND: {
    status: 404,
    means: "There is no signing key of this id.",
    todo: "`cazi keys list` shows those there are. One that is retired is forgotten, and signs nothing.",
  },
  CONNECTION_NOT_FOUND: {
    status: 404,
    means: "There is no connection of this name in the tenant.",
    todo: "List the connections, and correct the name.",
  },
  CONNECTION_UNKNOWN: {
    status: 422,
    means: "The spec names a connection that is not stored. Nothing was submitted.",
    todo: "Correct the name, or have an admin store it with `cazi connection set`.",
  },
  CONNECTION_VALUE_SHORT: {
    status: 422,
    means:
      "A value of the connection has fewer than 6 bytes, so that output could not be masked for it. Nothing was stored.",
    todo: "Take a longer secret. What is no secret, such as a user's name, belongs into the spec's `environment`.",
  },
  CONNECTIONS_UNAVAILABLE: {
    status: 503,
    means: "The stored connections cannot be read or written now.",
    todo: "Send the request again; look at the NATS server when it happens again.",
  },
  MASTER_KEY_INVALID: {
    status: null,
    means: "The master key, which stored secrets are sealed under, is too short to be one.",
    todo: "Make one with `openssl rand -base64 32` and set it as CAZI_MASTER_KEY, the same for every control plane.",
  },
  MASTER_KEY_WRONG: {
    status: 500,
    means: "The stored secrets were sealed under another master key than the one that this process has.",
    todo: "Set the CAZI_MASTER_KEY that they were sealed under, or put `master-key` back into CAZI_HOME.",
  },
} as const satisfies ProblemList;
