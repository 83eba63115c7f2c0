/** Encryption of NATS with a certificate authority made here, on loopback. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectNats } from "../../services/kernel/nats/connectNats.ts";
import type { NatsTls } from "../../services/kernel/nats/tls.ts";
import { certificatesIn } from "../../test/support/certificates.ts";
import { quietLog, type TempHome, tempHome } from "../../test/support/tempHome.ts";
import { freeLoopbackPort } from "./freePort.ts";
import { type EmbeddedNats, startNats } from "./startNats.ts";

let home: TempHome;
let encrypted: EmbeddedNats;
let plain: EmbeddedNats;
const file = (name: string) => join(home.path, name);

beforeAll(async () => {
  home = tempHome();
  const made = certificatesIn(home.path);
  made.authority("ca");
  made.authority("stranger");
  made.certificate("server", { signedBy: "ca", for: "IP:127.0.0.1" });
  const tls = { certFile: file("server.pem"), keyFile: file("server.key") };
  const listen = { host: "127.0.0.1", port: await freeLoopbackPort(null), tls };
  encrypted = await startNats({ home: file("encrypted"), log: quietLog, listen });
  plain = await startNats({ home: file("plain"), log: quietLog });
});
afterAll(async () => {
  await Promise.all([encrypted?.stop(), plain?.stop()]);
  home?.remove();
});

const connect = (url: string, of: EmbeddedNats, tls: Partial<NatsTls> = {}) => {
  const files = { caFile: "", certFile: "", keyFile: "", ...tls };
  return connectNats({ url, credsFile: of.credsFile, tls: files, name: "test", firstWaitMs: 2_000 });
};
const failed = (message: RegExp) =>
  expect.objectContaining({ code: "NATS_TLS_FAILED", message: expect.stringMatching(message) });

describe("an encrypted connection to NATS", () => {
  it("comes about with the authority that signed the server's certificate", async () => {
    expect(encrypted.url).toMatch(/^tls:\/\/127\.0\.0\.1:/);
    const nats = await connect(encrypted.url, encrypted, { caFile: file("ca.pem") });
    expect(nats.connection.info?.tls_required).toBe(true);
    await nats.close();
  });

  it("does not with another authority, or with none", async () => {
    const strange = connect(encrypted.url, encrypted, { caFile: file("stranger.pem") });
    await expect(strange).rejects.toEqual(failed(/certificate/));
    await expect(connect(encrypted.url, encrypted)).rejects.toEqual(failed(/certificate/));
  });

  it("does not with an address that the certificate does not name", async () => {
    const url = encrypted.url.replace("127.0.0.1", "localhost");
    await expect(connect(url, encrypted, { caFile: file("ca.pem") })).rejects.toEqual(failed(/altnames/));
  });

  it("never falls back to a plain one, and says which file it cannot read", async () => {
    const url = plain.url.replace("nats://", "tls://");
    await expect(connect(url, plain)).rejects.toEqual(failed(/does not offer/));
    const noFile = connect(encrypted.url, encrypted, { caFile: file("none.pem") });
    await expect(noFile).rejects.toEqual(failed(/none\.pem/));
  });
});
