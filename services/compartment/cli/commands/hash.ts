/** `agent hash`: the fingerprints of a file or a package's folder, in the form that a policy takes. */
import { resolve } from "node:path";
import { fingerprint } from "../../policy/packageGraph.ts";
import type { RunCommand } from "../agentIo.ts";

export const hash: RunCommand = async (io, flags) => {
  const [name] = flags.positionals;
  const source = fingerprint(resolve(io.cwd, name!));
  const integrity = `${source.fnv1a64},sha256:${source.sha256}`;
  if (flags.switches.has("json")) {
    const { bytes, fnv1a64, sha256 } = source;
    io.out(
      `${JSON.stringify({ type: "agent_hash", path: name, bytes, fnv1a64, sha256: `sha256:${sha256}`, integrity })}\n`,
    );
  } else io.out(`${integrity}\n`);
  return 0;
};
