import { describe, expect, it } from "vitest";
import { isAllowedOrigin } from "./originHeader.ts";

describe("isAllowedOrigin", () => {
  it.each<[string, string | undefined, string, readonly string[] | null, boolean]>([
    ["lets a program pass, which sends none", undefined, "127.0.0.1:7070", [], true],
    ["lets a page of this machine pass", "http://localhost:3000", "127.0.0.1:7070", [], true],
    ["lets a page of a configured name pass", "https://cazi.example", "cazi.example", ["cazi.example"], true],
    ["refuses a stranger's page", "http://evil.example", "127.0.0.1:7070", [], false],
    [
      "refuses a stranger's page that points here",
      "http://evil.example",
      "evil.example",
      ["cazi.example"],
      false,
    ],
    ["refuses a page of no origin", "null", "127.0.0.1:7070", [], false],
    ["refuses what looks like loopback", "http://localhost.evil.example", "localhost", [], false],
    [
      "takes the server's own page where any host is right",
      "http://10.0.0.5:7070",
      "10.0.0.5:7070",
      null,
      true,
    ],
    ["refuses another page where any host is right", "http://10.0.0.6", "10.0.0.5:7070", null, false],
  ])("%s", (_, origin, host, allowed, expected) => {
    expect(isAllowedOrigin({ origin, host, allowed })).toBe(expected);
  });
});
