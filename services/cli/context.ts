/** What a command is given of the world. `main.ts` makes the real one; nothing else reads `process`. */
import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type ApiClient, createApiClient } from "../kernel/client/apiClient.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config, ShownSetting } from "../kernel/config.ts";
import { findServer } from "./findServer.ts";
import type { Output } from "./output/output.ts";

export interface Settings {
  readonly config: Config;
  readonly shown: readonly ShownSetting[];
  readonly given: ReadonlySet<keyof Config>;
}

export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stdin: Readable;
  /** The protocol of `cazi mcp` needs the stream itself. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly output: Output;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: typeof fetch;
  /** `process`, for its signals. */
  readonly signals: Pick<EventEmitter, "on" | "off">;
  /** Ends this process at once. */
  readonly exitNow: (code: number) => void;
  /** Read at first use, so that `--help` works beside a wrong setting. */
  readonly settings: () => Settings;
}

/** @throws Rejection `NOT_RUNNING`, `TOKEN_MISSING`, `CONFIG_INVALID` */
export function connect(
  context: CliContext,
  route: "cli" | "mcp" = "cli",
  fetch: CliContext["fetch"] = context.fetch,
): ApiClient {
  const { clock, random } = context;
  return createApiClient({ ...findServer(context.settings().config), route, clock, random, fetch });
}
