/** NATS and Postgres as they are: versions, what they sync, and whether they agree. Reads only. */

import { feedHeaders } from "../../../schemas/messages/feed.ts";
import { heartbeat } from "../../../schemas/messages/node.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { DEFAULT_SHARD, eventsStream, ledgerStream } from "../../../streams/streams.ts";
import { decideAck } from "../../control-plane/submit/ack.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../kernel/config.ts";
import { Rejection } from "../../kernel/errors.ts";
import { isNoMessage } from "../../kernel/ledger/appendEvent.ts";
import { readErasurePlace } from "../../kernel/ledger/erasurePlace.ts";
import { createLog } from "../../kernel/log.ts";
import { connectNats, type Nats } from "../../kernel/nats/connectNats.ts";
import { natsTls } from "../../kernel/nats/tls.ts";
import { type DatabasePool, openPool } from "../../kernel/postgres/openPool.ts";
import { lookAtRowSecurity } from "../../kernel/postgres/rowSecurity.ts";
import { asOwner } from "../../kernel/postgres/transaction.ts";
import { findCheckpoint } from "../../projector/checkpoint.ts";
import { answerGuard } from "../../projector/regression.ts";
import { explainHoles } from "../../repair/explainHoles.ts";
import { ledgerSummary } from "../../repair/ledgerChecks.ts";
import { findCopyEnd } from "../../repair/readCopy.ts";
import { databaseOf, natsOf } from "../dependencies.ts";
import { artifactRoomRow } from "./artifactRows.ts";
import { durabilityRows, natsRow } from "./durabilityRows.ts";
import { type Row, rowOf, rowsOr } from "./row.ts";
import type { RowId } from "./rowCatalogue.ts";
import { rowSecurityRow } from "./rowSecurityRow.ts";
import { type ClockOffset, clocksRow, ledgerRows } from "./runningRows.ts";

/** A server that is there answers within this; what is asked of it has times of its own. */
const firstWaitMs = 2_000;
const stream = ledgerStream(DEFAULT_SHARD);

/** The rows that take both stores. */
const bothIds = [
  "ledger",
  "projector",
  "feed",
  "erasure",
  "dead_letters",
  "artifact_room",
  "clocks",
  "acknowledgement",
  "kill",
  "power_cut",
  "postgres_sync",
  "nats_replicas",
] as const satisfies readonly RowId[];

/** @param isRunning whether Cazi runs on the home: else its embedded servers are not there to be asked */
export async function lookAtStores(config: Config, clock: Clock, isRunning: boolean): Promise<Row[]> {
  let nats: Nats | null = null;
  let database: OpenDatabase | null = null;
  try {
    const [natsRows, postgresRows] = await Promise.all([
      rowsOr(
        { first: "nats", others: ["nats_accounts"], whenAway: startHint(config.natsUrl, "NATS_URL") },
        async () => {
          if (config.natsUrl === "") requireRunning(config, isRunning);
          nats = await openNats(config);
          return lookAtNats(nats);
        },
      ),
      rowsOr(
        {
          first: "postgres",
          others: ["row_security"],
          whenAway: startHint(config.databaseUrl, "DATABASE_URL"),
        },
        async () => {
          if (config.databaseUrl === "") requireRunning(config, isRunning);
          database = await openDatabase(config, clock);
          return [
            rowOf("postgres", "ok", `${database.embedded ? "embedded " : ""}${database.version}`),
            await rowSecurity(database),
          ];
        },
      ),
    ]);
    const rows = [...natsRows, ...postgresRows];
    return [...rows, ...(await lookAtBoth({ nats, database, config, clock, isRunning }))];
  } finally {
    await (nats as Nats | null)?.close();
    await (database as OpenDatabase | null)?.pool.end();
  }
}

