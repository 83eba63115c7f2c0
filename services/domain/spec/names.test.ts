import { describe, expect, it } from "vitest";
import { nearestName } from "./nearestName.ts";
import { looksLikeSecretName } from "./secretNames.ts";
import { exceedsUtf8Bytes, utf8Bytes } from "./utf8Bytes.ts";
import { fieldsAt } from "./workloadSpec.ts";

describe("nearestName", () => {
  const known = fieldsAt([]);
  it.each([
    ["imag", "image"],
    ["comand", "command"],
    ["enviroment", "environment"],
    ["timeoutSeconds", "timeout_seconds"],
    ["timeout-seconds", "timeout_seconds"],
    ["maxRetries", "max_retries"],
    ["readonly", "read_only"],
    ["working_directory", null],
    ["q", null],
    ["x".repeat(100_000), null],
  ])("takes %.30s for %s", (name, expected) => {
    expect(nearestName(name, known)).toBe(expected);
  });

  it("takes a beginning for the name where nothing is near", () => {
    expect(nearestName("mem", ["cpus", "memory"])).toBe("memory");
  });
});

describe("looksLikeSecretName", () => {
  it.each([
    "TOKEN",
    "GITHUB_TOKEN",
    "githubToken",
    "DB_PASSWORD",
    "MYSQL_PASSWD",
    "CLIENT_SECRET",
    "SECRET_KEY_BASE",
    "API_KEY",
    "APIKEY",
    "AWS_SECRET_ACCESS_KEY",
    "KEY",
    "SSH_PRIVATE_KEY",
    "GPG_PASSPHRASE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "REGISTRY_AUTH",
  ])("suspects %s", (name) => {
    expect(looksLikeSecretName(name)).toBe(true);
  });

  it.each([
    "PATH",
    "HOME",
    "PWD",
    "MONKEY",
    "KEYBOARD",
    "MAX_TOKENS",
    "TOKENIZERS_PARALLELISM",
    "AUTHOR",
    "COMPASS",
    "LANG",
  ])("leaves %s alone", (name) => {
    expect(looksLikeSecretName(name)).toBe(false);
  });
});

describe("utf8Bytes", () => {
  it.each(["", "a", "é", "€", "😀", "a\u0000b", "x😀y€", "\ud83d", "\ude00", "\ud83d\ud83d\ude00"])(
    "counts %j as the encoder does",
    (text) => {
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      expect(exceedsUtf8Bytes(text, Buffer.byteLength(text))).toBe(false);
      if (text !== "") expect(exceedsUtf8Bytes(text, Buffer.byteLength(text) - 1)).toBe(true);
    },
  );
});
