import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import { credentialFacts } from "../../kernel/nats/readCredentials.ts";

/** Where a node's credentials are written unless the caller names another file. */
export function nodeCredsFile(home: string, node: string): string {
  return join(home, "nodes", `${node}.creds`);
}

/** Removes a node's file from the home, where it is of the account that is void now; any other is left as it is. */
export function removeVoidCreds(home: string, of: { readonly node: string; readonly account: string }): void {
  const file = nodeCredsFile(home, of.node);
  try {
    if (credentialFacts(file).account !== of.account) return;
    rmSync(file);
  } catch {
    // Not there, or not ours to read: it opens nothing any more.
  }
}

/**
 * Writes credentials for somebody outside, for this user alone to read.
 * @param isNamed the caller chose the file: it may be anything, and is not overwritten
 * @throws Rejection `NODE_CREDS_EXIST`
 */
export function writeCreds(file: string, creds: Uint8Array, isNamed: boolean): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // What an earlier try left at our own place never worked, or was replaced.
    writeFileSync(file, creds, { mode: 0o600, flag: isNamed ? "wx" : "w" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Rejection("NODE_CREDS_EXIST", `${file} is there already`, {
      hint: "Name another file with --creds, or move that one away.",
    });
  }
}
