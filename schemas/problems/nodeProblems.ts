/** Nodes: declaring, cordoning and removing them, and their NATS accounts. */
import type { ProblemList } from "./problemEntry.ts";

export const nodeProblems = {
  NODE_NOT_FOUND: {
    status: 404,
    means: "There is no node of this name.",
    todo: "`cazi nodes`, or `GET /v1/nodes`, lists them. `cazi node add` makes a new one.",
  },
  NODE_NOT_STANDALONE: {
    status: 409,
    means: "A node of this name lives in the services' own account, as the embedded one does.",
    todo: "Choose another name for the new node. To take that one away, end its process first.",
  },
  NODE_BUSY: {
    status: 409,
    means: "Attempts are on the node, so it is not removed.",
    todo: "`cazi node drain --wait` lets them end. With `--force` they are cut off and count as lost.",
  },
  NODE_KEYS_MISSING: {
    status: null,
    means: "The keys that sign the account of a node are not here.",
    todo: "Run the command with the CAZI_HOME of `cazi up`; for a NATS server of your own set CAZI_NATS_OPERATOR_SEED_FILE and CAZI_NATS_SYSTEM_CREDS.",
  },
  NODE_CREDS_MISMATCH: {
    status: null,
    means: "The credentials are of a node of another name.",
    todo: "Leave `--name` and CAZI_NODE out: the name is in the credentials.",
  },
  NODE_REFUSED: {
    status: null,
    means:
      "The NATS server does not take a standalone node's credentials: the node was removed, or `cazi node add --renew` made new ones.",
    todo: "End the node's agent and remove the credentials file. `cazi node add` where Cazi runs makes new ones, for the same name too.",
  },
  POLICY_INVALID: {
    status: null,
    means: "A project's policy, or a path of its files, is not one that a node runs; the task ends with it.",
    todo: "Check the folder with `cazi agent policy validate --strict --project-confined`, and submit it again.",
  },
  NODE_CREDS_EXIST: {
    status: null,
    means: "The file that the credentials would be written to is there already.",
    todo: "Name another with `--creds`, or move that one away.",
  },
  NATS_ACCOUNTS_REFUSED: {
    status: null,
    means: "The NATS server takes no accounts at run time, or not from this operator.",
    todo: "It must run in operator mode with a full resolver (docs/nodes.md), and trust the key that signs.",
  },
} as const satisfies ProblemList;
