/**
 * One Postgres session, many connections. PGlite is a single backend: what two clients send must not interleave,
 * neither within a transaction nor between the Parse and the Sync of one query. So a connection takes the
 * session for a turn, from its first frame to the ReadyForQuery that says idle; the others wait in line.
 *
 * Not hidden, because it cannot be: SET without LOCAL, session advisory locks and temporary tables are
 * everybody's, until the last client has gone; notifications do not arrive.
 */
import {
  closeStatementFrame,
  type Frame,
  fatalFrame,
  queryFrame,
  readyStatus,
  scopeStatement,
  syncFrame,
} from "./pgFrames.ts";

/** The session's own door: takes protocol bytes, gives protocol bytes. Never called while a call is pending. */
export type ExecuteProtocol = (message: Uint8Array, onData: (data: Uint8Array) => void) => Promise<void>;

export interface Client {
  write(data: Uint8Array): void;
  /** Ends the connection after what was written. */
  end(): void;
}

export interface Connection {
  receive(frame: Frame): void;
  /** The client has gone; its transaction, if any, is rolled back. */
  closed(): void;
}

interface Member {
  readonly client: Client;
  readonly scope: string;
  readonly pending: Buffer[];
  readonly statements: Set<string>;
  gone: boolean;
}

/**
 * @param options.turnMsMax longest turn; a client that holds the session longer, between two statements, is ended
 * @param options.broken called once when the session itself fails; the process must then be replaced
 */
export function sharedSession(options: {
  execute: ExecuteProtocol;
  turnMsMax: number;
  broken: (error: unknown) => void;
}): { connect(client: Client): Connection } {
  const { execute, turnMsMax, broken } = options;
  const members = new Set<Member>();
  const line: Member[] = [];
  let owner: Member | null = null;
  let status: "I" | "T" | "E" | null = "I";
  let turnTimer: NodeJS.Timeout | null = null;
  let working = false;
  let nextScope = 1;

  function connect(client: Client): Connection {
    const member: Member = {
      client,
      scope: `c${nextScope++}_`,
      pending: [],
      statements: new Set(),
      gone: false,
    };
    members.add(member);
    return {
      receive: (frame) => {
        const bytes = accepted(member, frame);
        if (bytes === null) return;
        member.pending.push(bytes);
        if (owner !== member && !line.includes(member)) line.push(member);
        void work();
      },
      closed: () => leave(member),
    };
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    try {
      while (await step());
    } catch (error) {
      broken(error);
    }
    working = false;
  }

  /** Does one thing; false when there is nothing to do now. */
  async function step(): Promise<boolean> {
    if (owner === null) {
      const next = line.shift();
      if (next === undefined) return false;
      owner = next;
      turnTimer = setTimeout(() => overstayed(next), turnMsMax);
    }
    if (owner.gone) {
      await cleanUpAfter(owner);
      endTurn();
      return true;
    }
    const batch = nextBatch(owner.pending);
    if (batch === null) {
      if (status !== "I") return false;
      endTurn();
      return true;
    }
    await run(owner, batch);
    if (status === "I") endTurn();
    return true;
  }

  async function run(member: Member | null, batch: Uint8Array): Promise<void> {
    let tail: Buffer = Buffer.alloc(0);
    status = null;
    await execute(batch, (data) => {
      // The engine reuses its buffer after the call.
      const copy = Buffer.from(data);
      tail = Buffer.concat([tail, copy]).subarray(-6);
      if (member !== null && !member.gone) member.client.write(copy);
    });
    status = readyStatus(tail);
  }

  function endTurn(): void {
    if (turnTimer !== null) clearTimeout(turnTimer);
    turnTimer = null;
    const member = owner;
    owner = null;
    status = "I";
    if (member !== null && !member.gone && member.pending.length > 0) line.push(member);
  }

  function overstayed(member: Member): void {
    if (owner !== member || member.gone) return;
    member.client.write(fatalFrame("25P04", `the transaction was open longer than ${turnMsMax / 1000} s`));
    member.client.end();
    leave(member);
  }

  function leave(member: Member): void {
    if (member.gone) return;
    member.gone = true;
    members.delete(member);
    member.pending.length = 0;
    // It takes one more turn, to be tidied up after.
    if (owner !== member && !line.includes(member)) line.push(member);
    void work();
  }

  async function cleanUpAfter(member: Member): Promise<void> {
    if (status === null) await run(null, syncFrame);
    if (status !== "I") await run(null, queryFrame("ROLLBACK"));
    if (member.statements.size > 0) {
      await run(null, Buffer.concat([...[...member.statements].map(closeStatementFrame), syncFrame]));
    }
    if (members.size === 0) await run(null, queryFrame("DISCARD ALL"));
  }

  return { connect };
}

/** The frame's bytes as the session gets them, or null when it is not for the session. */
function accepted(member: Member, frame: Frame): Buffer | null {
  if (member.gone) return null;
  if (frame.kind === "startup") return frame.bytes;
  if (frame.kind !== "message" || frame.type === "X") return null;
  const { bytes, name } = scopeStatement(frame.type, frame.bytes, member.scope);
  if (name !== null && frame.type === "P") member.statements.add(name);
  if (name !== null && frame.type === "C") member.statements.delete(name);
  return bytes;
}

/** Frames up to the next one that makes the session answer (query, sync), or all there are. */
function nextBatch(pending: Buffer[]): Buffer | null {
  if (pending.length === 0) return null;
  const end = pending.findIndex((frame) => frame[0] === 0x51 || frame[0] === 0x53 || frame[0] === 0);
  const batch = pending.splice(0, end === -1 ? pending.length : end + 1);
  return Buffer.concat(batch);
}
