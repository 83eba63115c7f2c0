/** The command line in this process, against an API over parts in memory that listens. */
import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { tempHome } from "../../../test/support/tempHome.ts";
import type { ApiPorts } from "../../control-plane/ports.ts";
import { type ApiFixture, apiFixture, testToken } from "../../control-plane/testing/apiFixture.ts";
import { systemClock } from "../../kernel/clock.ts";
import { loadConfig } from "../../kernel/config.ts";
import { createOutput } from "../output/output.ts";
import { runCli } from "../runCli.ts";

export interface CliFixture {
  readonly api: ApiFixture;
  /** Runs one command to its end, with nothing on standard input and no terminal. */
  cazi(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  stop(): Promise<void>;
}

export async function cliFixture(change: Partial<ApiPorts> = {}): Promise<CliFixture> {
  const home = tempHome();
  const api = await apiFixture(change);
  const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
  const env = { CAZI_HOME: home.path, CAZI_URL: url, CAZI_TOKEN: testToken };
  return {
    api,
    cazi: async (args) => {
      const stdout = new PassThrough();
      const stderr = new PassThrough();
      const code = await runCli(args, {
        env,
        version: "0.0.0",
        stdin: Readable.from([]),
        stdout,
        stderr,
        output: createOutput({ stdout, stderr }),
        clock: systemClock,
        random: () => 0,
        fetch,
        signals: new EventEmitter(),
        exitNow: () => undefined,
        settings: () => loadConfig(env, () => ""),
      });
      return { code, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? "") };
    },
    stop: async () => {
      api.stopping.abort();
      await api.app.close();
      home.remove();
    },
  };
}
