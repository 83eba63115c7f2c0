import { engineRequest } from "../../../deploy/embedded/engineRequest.ts";
import { decideAck } from "../../control-plane/submit/ack.ts";
import type { Config } from "../../kernel/config.ts";
import { Retryable } from "../../kernel/errors.ts";
import { createLog } from "../../kernel/log.ts";
import { connectNats } from "../../kernel/nats/connectNats.ts";
import { openPool } from "../../kernel/postgres/openPool.ts";
import { asOwner } from "../../kernel/postgres/transaction.ts";
import { type CliContext, connect } from "../context.ts";
import { databaseOf, natsOf } from "../dependencies.ts";
import { durabilityFindings } from "../doctor/durabilityFindings.ts";
import { engineFindings } from "../doctor/engineFindings.ts";
import { type Finding, findingOf } from "../doctor/finding.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { table } from "../output/table.ts";
import { defaultDockerHost } from "./stopLeftContainers.ts";

const timeoutMs = 5_000;

/** Prints what Cazi stands on. Exits 1 when something that it needs does not answer. */
export async function doctor(context: CliContext, options: { readonly output: Format }): Promise<number> {
  const { config } = context.settings();
  const found = await Promise.all([
    findingOf("node", async () => [
      { check: "node", result: "ok", found: `Node ${process.versions.node}`, advice: "" },
    ]),
    findingOf("api", () => lookAtApi(context)),
    findingOf("engine", () => lookAtEngine(config)),
    lookAtStores(config),
  ]);
  const findings = found.flat();
  const forPeople = () =>
    table<Finding>(
      [
        { title: "CHECK", cell: (one) => one.check },
        { title: "RESULT", cell: (one) => one.result },
        { title: "FOUND", cell: (one) => one.found },
        { title: "ADVICE", cell: (one) => one.advice },
      ],
      findings,
    );
  await context.output.data(
    await render(options.output, { value: findings, items: findings, table: forPeople }),
  );
  return findings.some(({ result }) => result === "failed") ? exitCodes.failure : exitCodes.ok;
}

async function lookAtApi(context: CliContext): Promise<Finding[]> {
  const client = connect(context);
  const { status, reasons } = await client.readiness();
  await client.listNodes({ limit: 1 });
  if (status === "ok") return [{ check: "api", result: "ok", found: `${client.url} is ready`, advice: "" }];
  const why = reasons.map(({ message }) => message).join("; ");
  return [{ check: "api", result: "failed", found: `${client.url} is not ready: ${why}`, advice: "" }];
}

async function lookAtEngine(config: Config): Promise<Finding[]> {
  const address = config.dockerHost || defaultDockerHost;
  const ask = async (path: string) => {
    const { body } = await engineRequest(address, { method: "GET", path, timeoutMs }).catch((cause) => {
      throw new Retryable("ENGINE_UNREACHABLE", `no Docker engine answers at ${address}: ${cause.message}`, {
        cause,
        hint: "Start the engine or correct DOCKER_HOST; until then tasks stay pending. `npm start` starts one where it may.",
      });
    });
    return JSON.parse(body.toString("utf8")) as Record<string, unknown>;
  };
  const [version, info] = await Promise.all([ask("/version"), ask("/info")]);
  const components = (version.Components ?? []) as { Name: string; Version: string }[];
  return engineFindings({ address, version: String(version.Version), components, info });
}

async function lookAtStores(config: Config): Promise<Finding[]> {
  let natsVersion: string | null = null;
  let postgresSyncs: boolean | null = null;
  const [nats, postgres] = await Promise.all([
    findingOf("nats", async () => {
      natsVersion = await natsVersionOf(config);
      return [{ check: "nats", result: "ok", found: `nats-server ${natsVersion}`, advice: "" }];
    }),
    findingOf("postgres", async () => {
      const { version, syncs, embedded } = await postgresFacts(config);
      postgresSyncs = syncs;
      const kind = embedded ? "embedded " : "";
      return [{ check: "postgres", result: "ok", found: `${kind}${version}`, advice: "" }];
    }),
  ]);
  if (natsVersion === null || postgresSyncs === null) return [...nats, ...postgres];
  const facts = { natsVersion, postgresSyncs, ackSetting: config.ack };
  const ack = decideAck({ setting: config.ack, postgresSyncs, natsVersion, natsReplicated: false });
  return [...nats, ...postgres, ...durabilityFindings({ ...facts, natsReplicas: 1, ack })];
}

async function natsVersionOf(config: Config): Promise<string> {
  const { url, credsFile } = natsOf(config);
  const nats = await connectNats({
    url,
    credsFile: credsFile || null,
    name: "cazi doctor",
    firstWaitMs: timeoutMs,
  });
  try {
    return nats.connection.info?.version ?? "of unknown version";
  } finally {
    await nats.close();
  }
}

async function postgresFacts(
  config: Config,
): Promise<{ version: string; syncs: boolean; embedded: boolean }> {
  const database = databaseOf(config);
  const pool = openPool({ ...database, size: 1, log: createLog("silent", "doctor") });
  try {
    const { rows } = await asOwner(pool, (client) =>
      client.query<{ version: string; fsync: string; commit: string }>(
        "SELECT version() AS version, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
      ),
    );
    const { version = "", fsync = "off", commit = "off" } = rows[0] ?? {};
    const short = version.split(" on ")[0] ?? version;
    return { version: short, syncs: fsync === "on" && commit !== "off", embedded: database.embedded };
  } finally {
    await pool.end();
  }
}
