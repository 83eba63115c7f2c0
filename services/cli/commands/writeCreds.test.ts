import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempHome } from "../../../test/support/tempHome.ts";
import { nodeCredsFile, removeVoidCreds, writeCreds } from "./writeCreds.ts";

const credsOf = (account: string) => {
  const claims = Buffer.from(JSON.stringify({ iss: account, nats: {} })).toString("base64url");
  return Buffer.from(
    `-----BEGIN NATS USER JWT-----\nhead.${claims}.signature\n------END NATS USER JWT------\n`,
  );
};

it("credentials of a removed node go from the home, those of its newer account and other files stay", () => {
  const home = tempHome();
  const [old, named] = [nodeCredsFile(home.path, "b"), join(home.path, "b.creds")];
  writeCreds(old, credsOf("OLD"), false);
  writeCreds(named, credsOf("OLD"), true);
  removeVoidCreds(home.path, { node: "b", account: "NEW" });
  expect(existsSync(old)).toBe(true);
  removeVoidCreds(home.path, { node: "b", account: "OLD" });
  removeVoidCreds(home.path, { node: "b", account: "OLD" });
  expect([existsSync(old), existsSync(named)]).toEqual([false, true]);
  home.remove();
});
