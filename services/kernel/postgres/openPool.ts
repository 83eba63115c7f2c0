import pg from "pg";
import type { Log } from "../log.ts";

/** Connections to one database. Only the wrappers of this folder run queries on it. */
export interface DatabasePool {
  connect(): Promise<DatabaseClient>;
  /** Waits for what runs, then closes. */
  end(): Promise<void>;
}

/** A connection for the length of one transaction. */
export interface DatabaseClient {
  query<R extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly R[]; readonly rowCount: number | null }>;
  /** @param broken true when the connection must not be used again */
  release(broken?: boolean): void;
}

const CONNECT_MS = 5_000;
/** A server that accepts and then says nothing: the connection is given up, so that no caller waits for ever. */
const QUERY_MS = 60_000;
const IDLE_MS = 30_000;
const INT8 = 20;

/**
 * Opens a pool; nothing is connected before the first query, and a lost connection is replaced at the next one.
 * No session state is kept: the embedded server is one session behind all connections, so `size` is 1 on it.
 *
 * Connections pipeline: statements sent without awaiting each other travel in one flight.
 */
export function openPool(options: { url: string; size: number; log: Log }): DatabasePool {
  const { url, size, log } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: "cazi",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    types: { getTypeParser },
    ...{ pipeline: true },
  });
  // Without a listener a server that goes away while nobody asks it anything would end the process.
  pool.on("error", (error) =>
    log.warn({ error }, "a database connection was lost; the next query opens another"),
  );
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    connect: () => pool.connect() as unknown as Promise<DatabaseClient>,
    end: () => pool.end(),
  };
}

/** `bigint` as a number wherever that is exact, else as a `bigint`: never a rounded one, never a string. */
function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  if (oid === INT8 && format !== "binary") return parseInt8;
  return pg.types.getTypeParser(oid, format as "text");
}

function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
