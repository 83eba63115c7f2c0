/** What the command line and the processes meet on a machine; no answer of the API has these codes. */
import type { ProblemList } from "./problemEntry.ts";

export const operationProblems = {
  USAGE: {
    status: null,
    means: "A command was given something that it cannot use.",
    todo: "Correct what the sentence names; `--help` after the command shows what it takes.",
  },
  API_UNREACHABLE: {
    status: null,
    means: "No server answers at the address.",
    todo: "Start Cazi with `npm start`, or correct CAZI_URL.",
  },
  API_SILENT: {
    status: null,
    means: "The server stopped sending in the middle of a followed output.",
    todo: "Run the command again; `cazi logs --after` goes on after a position.",
  },
  READER_UNKNOWN: {
    status: null,
    means: "No reader of the ledger has the name that `cazi ledger forget` was given.",
    todo: "Give one of those that the sentence names; `cazi doctor` says which one holds erasure up.",
  },
  NOT_RUNNING: {
    status: null,
    means: "No Cazi runs on this home.",
    todo: "Start it with `npm start`, or say with CAZI_HOME or CAZI_URL which one is meant.",
  },
  TOKEN_MISSING: {
    status: null,
    means: "The command line has no token for the server.",
    todo: "Set CAZI_TOKEN, or CAZI_HOME to the home that holds the file `token`.",
  },
  CONFIG_INVALID: {
    status: null,
    means: "A setting has a value that cannot be used.",
    todo: "Correct the variable that the sentence names; `cazi config` lists all of them.",
  },
  SETTING_MISSING: {
    status: null,
    means: "A role that runs alone needs a setting that has no default.",
    todo: "Set the variable that the sentence names.",
  },
  FILE_UNREADABLE: {
    status: null,
    means: "A file that was named cannot be read.",
    todo: "Look at its path and its permissions.",
  },
  FILE_UNWRITABLE: {
    status: null,
    means: "A file that was named cannot be written.",
    todo: "Look at its folder, its permissions and the room on its disk.",
  },
  REPAIR_RUNNING: {
    status: null,
    means: "Another repair of this ledger is running.",
    todo: "Wait for it; only one at a time may put events back.",
  },
  REPAIR_INTERRUPTED: {
    status: null,
    means:
      "A repair of the ledger was interrupted. Nothing is lost, and nothing is written until one is finished.",
    todo: "Run `cazi ledger repair` again; if it comes again, end every process of Cazi but the servers first.",
  },
  REBUILD_RUNNING: {
    status: null,
    means: "Another rebuild of the read models is running, or has taken over from this one.",
    todo: "Wait for it, and run `cazi projections rebuild` again; after a kill that is possible within half a minute.",
  },
  HOME_IN_USE: {
    status: null,
    means: "Another Cazi runs on this home.",
    todo: "Use that one, end it with `cazi down`, or set CAZI_HOME to another folder.",
  },
  HOME_UNUSABLE: {
    status: null,
    means: "The folder that holds the state cannot be made or written to.",
    todo: "Set CAZI_HOME to a folder that this user may write to.",
  },
  PORT_TAKEN: {
    status: null,
    means: "Another program listens on the port.",
    todo: "Set CAZI_PORT to another one, or unset it: then the next free one is used.",
  },
  TIMED_OUT: {
    status: null,
    means: "What was waited for did not happen in time.",
    todo: "Look at the state (`cazi list`, the log), and run the command again.",
  },
  NATS_LISTEN_UNSAFE: {
    status: null,
    means: "The embedded NATS server would listen beyond this machine without encryption.",
    todo: "Set CAZI_NATS_TLS_CERT and CAZI_NATS_TLS_KEY, or say with CAZI_NATS_LISTEN_PLAIN=yes that the network encrypts.",
  },
  NATS_MISSING: {
    status: null,
    means: "There is no NATS server on this machine, and none could be installed.",
    todo: "Install `nats-server`, or set NATS_URL to one that runs.",
  },
  ENGINE_UNREACHABLE: {
    status: null,
    means: "The Docker engine does not answer.",
    todo: "Start it, or set DOCKER_HOST to one that runs; `cazi doctor` says what it sees.",
  },
  SPEC_UNREADABLE: {
    status: null,
    means: "A node cannot read the spec that it was given: it is of an older version than the control plane.",
    todo: "Upgrade the node.",
  },
  FRAME_INVALID: {
    status: null,
    means: "The engine sent output in a form that is not Docker's.",
    todo: "Look at what is between the node and the engine; DOCKER_HOST must be a Docker engine.",
  },
  DATABASE_NEWER: {
    status: null,
    means: "A newer version of Cazi has changed the database.",
    todo: "Run that version, or restore a copy of the database from before.",
  },
  MIGRATION_EDITED: {
    status: null,
    means: "A migration that was applied is not the one that is there now.",
    todo: "Restore the file; a change is a new migration.",
  },
  MIGRATION_ORDER: {
    status: null,
    means: "A migration is new, and sorts before one that was applied.",
    todo: "Give it the next number.",
  },
  LEASE_LOST: {
    status: null,
    means: "Another process has taken over the role.",
    todo: "Nothing: this one waits until it is needed again.",
  },
  CHECKPOINT_MOVED_BACK: {
    status: null,
    means: "The checkpoint in Postgres is behind where this process left it: the database was restored.",
    todo: "Nothing: the projector begins again at the checkpoint. Find out who restored the database.",
  },
  PROJECTOR_ENDED: {
    status: null,
    means: "The projector was asked to end in the middle of its work.",
    todo: "Nothing: it goes on at its checkpoint when it is started again.",
  },
} as const satisfies ProblemList;
