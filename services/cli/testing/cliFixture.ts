/** The command line in this process, against an API over parts in memory that listens. */
import { tempHome } from "../../../test/support/tempHome.ts";
import type { ApiPorts } from "../../control-plane/ports.ts";
import { type ApiFixture, apiFixture, testToken } from "../../control-plane/testing/apiFixture.ts";
import {
  type CommandDone,
  type CommandInput,
  type RunningCommand,
  startCommand,
} from "./commandInProcess.ts";

type Given = Partial<CommandInput>;

export interface CliFixture {
  readonly api: ApiFixture;
  readonly url: string;
  /** The folder that is CAZI_HOME. */
  readonly home: string;
  /** Starts one command with the fixture's environment, and what `given` says besides. */
  start(args: readonly string[], given?: Given): RunningCommand;
  /** The same to its end. */
  cazi(args: readonly string[], given?: Given): Promise<CommandDone>;
  stop(): Promise<void>;
}

/** @param prepare what is done to the API before it listens */
export async function cliFixture(
  change: Partial<ApiPorts> = {},
  prepare: (api: ApiFixture) => void = () => undefined,
): Promise<CliFixture> {
  const home = tempHome();
  const api = await apiFixture(change);
  prepare(api);
  const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
  const env = { CAZI_HOME: home.path, CAZI_URL: url, CAZI_TOKEN: testToken };
  const start = (args: readonly string[], given: Given = {}) =>
    startCommand(args, { ...given, env: { ...env, ...given.env } });
  return {
    api,
    url,
    home: home.path,
    start,
    cazi: (args, given) => start(args, given).done,
    stop: async () => {
      api.stopping.abort();
      await api.app.close();
      home.remove();
    },
  };
}
