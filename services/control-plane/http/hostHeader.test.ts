import { describe, expect, it } from "vitest";
import { allowedHosts, isAllowedHost } from "./hostHeader.ts";

const passes = (host: string, listensOn: string, ...configured: string[]) =>
  isAllowedHost(host, allowedHosts({ configured, listensOn }));

describe("the hosts that a request may name", () => {
  it("are loopback's names and the address itself, where only this machine reaches it", () => {
    expect(passes("localhost:7070", "127.0.0.1")).toBe(true);
    expect(passes("127.0.0.2:7070", "127.0.0.2")).toBe(true);
    expect(passes("evil.example:7070", "127.0.0.1")).toBe(false);
  });

  it("are any, where others reach it and none are configured", () => {
    expect(passes("cazi.example", "0.0.0.0")).toBe(true);
  });

  it("are the configured ones beside loopback's and the address itself", () => {
    expect(passes("Cazi.example:443", "10.0.0.5", "cazi.EXAMPLE")).toBe(true);
    expect(passes("10.0.0.5:7070", "10.0.0.5", "cazi.example")).toBe(true);
    expect(passes("localhost", "0.0.0.0", "cazi.example")).toBe(true);
    expect(passes("other.example", "0.0.0.0", "cazi.example")).toBe(false);
  });
});