async function lookAtBoth(of: {
  nats: Nats | null;
  database: OpenDatabase | null;
  config: Config;
  clock: Clock;
  isRunning: boolean;
}): Promise<Row[]> {
  const { nats, database, config, clock, isRunning } = of;
  if (nats === null || database === null) {
    const away = nats === null ? "NATS" : "Postgres";
    return bothIds.map((id) =>
      rowOf(id, "unknown", `not looked at: it takes ${away}, which was not reached`),
    );
  }
  const others = bothIds.filter((id) => id !== "ledger");
  return rowsOr({ first: "ledger", others, isRunning }, async () => {
    const { config: streamConfig, state } = await nats.jsm.streams.info(stream);
    const facts = {
      natsVersion: nats.connection.info?.version ?? "of unknown version",
      natsReplicas: streamConfig.num_replicas,
      postgresSyncs: database.syncs,
    };
    const natsReplicated = facts.natsReplicas > 1;
    const ack = decideAck({ setting: config.ack, ...facts, natsReplicated });
    const [compared, kept, checkpoint, relayed, dead, files, nodes, erasure] = await Promise.all([
      answerGuard(database.pool, DEFAULT_SHARD, questionsTo(nats)),
      whatIsRecorded(nats, database.pool),
      findCheckpoint(database.pool, DEFAULT_SHARD),
      relayedUpTo(nats),
      nats.jsm.streams.info("DEADLETTERS"),
      nats.jsm.streams.info("OBJ_artifacts"),
      nodeClocks(nats, clock),
      readErasurePlace(await nats.js.views.kv("cursors"), DEFAULT_SHARD),
    ]);
    return [
      ...ledgerRows({
        lastSeq: state.last_seq,
        messages: state.messages,
        deleted: state.num_deleted ?? 0,
        compared,
        ...kept,
        projected: checkpoint?.seq ?? null,
        relayed,
        deadLetters: dead.state.messages,
        erasure: {
          waiting: erasure.place?.waiting ?? 0,
          heldUpBy: erasure.place?.held_up_by ?? null,
          now: clock.now(),
        },
      }),
      artifactRoomRow(files.state.bytes, files.config.max_bytes),
      clocksRow([database.clock, ...nodes]),
      ...durabilityRows({ ...facts, ackSetting: config.ack, ack }),
    ];
  });
}

/** What to do about a server that does not answer: the embedded ones come with Cazi. */
function startHint(url: string, variable: string): string {
  return url === ""
    ? "Start Cazi with `npm start`; what was acknowledged is kept."
    : `Start it, or correct ${variable}.`;
}

/** @throws Rejection `NOT_RUNNING` */
function requireRunning({ home }: Config, isRunning: boolean): void {
  if (isRunning) return;
  throw new Rejection("NOT_RUNNING", `no Cazi runs on ${home}`, { hint: "Start it with `npm start`." });
}

function openNats(config: Config): Promise<Nats> {
  const { url, credsFile } = natsOf(config);
  const tls = natsTls(config);
  return connectNats({ url, credsFile: credsFile || null, tls, name: "cazi doctor", firstWaitMs });
}

async function lookAtNats(nats: Nats): Promise<Row[]> {
  const { info } = nats.connection;
  const replicas = await nats.jsm.streams.info(stream).then(
    ({ config }) => config.num_replicas,
    () => 1,
  );
  const accounts =
    info?.auth_required || info?.nonce
      ? rowOf(
          "nats_accounts",
          "ok",
          `the server asks for credentials, and connections are ${info?.tls_required ? "" : "not "}encrypted; the embedded node shares the services' account`,
        )
      : rowOf(
          "nats_accounts",
          "not_enforced",
          "whoever reaches the NATS server may write to the ledger",
          "Give the server accounts and set NATS_CREDS; streams/README.md says what each needs.",
        );
  return [natsRow(info?.version ?? "of unknown version", replicas), accounts];
}

interface OpenDatabase {
  readonly pool: DatabasePool;
  readonly version: string;
  readonly syncs: boolean;
  readonly embedded: boolean;
  readonly clock: ClockOffset;
}

