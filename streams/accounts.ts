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

/** Where a client in another account asks: there the server's usual prefix leads to streams of that account. */
export const importedApiPrefix = "JS.cazi.API";
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
    name: "subscriber-<name>@<tenant>",
    about:
      "An outside subscriber of a tenant's feed, one account each; made by `cazi subscriber add`, ended by `cazi subscriber remove`.",
    imports: subscriberImports("<name>@<tenant>").map(({ subject }) => subject),
    jetstream: false,
  },
  {
    name: "node-<node>",
    about: "A standalone node, one account each; made by `cazi node add`, ended by `cazi node remove`.",
    imports: nodeImports("node").map(({ subject }) => subject),
    jetstream: false,
  },
];

/** A subject of the services' account, and the name that an importing account has for it. */
export interface ImportedSubject {
  readonly subject: string;
  readonly local: string;
}

/** What the services' account lets other accounts take, where the operator signs that they do. */
export interface ExportedSubject {
  readonly subject: string;
  readonly type: "service" | "stream";
}

/**
 * Of streams only what a consumer that Cazi made is given to read: a consumer cannot be made, changed or deleted, nor a
 * message read by its sequence. Of a node: what it says and asks under its own name.
 */
export const servicesExports: readonly ExportedSubject[] = [
  ...subscriberImports("*").map(({ subject }) => subject),
  ...ofAnyNode((node) => nodeImports(node).map(({ subject }) => subject)),
]
  .map((subject): ExportedSubject => ({ subject, type: "service" }))
  .concat(ofAnyNode(nodeHints).map((subject) => ({ subject, type: "stream" })));

/**
 * What a subscriber's account takes from the services' account: fetch, look at the consumer, acknowledge. Its user may
 * publish to these and to nothing else. Replies go through the server's own mapping, never to a subject named.
 * @param consumer by `subscriberDurable`
 */
export function subscriberImports(consumer: string): readonly ImportedSubject[] {
  const stream = eventsStream(DEFAULT_SHARD);
  const api = [`CONSUMER.MSG.NEXT.${stream}.${consumer}`, `CONSUMER.INFO.${stream}.${consumer}`];
  const ack = `$JS.ACK.${stream}.${consumer}.>`;
  return [
    ...api.map((rest) => ({
      subject: `${SERVER_API_PREFIX}.${rest}`,
      local: `${importedApiPrefix}.${rest}`,
    })),
    { subject: ack, local: ack },
  ];
}

/**
 * What a standalone node's own account takes from the services' account, and what its user may publish to: the
 * subjects of its own name. Which name that is the operator signs; whoever holds the account cannot change it.
 */
export function nodeImports(node: string): readonly ImportedSubject[] {
  const claims = [`CONSUMER.MSG.NEXT.CLAIMS.${token(node)}`, `CONSUMER.INFO.CLAIMS.${token(node)}`];
  const same = [
    subjects.register({ node }),
    subjects.beat({ node }),
    subjects.grant({ node }),
    subjects.logOffset({ node }),
    subjects.heartbeat({ node }),
    filters.reportsOf({ node }),
    filters.logsOf({ node }),
    `$JS.ACK.CLAIMS.${token(node)}.>`,
  ];
  return [
    ...claims.map((rest) => ({
      subject: `${SERVER_API_PREFIX}.${rest}`,
      local: `${importedApiPrefix}.${rest}`,
    })),
    ...same.map((subject) => ({ subject, local: subject })),
  ];
}

/** What a standalone node hears of the services' account, beside answers. */
export function nodeHints(node: string): readonly string[] {
  return [subjects.control({ node })];
}

/** The same for every node: in place of the name any one token. */
function ofAnyNode(list: (node: string) => readonly string[]): readonly string[] {
  const placeholder = "any-node";
  return list(placeholder).map((subject) =>
    subject
      .split(".")
      .map((part) => (part === placeholder ? "*" : part))
      .join("."),
  );
}
