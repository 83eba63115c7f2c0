/** Tenants, users, tokens, sign-in, and what they may use. */
import type { ProblemList } from "./problemEntry.ts";

export const peopleProblems = {
  INSTALLATION_ONLY: {
    status: 403,
    means:
      "This concerns the whole installation, and the token is of another tenant than the installation's own.",
    todo: "Ask an admin of the installation: a token of the tenant that CAZI_TENANT names.",
  },
  TENANT_NOT_FOUND: {
    status: 404,
    means: "There is no tenant of this name, or the token may not know of it.",
    todo: "Look at `cazi tenant list` for the right name.",
  },
  TENANT_EXISTS: {
    status: 409,
    means: "There is a tenant of this name already; perhaps it was removed, and its record stays.",
    todo: "Choose another name, or change the one that is there with `cazi tenant set`, also `--restore`.",
  },
  TENANT_IS_HOME: {
    status: 409,
    means: "The installation is administered from this tenant, so it cannot be removed.",
    todo: "Remove users and revoke tokens of it instead.",
  },
  USER_NOT_FOUND: {
    status: 404,
    means: "There is no user of this name in the tenant, or the user was removed.",
    todo: "Look at `cazi user list` for the right name.",
  },
  USER_EXISTS: {
    status: 409,
    means:
      "There is a user of this name or login in the tenant already; perhaps removed, and the record stays.",
    todo: "Choose another name, or change the one that is there with `cazi user set`, also `--restore`.",
  },
  TOKEN_NOT_FOUND: {
    status: 404,
    means: "There is no token of this id in the tenant.",
    todo: "Look at `cazi token list` for the right id.",
  },
  TOKEN_INVALID: {
    status: 422,
    means: "The token that was asked for contradicts itself or its user. Nothing was made.",
    todo: "Correct what `errors` names.",
  },
  TOKEN_SHOWN_ALREADY: {
    status: null,
    means: "The answer that held a new token was lost, and a token is shown once.",
    todo: "Revoke the token that the message names, and make another one.",
  },
  TOKENS_UNREACHABLE: {
    status: 503,
    means: "Who the token speaks for cannot be told, or not be changed, because NATS does not answer.",
    todo: "Send the request again in a moment; look at the NATS server when it happens again.",
  },
  SIGN_IN_UNREACHABLE: {
    status: 503,
    means: "The keys of the sign-in's issuer cannot be read, so a signed token cannot be checked now.",
    todo: "Send the request again in a moment; see that the server reaches CAZI_OIDC_ISSUER.",
  },
  QUOTA_EXCEEDED: {
    status: 429,
    means: "The tenant has as much of something as it may have at once. Nothing was stored.",
    todo: "`limit` and `quota` say of what and how much. Wait until some of it is over, or have an admin of the installation raise it with `cazi tenant set`.",
  },
  QUOTA_UNKNOWN: {
    status: 503,
    means:
      "A downstream task waits: its tenant has limits, and no server of the API says whether it is within them.",
    todo: "See that `cazi serve control-plane` runs and reaches NATS; the sinks role asks again by itself.",
  },
} as const satisfies ProblemList;
