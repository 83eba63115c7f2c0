import { describe, expect, it } from "vitest";
import { natsListen, ownUrl } from "./natsListen.ts";

const settings = (natsListen: string, more: object = {}) => ({
  natsListen,
  natsListenPlain: "no" as const,
  natsTlsCert: "",
  natsTlsKey: "",
  ...more,
});
const files = { natsTlsCert: "/c.pem", natsTlsKey: "/k.pem" };
const refusal = (code: string) => expect.objectContaining({ code });

describe("where the embedded NATS server listens", () => {
  it("is loopback unless an address is given", () => {
    expect(natsListen(settings(""))).toBeNull();
  });

  it("is beyond loopback only with encryption, or where the network is said to have its own", () => {
    expect(() => natsListen(settings("0.0.0.0:4222"))).toThrow(refusal("NATS_LISTEN_UNSAFE"));
    expect(() => natsListen(settings("10.0.0.7:4222"))).toThrow(refusal("NATS_LISTEN_UNSAFE"));
    expect(natsListen(settings("0.0.0.0:4222", files))?.tls).toEqual({
      certFile: "/c.pem",
      keyFile: "/k.pem",
    });
    expect(natsListen(settings("0.0.0.0:4222", { natsListenPlain: "yes" }))?.tls).toBeNull();
    expect(natsListen(settings("127.0.0.1:4222"))?.tls).toBeNull();
  });

  it("needs a certificate and its key, not one of them", () => {
    expect(() => natsListen(settings("0.0.0.0:4222", { natsTlsCert: "/c.pem" }))).toThrow(
      refusal("CONFIG_INVALID"),
    );
  });

  it("is reached by its own roles at an address of this machine", () => {
    const at = (address: string) => ownUrl(natsListen(settings(address, files))!);
    expect(["0.0.0.0:4222", "[::]:4222", "10.0.0.7:4222"].map(at)).toEqual([
      "tls://127.0.0.1:4222",
      "tls://[::1]:4222",
      "tls://10.0.0.7:4222",
    ]);
  });
});
