/** `agent hash`: the fingerprints of a file or a package's folder, in the form that a policy takes. */
import { resolve } from "node:path";
import { type Fingerprint, fingerprint, readPackageGraph } from "../../policy/packageGraph.ts";
import { readSource } from "../../policy/readSource.ts";
import type { RunCommand } from "../agentIo.ts";
import { usage } from "../parseFlags.ts";

export const hash: RunCommand = async (io, flags) => {
  const [name] = flags.positionals;
  const source = fingerprintOf(resolve(io.cwd, name!), flags.texts.get("kind"));
  const integrity = `${source.fnv1a64},sha256:${source.sha256}`;
  if (flags.switches.has("json")) {
    const { bytes, fnv1a64, sha256 } = source;
    io.out(
      `${JSON.stringify({ type: "agent_hash", path: name, bytes, fnv1a64, sha256: `sha256:${sha256}`, integrity })}\n`,
    );
  } else io.out(`${integrity}\n`);
  return 0;
};

/** With a kind, what is there must be of it. */
function fingerprintOf(path: string, kind: string | undefined): Fingerprint {
  switch (kind) {
    case undefined:
      return fingerprint(path);
    case "file":
      return readSource(path);
    case "package":
      return readPackageGraph(path);
    default:
      throw usage("--kind is file or package.");
  }
}
