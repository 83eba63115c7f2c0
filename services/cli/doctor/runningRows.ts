/** What the stores, the disk and the engine say of what runs. Pure. */
import { type Row, rowOf } from "./row.ts";

export interface LedgerFacts {
  readonly lastSeq: number;
  readonly messages: number;
  /** Sequences without a message: erased tasks, or lost ones. */
  readonly deleted: number;
  /** Of those, events that the copy has and no erasure explains. */
  readonly unexplained: number;
  /** What comparing its end with the copy in Postgres gave. */
  readonly compared: "ok" | { readonly regressed: string };
  /** The newest comparison, as recorded: when all of it was compared, null for never; and what differed. */
  readonly check: { readonly at: number | null; readonly differences: number };
  /** Id of a repair that was begun and is not finished. */
  readonly repair: string | null;
  /** Events that a person has to look at. */
  readonly conflicts: number;
  /** Up to where Postgres and the feed hold it; null where there is nothing of it yet. */
  readonly projected: number | null;
  readonly relayed: number | null;
  readonly deadLetters: number;
  /** Erased tasks of which something is left, and the reader of the ledger that they wait for. */
  readonly erasure: {
    readonly waiting: number;
    /** `since` in milliseconds since 1970. */
    readonly heldUpBy: { readonly reader: string; readonly seq: number; readonly since: number } | null;
    readonly now: number;
  };
}

/** More than a moment's work. */
const BEHIND_MAX = 1_000;

export function ledgerRows(facts: LedgerFacts): Row[] {
  const { deadLetters } = facts;
  const ledger = ledgerRow(facts);
  return [
    ledger,
    ...(ledger.status === "fail" ? waitingRows(facts) : behindRows(facts)),
    erasureRow(facts.erasure),
    deadLetters === 0
      ? rowOf("dead_letters", "ok", "none")
      : rowOf(
          "dead_letters",
          "warn",
          `${deadLetters} ${deadLetters === 1 ? "message" : "messages"} could never be handled`,
          "See `cazi dead list` and `cazi dead show N`; then `cazi dead resend N`, or `cazi dead drop N`.",
        ),
  ];
}

function ledgerRow({ compared, check, repair, conflicts, ...facts }: LedgerFacts): Row {
  const broken = (found: string) =>
    rowOf(
      "ledger",
      "fail",
      found,
      "Nothing is written to it. See `cazi ledger verify`, then `cazi ledger repair`.",
    );
  if (repair !== null)
    return rowOf(
      "ledger",
      "fail",
      `the repair ${repair} is not finished`,
      "Run `cazi ledger repair` again: it goes on.",
    );
  if (compared !== "ok") return broken(`the ledger has lost events: ${compared.regressed}`);
  if (facts.unexplained > 0)
    return broken(`${facts.unexplained} events are gone that the copy has and no erasure explains`);
  if (check.differences > 0)
    return broken(`the last comparison with the copy found ${check.differences} events that differ`);
  if (conflicts > 0)
    return rowOf("ledger", "warn", `${conflicts} events wait for a person`, "See `cazi ledger conflicts`.");
  const erased = facts.deleted > 0 ? `, ${facts.deleted} erased` : "";
  const when = check.at === null ? "never" : `at ${new Date(check.at).toISOString()}`;
  return rowOf(
    "ledger",
    "ok",
    `${facts.messages} events${erased}; its end is as the copy's; compared whole with it: ${when}`,
    check.at === null ? "`cazi ledger verify` compares every event." : null,
  );
}

function behindRows({ lastSeq, projected, relayed }: LedgerFacts): Row[] {
  return [
    behindRow("projector", "Postgres", lastSeq, projected),
    behindRow("feed", "the public feed", lastSeq, relayed),
  ];
}

/** Beside a ledger that is not whole, how far they are behind its end says nothing: they may be ahead of it. */
function waitingRows({ lastSeq, projected, relayed }: LedgerFacts): Row[] {
  const waits = (id: "projector" | "feed", what: string, at: number | null) =>
    rowOf(
      id,
      "warn",
      `${what} is at sequence ${at ?? 0}, the ledger ends at ${lastSeq}; it waits until the ledger is whole`,
      "Repair the ledger first: docs/runbooks/ledger-repair.md.",
    );
  return [waits("projector", "Postgres", projected), waits("feed", "the public feed", relayed)];
}

/** Longer than a restart. */
const HELD_UP_MAX_MS = 60_000;

function erasureRow({ waiting, heldUpBy, now }: LedgerFacts["erasure"]): Row {
  const tasks = `${waiting} erased ${waiting === 1 ? "task" : "tasks"}`;
  if (heldUpBy === null || now - heldUpBy.since < HELD_UP_MAX_MS) {
    return rowOf(
      "erasure",
      "ok",
      waiting === 0 ? "nothing of erased tasks can be read any more" : `${tasks} are being cleared`,
    );
  }
  const { reader, seq, since } = heldUpBy;
  return rowOf(
    "erasure",
    "warn",
    `since ${new Date(since).toISOString()} ${tasks} wait for the ${reader}, which is at sequence ${seq}`,
    `Start the ${reader}, or see what it says is wrong. If it is gone for good: \`cazi ledger forget ${reader}\`.`,
  );
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
