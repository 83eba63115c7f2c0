/** Which server the command line talks to, and with which token. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../kernel/config.ts";
import { Rejection } from "../kernel/errors.ts";

export interface Server {
  readonly url: string;
  readonly token: string;
}

/**
 * `CAZI_URL` and `CAZI_TOKEN`, else the server of `CAZI_HOME`. The token of the home goes to this machine only.
 * @throws Rejection `NOT_RUNNING` when nothing runs on the home, `TOKEN_MISSING`, `CONFIG_INVALID`
 */
export function findServer(config: Pick<Config, "home" | "url" | "token">): Server {
  const url = config.url || readWhole(join(config.home, "url"));
  if (url === null) {
    throw new Rejection(
      "NOT_RUNNING",
      `no Cazi runs on ${config.home}: start it with \`npm start\`, or name a server with CAZI_URL and CAZI_TOKEN`,
    );
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Rejection("CONFIG_INVALID", `${url} is no http or https address`, {
      hint: "Set CAZI_URL to something like http://127.0.0.1:7070.",
    });
  }
  const token = config.token || (isLoopback(url) ? readWhole(join(config.home, "token")) : null);
  // No header can carry another, and what fails for it would print it.
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Rejection("CONFIG_INVALID", `the token for ${url} has characters that no token has`, {
      hint: "Set CAZI_TOKEN to the one line that `cazi token create` printed.",
    });
  }
  if (token !== null) return { url, token };
  throw new Rejection("TOKEN_MISSING", `there is no token for ${url}`, {
    hint: "Set CAZI_TOKEN, or CAZI_TOKEN_FILE to a file that holds it.",
  });
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function readWhole(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim() || null;
  } catch {
    return null;
  }
}
