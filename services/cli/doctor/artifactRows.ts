/** What doctor says of files that containers publish: where they go, and how much room there is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../kernel/config.ts";
import { type Row, rowOf } from "./row.ts";

/** @param answered what a request to it from this machine gave; null where it is off */
export function artifactsRow(url: string | null, answered: number | "no answer" | null): Row {
  if (url === null) {
    return rowOf(
      "artifacts",
      "warn",
      "off: containers cannot publish files, and what they leave in /artifacts is lost",
      "Set CAZI_ARTIFACT_LISTEN, and CAZI_ARTIFACT_URL where nodes are on other machines.",
    );
  }
  if (answered !== 200) {
    return rowOf(
      "artifacts",
      "fail",
      `containers are given ${url}, and from here it gives ${answered ?? "no answer"}`,
      "See that CAZI_ARTIFACT_URL leads to the port of CAZI_ARTIFACT_LISTEN, through every proxy and policy between.",
    );
  }
  if (/^https?:\/\/(127\.|localhost|\[::1\])/.test(url)) {
    return rowOf(
      "artifacts",
      "warn",
      `${url} answers, and is of this machine alone: containers of a bridge do not reach it`,
      "What they leave in /artifacts is stored. Set CAZI_ARTIFACT_LISTEN to an address that they reach.",
    );
  }
  return rowOf("artifacts", "ok", `${url} answers from here`);
}

const GIB = 1024 ** 3;
/** As the alert. */
const FULL_SHARE = 0.8;

/** @param maxBytes not positive for no limit */
export function artifactRoomRow(bytes: number, maxBytes: number): Row {
  const has = `${(bytes / GIB).toFixed(1)} GiB in the bucket of artifacts`;
  if (maxBytes <= 0) return rowOf("artifact_room", "ok", `${has}, which has no limit of its own`);
  const share = bytes / maxBytes;
  const found = `${has}, ${Math.floor(100 * share)} % of what it may hold`;
  if (share < FULL_SHARE) return rowOf("artifact_room", "ok", found);
  return rowOf(
    "artifact_room",
    "warn",
    found,
    "See docs/runbooks/full-disk.md: files are refused when it is full.",
  );
}

const timeoutMs = 5_000;

export async function lookAtArtifacts(
  config: Pick<Config, "home" | "url" | "artifactUrl">,
  isRunning: boolean,
): Promise<Row> {
  const url = config.artifactUrl || told(config.home);
  if (!isRunning) return rowOf("artifacts", "unknown", "not looked at: no Cazi runs here");
  if (url === null && config.url !== "")
    return rowOf(
      "artifacts",
      "unknown",
      "not looked at: set CAZI_ARTIFACT_URL as it is set for the control plane",
    );
  if (url === null) return artifactsRow(null, null);
  // What it serves to anybody.
  const keys = new URL(".well-known/jwks.json", url);
  const answered = await fetch(keys, { signal: AbortSignal.timeout(timeoutMs) }).then(
    (answer) => answer.status,
    () => "no answer" as const,
  );
  return artifactsRow(url, answered);
}

/** A control plane of this home says where it takes files. */
function told(home: string): string | null {
  try {
    return readFileSync(join(home, "artifact-url"), "utf8").trim() || null;
  } catch {
    return null;
  }
}
