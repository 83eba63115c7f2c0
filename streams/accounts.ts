/**
 * NATS accounts, as data. Subject permissions alone do not protect the ledger: a client that may publish only
 * its own reports published one with a ledger subject as the *reply* subject, and the server's own
 * acknowledgement became that task's newest message. An account of its own cannot reach a subject that it does
 * not import, not even through a reply.
 */
import { filters, subjects } from "./subjects.ts";

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
];

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
