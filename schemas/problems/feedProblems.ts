/** The public feed and the schemas of its events. */
import type { ProblemList } from "./problemEntry.ts";

export const feedProblems = {
  FEED_UNAVAILABLE: {
    status: 503,
    means: "The feed cannot be read now: its server does not answer.",
    todo: "Send the request again; a follower goes on after the last id that it saw.",
  },
  FEED_STREAMS_FULL: {
    status: 503,
    means: "As many streams of events are open at this server as it serves at a time.",
    todo: "Come again, close streams that nobody reads, or subscribe on JetStream, which has no such bound.",
  },
  SCHEMA_NOT_FOUND: {
    status: 404,
    means: "No schema with this fingerprint was ever released.",
    todo: "`GET /v1/schemas` lists all. A fingerprint is 16 hex digits, the most significant byte first.",
  },
  FEED_FOREIGN_MESSAGE: {
    status: null,
    means: "The newest message of the feed was not written by the relay, so nothing more is fed.",
    todo: "Delete that message from the stream, and take the right to publish from whoever wrote it.",
  },
  FEED_PLACE_LOST: {
    status: null,
    means: "The feed was emptied, and how far it was in the ledger is not known.",
    todo: "Delete its stream: it is made anew, and the whole history is fed again.",
  },
  FEED_SHORTER: {
    status: null,
    means: "The feed has lost events that were in it.",
    todo: "Nothing: they are fed again, at the same places.",
  },
  RELAY_ENDED: {
    status: null,
    means: "The relay was asked to end in the middle of its work.",
    todo: "Nothing: it goes on at the feed's newest message when it is started again.",
  },
  SUBSCRIBER_NOT_FOUND: {
    status: 404,
    means: "There is no subscriber of this name in the tenant.",
    todo: "`cazi subscriber list --tenant NAME` lists them.",
  },
  SUBSCRIBER_EXISTS: {
    status: 409,
    means:
      "The subscriber has another account than the one that was to be replaced: somebody else was faster.",
    todo: "Look with `cazi subscriber list`, then run `cazi subscriber add --renew` again if it is still wanted.",
  },
} as const satisfies ProblemList;
