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

/** Where a subscriber's client asks: in its own account the server's usual prefix leads to streams of its own. */
export const subscriberApiPrefix = "JS.cazi.API";
const SERVER_API_PREFIX = "$JS.API";

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
    imports: subscriberImports("subscriber").map(({ subject }) => subject),
    jetstream: false,
  },
];

/** A subject of the services' account, and the name that an importing account has for it. */
export interface ImportedSubject {
  readonly subject: string;
  readonly local: string;
}

/**
 * What the services' account lets other accounts ask for, all of the feed and of no other stream. A consumer cannot be
 * made, changed or deleted, nor a message read by its sequence: only what a consumer that Cazi made is given to read.
 */
export const servicesExports: readonly string[] = subscriberRequests("*").map(({ subject }) => subject);

/** What a subscriber's account takes from the services' account. Its user may publish to these and to nothing else. */
export function subscriberImports(name: string): readonly ImportedSubject[] {
  return subscriberRequests(token(name));
}

/** Fetch, look at the consumer, acknowledge. Replies go through the server's own mapping, never to a subject named. */
function subscriberRequests(consumer: string): readonly ImportedSubject[] {
  const stream = eventsStream(DEFAULT_SHARD);
  const api = [`CONSUMER.MSG.NEXT.${stream}.${consumer}`, `CONSUMER.INFO.${stream}.${consumer}`];
  const ack = `$JS.ACK.${stream}.${consumer}.>`;
  return [
    ...api.map((rest) => ({
      subject: `${SERVER_API_PREFIX}.${rest}`,
      local: `${subscriberApiPrefix}.${rest}`,
    })),
    { subject: ack, local: ack },
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
