import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRefusal } from "../refusal.ts";
import { parseImageReference } from "./imageReference.ts";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

describe("parseImageReference", () => {
  it.each([
    ["alpine", null, "alpine", "latest", null, "alpine:latest"],
    ["alpine:3.20", null, "alpine", "3.20", null, "alpine:3.20"],
    ["cazi/toolbox:latest", null, "cazi/toolbox", "latest", null, "cazi/toolbox:latest"],
    ["localhost/app", "localhost", "app", "latest", null, "localhost/app:latest"],
    ["localhost:5000/app", "localhost:5000", "app", "latest", null, "localhost:5000/app:latest"],
    [
      "127.0.0.1:5000/a/b__c.d-e:v1",
      "127.0.0.1:5000",
      "a/b__c.d-e",
      "v1",
      null,
      "127.0.0.1:5000/a/b__c.d-e:v1",
    ],
    ["ghcr.io/o/r", "ghcr.io", "o/r", "latest", null, "ghcr.io/o/r:latest"],
    ["Registry/app", "Registry", "app", "latest", null, "Registry/app:latest"],
    [`alpine@${DIGEST}`, null, "alpine", null, DIGEST, `alpine@${DIGEST}`],
    [`r.io/alpine:3@${DIGEST}`, "r.io", "alpine", "3", DIGEST, `r.io/alpine:3@${DIGEST}`],
  ])("reads %s", (text, registry, repository, tag, digest, canonical) => {
    expect(parseImageReference(text)).toEqual({ registry, repository, tag, digest, canonical });
  });

  it.each([
    ["an empty text", ""],
    ["a space", "alpine latest"],
    ["a final line break", "alpine\n"],
    ["an option", "--privileged"],
    ["an option after a space", "alpine --privileged"],
    ["a leading dash in the path", "-alpine"],
    ["a leading dash in a component", "library/-alpine"],
    ["capitals in the path", "Alpine"],
    ["an empty component", "a//b"],
    ["a final slash", "a/"],
    ["a leading slash", "/a"],
    ["a parent component", "../a"],
    ["three underscores", "a___b"],
    ["an empty tag", "alpine:"],
    ["two tags", "alpine:a:b"],
    ["a tag that begins with a dash", "alpine:-x"],
    ["a tag of 129 characters", `alpine:${"a".repeat(129)}`],
    ["a port of 0", "localhost:0/app"],
    ["a port over 65535", "localhost:70000/app"],
    ["a host with an empty label", "a..b/app"],
    ["a host that begins with a dash", "-a.io/app"],
    ["an empty digest", "alpine@"],
    ["a short digest", "alpine@sha256:abc"],
    ["a digest in capitals", `alpine@${DIGEST.toUpperCase()}`],
    ["another digest algorithm", `alpine@md5:${"0".repeat(64)}`],
    ["two digests", `alpine@${DIGEST}@${DIGEST}`],
    ["an image id", DIGEST],
    ["a bare image id", "0123456789abcdef".repeat(4)],
    ["a URL", "https://r.io/app"],
    ["a NUL", "al\0pine"],
    ["a letter that only looks like a", "\u0430lpine"],
    ["a name of 300 characters", "a".repeat(300)],
    ["a text of 100,000 characters", "a/".repeat(50_000)],
  ])("refuses %s", (_, text) => {
    expect(parseImageReference(text)).toMatchObject({ refused: true, code: "IMAGE_REFERENCE_INVALID" });
  });

  it("reads its own canonical form as the same image", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abZ09.:/_-@") }), (text) => {
        const parsed = parseImageReference(text);
        if (!isRefusal(parsed)) expect(parseImageReference(parsed.canonical)).toEqual(parsed);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["ada:secret@r.io/app", "https://ada:secret@r.io/app:1", "token@127.0.0.1:5000/a/b"])(
    "refuses credentials in a reference without repeating them: %s",
    (text) => {
      const refusal = parseImageReference(text);
      expect(refusal).toMatchObject({
        code: "IMAGE_REFERENCE_INVALID",
        message: expect.stringContaining("a spec stays in the record"),
        hint: expect.stringContaining("cazi connection set"),
      });
      expect(JSON.stringify(refusal)).not.toContain("secret");
    },
  );
});