async function openDatabase(config: Config, clock: Clock): Promise<OpenDatabase> {
  const { url, size, embedded } = databaseOf(config);
  const pool = openPool({ url, size, log: createLog("silent", "doctor") });
  try {
    const asked = clock.now();
    const { rows } = await asOwner(pool, (client) =>
      client.query<{ version: string; fsync: string; commit: string; now: number }>(
        `SELECT version() AS version, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
                (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
      ),
    );
    const { version = "", fsync = "off", commit = "off", now = asked } = rows[0] ?? {};
    return {
      pool,
      embedded,
      version: version.split(" on ")[0] ?? version,
      syncs: fsync === "on" && commit !== "off",
      clock: { whose: "Postgres", aheadMs: ahead(Number(now), asked, clock.now()) },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function rowSecurity({ pool, embedded }: OpenDatabase): Promise<Row> {
  try {
    return rowSecurityRow(await asOwner(pool, lookAtRowSecurity), embedded);
  } catch (error) {
    return rowOf("row_security", "fail", `it cannot be looked at: ${(error as Error).message}`);
  }
}

/** By how much a time that was read between two of ours is ahead; nothing while it lies between them. */
function ahead(theirs: number, asked: number, answered: number): number {
  return theirs < asked ? theirs - asked : Math.max(0, theirs - answered);
}

/** What comparisons and repairs left in Postgres, and what the gaps in the stream are. */
async function whatIsRecorded(nats: Nats, pool: DatabasePool) {
  const [{ check, repair, conflicts }, copy] = await Promise.all([
    ledgerSummary(pool, DEFAULT_SHARD),
    findCopyEnd(pool, DEFAULT_SHARD),
  ]);
  const ours = check?.epoch === copy?.epoch ? check : null;
  const unexplained = copy === null ? 0 : await explainHoles({ nats, pool, shard: DEFAULT_SHARD }, copy);
  const differences = ours === null ? 0 : ours.missing + ours.altered + ours.replaced;
  // A part that was compared says what differs, and nothing of the rest.
  const at = ours?.whole ? ours.checkedAt : null;
  return { check: { at, differences }, repair, conflicts, unexplained };
}

function questionsTo(nats: Nats) {
  return {
    epoch: async () => String((await nats.jsm.streams.info(stream)).created),
    lastSeq: async () => (await nats.jsm.streams.info(stream)).state.last_seq,
    eventIdAt: async (seq: number) => {
      try {
        return decodeTaskEvent((await nats.jsm.streams.getMessage(stream, { seq })).data).id;
      } catch (error) {
        if (isNoMessage(error)) return null;
        throw error;
      }
    },
  };
}

/** The feed's last message says up to where it holds the ledger. */
async function relayedUpTo(nats: Nats): Promise<number | null> {
  const name = eventsStream(DEFAULT_SHARD);
  const { state } = await nats.jsm.streams.info(name);
  if (state.messages === 0) return null;
  const { header } = await nats.jsm.streams.getMessage(name, { seq: state.last_seq });
  const seq = Number(header.get(feedHeaders.ledgerSeq));
  return Number.isSafeInteger(seq) ? seq : null;
}

const NODES_MAX = 20;

/**
 * A heartbeat holds the node's time, and the server adds its own when it stores it. Both are moments apart, so what
 * differs is the clocks: the node's against NATS', and NATS' against ours by the youngest of them.
 */
async function nodeClocks(nats: Nats, clock: Clock): Promise<ClockOffset[]> {
  const bucket = await nats.js.views.kv("heartbeats");
  const keys: string[] = [];
  for await (const key of await bucket.keys()) if (keys.push(key) >= NODES_MAX) break;
  const offsets: ClockOffset[] = [];
  let newest = 0;
  for (const key of keys) {
    const entry = await bucket.get(key);
    const read = heartbeat.safeParse(entry?.json());
    if (entry === null || !read.success) continue;
    const stored = entry.created.getTime();
    newest = Math.max(newest, stored);
    offsets.push({ whose: `node ${key} (against NATS)`, aheadMs: read.data.at - stored });
  }
  // That it is old says only that nobody beats; that it is from the future says that the clocks differ.
  if (newest > clock.now()) offsets.push({ whose: "NATS", aheadMs: newest - clock.now() });
  return offsets;
}
