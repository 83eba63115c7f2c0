/** The registry that npm itself is configured with, asked once at the start of a run. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ANSWER_LIMIT_MS = 15_000;

/** @returns an address without credentials and without a slash at its end; null when npm does not say one */
export async function configuredRegistry(of: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("npm", ["config", "get", "registry"], {
      cwd: of.cwd,
      env: { ...of.env },
      timeout: ANSWER_LIMIT_MS,
    });
    return endpointOf(stdout.trim());
  } catch {
    return null;
  }
}

/** An http address, without what would be a credential in it; null for anything else. */
export function endpointOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
