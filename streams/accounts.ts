/**
 * NATS accounts, as data. Subject permissions alone do not protect the ledger: a client that may publish only
 * its own reports published one with a ledger subject as the *reply* subject, and the server's own
 * acknowledgement became that task's newest message. An account of its own cannot reach a subject that it does
 * not import, not even through a reply.
 */
import { DEFAULT_SHARD, eventsStream } from "./streams.ts";
import { filters, subjects, token } from "./subjects.ts";

export interface AccountSpec {
  readonly name: string;
  readonly about: string;
  /** What it takes from the services' account; empty for the services' account itself. */
  readonly imports: readonly string[];
  readonly jetstream: boolean;
}

export const accounts: readonly AccountSpec[] = [
  {
    name: "system",
    about: "The server's own: monitoring, and announcing the accounts of new nodes.",
    imports: [],
    jetstream: false,
  },
  { name: "services", about: "Every role of Cazi, and the embedded node.", imports: [], jetstream: true },
  {
    name: "subscriber",
    about: "An outside subscriber of the default tenant's feed; each further one is an account of its own.",
    imports: subscriberImports("subscriber"),
    jetstream: false,
  },
];

/**
 * What the services' account lets other accounts ask for, all of the feed and of no other stream. A consumer cannot be
 * made, changed or deleted, nor a message read by its sequence: only what a consumer that Cazi made is given to read.
 */
export const servicesExports: readonly string[] = subscriberRequests("*", "*.>");

/** What a subscriber's account takes from the services' account. Its user may publish to these and to nothing else. */
export function subscriberImports(name: string): readonly string[] {
  return subscriberRequests(token(name), `${token(name)}.>`);
}

/** Fetch, look at the consumer, acknowledge. Replies go through the server's own mapping, never to a subject named. */
function subscriberRequests(consumer: string, acks: string): readonly string[] {
  const stream = eventsStream(DEFAULT_SHARD);
  return [
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
    `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
    `$JS.ACK.${stream}.${acks}`,
  ];
}

/** What a standalone node's own account imports. Attaching such nodes comes later; the list is what they may ever need. */
export function nodeImports(node: string): readonly string[] {
  return [
    subjects.grant({ node }),
    subjects.beat({ node }),
    subjects.control({ node }),
    filters.claimsOf({ node }),
    filters.reportsOf({ node }),
    filters.logsOf({ node }),
  ];
}
