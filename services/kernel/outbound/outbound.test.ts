import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyAddress, plainIp } from "./classifyAddress.ts";
import { type OutboundPolicy, whyNotAddress, whyNotTarget } from "./outboundPolicy.ts";

describe("an address", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["2606:4700::1111", "public"],
    ["127.0.0.1", "private"],
    ["127.255.255.254", "private"],
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["172.32.0.1", "public"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["100.128.0.1", "public"],
    ["::1", "private"],
    ["fd12:3456::1", "private"],
    ["::ffff:127.0.0.1", "private"],
    ["::ffff:7f00:1", "private"],
    ["::ffff:8.8.8.8", "public"],
    ["64:ff9b::10.0.0.1", "private"],
    ["64:ff9b::8.8.8.8", "public"],
    ["2002:7f00:1::", "private"],
    ["0.0.0.0", "never"],
    ["0.1.2.3", "never"],
    ["169.254.169.254", "never"],
    ["169.254.170.2", "never"],
    ["::ffff:169.254.169.254", "never"],
    ["64:ff9b::169.254.169.254", "never"],
    ["2002:a9fe:a9fe::", "never"],
    ["100.100.100.200", "never"],
    ["fd00:ec2::254", "never"],
    ["fe80::1", "never"],
    ["fe80::1%eth0", "never"],
    ["224.0.0.1", "never"],
    ["ff02::1", "never"],
    ["255.255.255.255", "never"],
    ["::", "never"],
    ["::127.0.0.1", "never"],
    ["64:ff9b:1::1", "never"],
    ["2001:db8::1", "never"],
    ["2001:0:53aa::1", "never"],
    ["example.com", "never"],
    ["", "never"],
  ])("%s is %s", (address, expected) => {
    expect(classifyAddress(address)).toBe(expected);
  });

  it("is the same however it is written", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(classifyAddress(`::ffff:${address}`)).toBe(classifyAddress(address));
        expect(plainIp(`::ffff:${address}`)).toBe(address);
      }),
    );
    fc.assert(fc.property(fc.ipV6(), (address) => void classifyAddress(address)));
    expect(plainIp("2606:4700:0::1111")).toBe(plainIp("2606:4700::1111"));
  });
});

describe("a target", () => {
  const policy: OutboundPolicy = {
    ports: [443, 8443],
    allowPrivate: ["hooks.internal", "*.corp.example", "acme/10.0.0.5", "loop/*"],
  };
  const why = (url: string, tenant = "default") => whyNotTarget(policy, tenant, new URL(url));

  it.each([
    "https://example.com/hook",
    "https://example.com:8443/",
    "https://8.8.8.8/",
    "http://hooks.internal:8080/",
    "https://a.b.corp.example./",
  ])("may be %s", (url) => {
    expect(why(url)).toBeNull();
  });

  it.each([
    ["http://example.com/", /not https/],
    ["https://example.com:22/", /port 22/],
    ["https://127.1/", /127\.0\.0\.1, which is private/],
    ["https://2130706433/", /127\.0\.0\.1, which is private/],
    ["https://0x7f.1/", /private/],
    ["https://①②⑦.①/", /private/],
    ["https://[::ffff:169.254.169.254]/", /never/],
    ["https://[::1]/", /private/],
    ["https://localhost/", /private/],
    ["https://localhost./", /private/],
    ["https://x.localhost/", /private/],
    ["https://10.0.0.5/", /private/],
    ["https://corp.example/", null],
    ["http://corp.example/", /not https/],
    ["ftp://hooks.internal/", /not https/],
  ])("%s is told %s", (url, expected) => {
    if (expected === null) expect(why(url)).toBeNull();
    else expect(why(url)).toMatch(expected);
  });

  it("may be private for the tenant that it is allowed to, and nobody else's", () => {
    expect(why("http://10.0.0.5:9000/", "acme")).toBeNull();
    expect(why("http://127.0.0.1:9000/", "loop")).toBeNull();
    expect(why("http://127.0.0.1:9000/", "acme")).toMatch(/not https/);
  });

  it("is never a cloud's metadata, whoever allows it", () => {
    expect(why("http://169.254.169.254/latest/meta-data/", "loop")).toMatch(/never/);
    expect(whyNotAddress("fd00:ec2::254", true)).toMatch(/never/);
    expect(whyNotAddress("10.0.0.1", false)).toMatch(/private/);
    expect(whyNotAddress("10.0.0.1", true)).toBeNull();
  });
});
