import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { openArtifactStore } from "../../kernel/artifacts/artifactStore.ts";
import { historyOf } from "../../kernel/artifacts/taskArtifacts.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../kernel/config.ts";
import type { ConnectionStore } from "../../kernel/connections/connectionStore.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import { createLogSource } from "../../kernel/logs/logSource.ts";
import type { Metrics } from "../../kernel/metrics/metrics.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { Identity } from "../identity/identity.ts";
import type { ModelCalls } from "../model/modelCalls.ts";
import type { ChildTasks } from "../process/childTasks.ts";
import { previousOutput } from "../stdin/previousOutput.ts";
import { watchStorage } from "../submit/storageWatch.ts";
import { ARTIFACTS_PATH, buildArtifactApp, STDIN_PATH } from "./artifactApp.ts";
import { ArtifactRecords, type History } from "./artifactRecords.ts";
import { expireArtifacts } from "./expireArtifacts.ts";
import { HostedFiles } from "./hostedFiles.ts";
import { type ListenWish, listenAt, listenWish } from "./listenAt.ts";
import type { ReadPorts } from "./readArtifact.ts";

export interface ArtifactParts {
  readonly config: Pick<
    Config,
    | "home"
    | "artifactListen"
    | "artifactUrl"
    | "artifactFileBytesMax"
    | "artifactFilesMax"
    | "artifactBytesMax"
  >;
  readonly nats: Nats;
  readonly ledger: TaskLedger;
  readonly identity: Pick<Identity, "verify" | "issuer" | "jwks">;
  /** What is masked in the output of a task before. */
  readonly connections: Pick<ConnectionStore, "secrets">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether a tenant may store so many bytes more. @throws Retryable `QUOTA_EXCEEDED` */
  readonly admitUpload?: (tenant: string, bytes: number) => Promise<void>;
  /** What takes commands of scripts; null while the API is not up. */
  readonly children?: () => ChildTasks | null;
  /** What asks a model for scripts; null while the API is not up. */
  readonly models?: () => ModelCalls | null;
  /** Gateway of the Docker bridge of an engine on this machine, where it is known. */
  readonly bridgeGateway: string | null;
}

export interface Artifacts {
  /** What a grant hands over as the place to publish at; null where none is offered. */
  readonly url: string | null;
  /** What a grant hands over as the place of the output of the task before; null where none is offered. */
  readonly stdinUrl: string | null;
  /** For the API, which serves the files. */
  readonly reads: ReadPorts;
  readonly hosted: HostedFiles;
  stop(): Promise<void>;
}

/**
 * Takes files from containers, and removes what has expired. Needs no Postgres: what runs goes on publishing while it
 * is away.
 * @throws Rejection `CONFIG_INVALID`, `SETTING_MISSING`, `PORT_TAKEN`
 */
export async function startArtifacts(parts: ArtifactParts): Promise<Artifacts> {
  const { config, nats, ledger, identity, clock, log } = parts;
  const reads = artifactReads(parts);
  const { store, records } = reads;
  const storage = watchStorage({ nats, log, home: config.home });
  const logs = createLogSource({ nats, clock });
  const hosted = watchHosted(parts.metrics);
  const app = await buildArtifactApp({
    ledger,
    records,
    store,
    clock,
    log,
    hosted,
    meter: parts.metrics,
    admit: parts.admitUpload ?? (async () => undefined),
    storage,
    limits: {
      fileBytesMax: config.artifactFileBytesMax,
      filesMax: config.artifactFilesMax,
      taskBytesMax: config.artifactBytesMax,
    },
    verify: (token) => identity.verify(token, identity.issuer()),
    jwks: () => identity.jwks(),
    ...(parts.children === undefined ? {} : { children: parts.children }),
    ...(parts.models === undefined ? {} : { models: parts.models }),
    previousOutput: (by) => previousOutput({ ledger, logs, connections: parts.connections }, by),
  });
  const wish = listenWish(config.artifactListen, parts.bridgeGateway);
  const url = wish === null ? null : await open(app, wish, config.artifactUrl);
  if (url !== null) log.info({ url }, "containers publish files here");
  const note = join(config.home, "artifact-url");
  await (url === null ? rm(note, { force: true }) : writeFile(note, `${url}\n`)).catch((error) => {
    log.debug({ error }, "doctor cannot be told where containers publish files");
  });
  const stopExpiry = expireArtifacts({ ledger, records, store, hosted, clock, log });
  return {
    url,
    stdinUrl: url === null ? null : new URL(STDIN_PATH.slice(1), url).href,
    reads,
    hosted,
    stop: async () => {
      await app.close();
      storage.stop();
      await stopExpiry();
    },
  };
}

function watchHosted(metrics: Metrics): HostedFiles {
  const hosted = new HostedFiles();
  metrics.watch("artifacts", (set) => {
    const inAll = hosted.inAll();
    if (inAll === null) return;
    set("cazi_artifacts_hosted", {}, inAll.files);
    set("cazi_artifacts_hosted_bytes", {}, inAll.bytes);
  });
  return hosted;
}

/** What serving files takes. */
export function artifactReads(parts: Pick<ArtifactParts, "nats" | "ledger" | "clock">): ReadPorts {
  const { nats, ledger, clock } = parts;
  const history: History = (key, options) => historyOf(nats, key, options);
  return { records: new ArtifactRecords({ ledger, history }), store: openArtifactStore(nats), clock };
}

async function open(app: FastifyInstance, wish: ListenWish, told: string): Promise<string> {
  const anywhere = wish.hosts.some((host) => host === "0.0.0.0" || host === "::");
  if (anywhere && told === "") {
    throw new Rejection("SETTING_MISSING", "CAZI_ARTIFACT_LISTEN on every address needs CAZI_ARTIFACT_URL", {
      hint: "Set CAZI_ARTIFACT_URL to the address at which containers and nodes reach it.",
    });
  }
  const base = await listenAt(app, wish);
  return told === "" ? `${base}${ARTIFACTS_PATH}` : told.replace(/\/+$/, "");
}
