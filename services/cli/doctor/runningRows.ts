/** What the stores, the disk and the engine say of what runs. Pure. */
import { type Row, rowOf } from "./row.ts";

export interface LedgerFacts {
  readonly lastSeq: number;
  readonly messages: number;
  /** Sequences without a message: erased tasks, or lost ones. */
  readonly deleted: number;
  /** What comparing it with the copy in Postgres gave. */
  readonly compared: "ok" | { readonly regressed: string };
  /** Up to where Postgres and the feed hold it; null where there is nothing of it yet. */
  readonly projected: number | null;
  readonly relayed: number | null;
  readonly deadLetters: number;
}

/** More than a moment's work. */
const BEHIND_MAX = 1_000;

export function ledgerRows(facts: LedgerFacts): Row[] {
  const { compared, lastSeq, messages, deleted, deadLetters } = facts;
  const complete =
    compared === "ok"
      ? rowOf(
          "ledger",
          "ok",
          `${messages} events${deleted > 0 ? `, ${deleted} erased` : ""}; the newest that Postgres has a copy of is there`,
        )
      : rowOf(
          "ledger",
          "fail",
          `the ledger has lost events: ${compared.regressed}`,
          "Nothing is written to it. Bring back its data, or repair it from the copy in Postgres.",
        );
  return [
    complete,
    behindRow("projector", "Postgres", lastSeq, facts.projected),
    behindRow("feed", "the public feed", lastSeq, facts.relayed),
    deadLetters === 0
      ? rowOf("dead_letters", "ok", "none")
      : rowOf(
          "dead_letters",
          "warn",
          `${deadLetters} ${deadLetters === 1 ? "message" : "messages"} could never be handled`,
          "Read stream DEADLETTERS: the header Cazi-Reason says why; remove what was looked at.",
        ),
  ];
}

function behindRow(id: "projector" | "feed", what: string, last: number, at: number | null): Row {
  const lag = Math.max(0, last - (at ?? 0));
  if (lag === 0) return rowOf(id, "ok", `${what} holds all of the ledger`);
  const found = `${what} is ${lag} ${lag === 1 ? "event" : "events"} behind the ledger`;
  if (lag <= BEHIND_MAX && at !== null) return rowOf(id, "ok", found);
  return rowOf(
    id,
    "warn",
    found,
    "Run doctor again: a number that does not shrink means that its role is in trouble.",
  );
}

/** A clock, and by how much it is ahead of this machine's, in milliseconds. */
export interface ClockOffset {
  readonly whose: string;
  readonly aheadMs: number;
}

/** Tokens, retries and due times are read by other clocks than they were written by. */
const SKEW_MAX_MS = 2_000;

export function clocksRow(offsets: readonly ClockOffset[]): Row {
  const off = offsets.filter(({ aheadMs }) => Math.abs(aheadMs) > SKEW_MAX_MS);
  if (off.length === 0) {
    const of = offsets.map(({ whose }) => whose).join(", ");
    return rowOf("clocks", "ok", `${of} and this machine agree within ${SKEW_MAX_MS / 1000} s`);
  }
  const said = off.map(({ whose, aheadMs }) => {
    return `${whose} is ${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine`;
  });
  return rowOf(
    "clocks",
    "warn",
    said.join(", "),
    "Let the machines take their time from the same place (NTP).",
  );
}

export interface DiskFacts {
  readonly path: string;
  readonly usedBytes: number;
  readonly freeBytes: number;
}

const GIB = 1024 ** 3;

/** @param full why nothing may be stored, as the API decides it; null while there is room */
export function diskRow({ path, usedBytes, freeBytes }: DiskFacts, full: string | null): Row {
  const share = Math.floor((100 * usedBytes) / Math.max(1, usedBytes + freeBytes));
  const found = `${(freeBytes / GIB).toFixed(1)} GiB free under ${path} (${share} % used)`;
  if (full !== null)
    return rowOf(
      "disk",
      "fail",
      `${found}: submits are refused`,
      "Free room on it; what runs still ends meanwhile.",
    );
  if (share >= 75 && freeBytes < 10 * GIB)
    return rowOf("disk", "warn", found, "Free room before it is full.");
  return rowOf("disk", "ok", found);
}

/** @param isRunning whether Cazi runs, and so looks after them */
export function leftContainersRow(of: { running: number; ended: number }, isRunning: boolean): Row {
  const count = (number: number, what: string) =>
    `${number} ${number === 1 ? "container" : "containers"} ${what}`;
  if (of.running + of.ended === 0) return rowOf("left_containers", "ok", "none of this instance");
  const found = `${count(of.running, "running")}, ${of.ended} ended`;
  if (isRunning) return rowOf("left_containers", "ok", `${found}; looked after by the node`);
  return rowOf(
    "left_containers",
    "warn",
    `${found}, and no Cazi runs that looks after them`,
    "Start Cazi, which reports how they ended; or stop them with `cazi down`.",
  );
}
