/** What can be wrong with a request itself. */
import type { ProblemList } from "./problemEntry.ts";

export const requestProblems = {
  REQUEST_INVALID: {
    status: 400,
    means:
      "A parameter, a header or a member of the body is not one that is known here, or has a wrong value.",
    todo: "Correct each place that `errors` names. `/openapi.json` says what is taken.",
  },
  REQUEST_MALFORMED: {
    status: 400,
    means: "What came over the connection is not a request of HTTP/1.1, so nothing of it was looked at.",
    todo: "Send HTTP/1.1 without TLS to this port, or correct the client that wrote the request.",
  },
  REQUEST_TIMED_OUT: {
    status: 408,
    means: "The request did not arrive whole within 30 seconds.",
    todo: "Send it again; look at the connection when it happens again.",
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    means: "The headers of the request are larger than 16 KiB together.",
    todo: "Send fewer or shorter headers; cookies are not used here.",
  },
  ROLE_TOO_LOW: {
    status: 403,
    means: "The token is valid, but its role may not do this. Nothing was changed.",
    todo: "Use a token with the role that the message names; an admin of the tenant can make one.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    means: "There is something at this address, but not for this method.",
    todo: "Use one of the methods that the header `Allow` lists.",
  },
  BODY_INVALID: {
    status: 400,
    means: "The body of the request cannot be read as JSON.",
    todo: "Send one JSON value as UTF-8 text, and its Content-Type.",
  },
  BODY_TOO_LARGE: {
    status: 413,
    means: "The body of the request is larger than what is read. Nothing was stored.",
    todo: "Put large data into the image, a mount or a place that the task reads from, and send less.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    means: "The Content-Type of the body is not one that is read here.",
    todo: "Send `application/json`, or a spec as `application/yaml`.",
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    means:
      "The header `Idempotency-Key` cannot be used: it is empty, too long, given twice, or not printable ASCII.",
    todo: "Send it once, with 1 to 255 printable ASCII characters and no spaces.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    means: "The Idempotency-Key belongs to another request that created something. Nothing new was stored.",
    todo: "Use a new key for a new task, or send exactly the request that the key was first used for.",
  },
  CURSOR_INVALID: {
    status: 400,
    means: "The cursor was not made by this list, or was changed on the way.",
    todo: "Send `next_cursor` of the page before as it is, or leave the cursor out to begin anew.",
  },
  SELECTION_INVALID: {
    status: 400,
    means: "The selection of a bulk action is not one that a preview gave, or was changed on the way.",
    todo: "Ask for a preview, look at it, and send its `selection` as it is.",
  },
  SELECTION_TOO_LARGE: {
    status: 422,
    means: "More tasks match than one bulk action may be done to. Nothing was done.",
    todo: "Narrow the filter, by time or label for example, and do it in parts.",
  },
  POSITION_INVALID: {
    status: 400,
    means: "The position is not one that this server gave.",
    todo: "Send what the header `Cazi-Position` of an answer held, as it is.",
  },
  POSITION_OF_OTHER_EPOCH: {
    status: 409,
    means:
      "The position belongs to another life of the ledger than the one that is there now: the ledger was made anew or restored since.",
    todo: "Forget the position. Read without `min_seq`, and go on with positions of new answers.",
  },
  PRECONDITION_FAILED: {
    status: 412,
    means: "The task has moved on since the ETag that `If-Match` names. Nothing was changed.",
    todo: "Read the task again, decide anew, and send the request with the new ETag or without `If-Match`.",
  },
  NAME_INVALID: {
    status: 400,
    means: "A name that becomes a part of an address inside Cazi has characters that it must not have.",
    todo: "Use lower-case letters, digits, `-` and `_`, at most 63 of them, beginning with a letter or a digit.",
  },
  UNAUTHENTICATED: {
    status: 401,
    means: "The request has no bearer token, or one that is not valid.",
    todo: "Send `Authorization: Bearer <token>`; the first token is in the file `token` of the server's CAZI_HOME. Of one that expired or was revoked the answer says so: `cazi token create` makes another.",
  },
  RATE_LIMITED: {
    status: 429,
    means: "More requests came than a limit allows; `limit` says which one. Nothing was stored.",
    todo: "Send the request again after `Retry-After` seconds. CAZI_RATE_LIMIT_… sets the limits; 0 takes one away.",
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    means: "The Host header names another machine, as a web page does that was made to point here.",
    todo: "Use the address that the server printed.",
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    means: "The request to `/mcp` comes from a web page of another machine.",
    todo: "Connect from a program, or add the page's name to `CAZI_ALLOWED_HOSTS`.",
  },
  NOT_FOUND: {
    status: 404,
    means: "There is nothing at this address.",
    todo: "`/openapi.json` lists what there is.",
  },
} as const satisfies ProblemList;
