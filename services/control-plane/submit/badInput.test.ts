import { beforeAll, describe, expect, it } from "vitest";
import { type ApiFixture, apiFixture } from "../testing/apiFixture.ts";

const json = "application/json";
const yaml = "application/yaml";
const spec = (more: object) => JSON.stringify({ image: "cazi/toolbox:latest", ...more });

/** Each: what it is, its media type, its text, the code it is refused with, and where it says that it is. */
const BAD: readonly (readonly [string, string, string | Buffer, string, string | null])[] = [
  ["no body", json, "", "SPEC_SYNTAX", null],
  ["a list", json, "[]", "SPEC_INVALID", null],
  ["a shell string as the command", json, spec({ command: "rm -rf /" }), "SPEC_INVALID", "/command"],
  ["an unknown field", json, spec({ timeout_second: 5 }), "SPEC_INVALID", "/timeout_second"],
  ["a negative number", json, spec({ timeout_seconds: -1 }), "SPEC_INVALID", "/timeout_seconds"],
  ["a huge number", json, '{"image":"a","timeout_seconds":1000000000}', "SPEC_INVALID", "/timeout_seconds"],
  [
    "a number beyond what is exact",
    json,
    '{"image":"a","max_output_bytes":9007199254740993}',
    "SPEC_NUMBER",
    null,
  ],
  ["an infinite number", yaml, "image: a\ntimeout_seconds: .inf\n", "SPEC_NUMBER", null],
  ["a number that is none", yaml, "image: a\nresources: {cpus: .nan}\n", "SPEC_NUMBER", null],
  ["300 KiB", json, spec({ rationale: "x".repeat(300 * 1024) }), "SPEC_TOO_LARGE", null],
  [
    "deep nesting in JSON",
    json,
    `{"image":"a","labels":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    "SPEC_TOO_DEEP",
    null,
  ],
  ["deep nesting in YAML", yaml, `a: ${"[".repeat(5000)}`, "SPEC_TOO_DEEP", null],
  ["an alias bomb", yaml, "a: &a [x,x]\nb: &b [*a,*a]\nimage: *b\n", "SPEC_ALIAS", null],
  ["a duplicate key in JSON", json, '{"image":"a","image":"b"}', "SPEC_DUPLICATE_KEY", null],
  ["a duplicate key in YAML", yaml, "image: a\nimage: b\n", "SPEC_DUPLICATE_KEY", null],
  ["several documents", yaml, "image: a\n---\nimage: b\n", "SPEC_MULTIPLE_DOCUMENTS", null],
  ["a NUL in the command", json, spec({ command: ["a\0b"] }), "SPEC_INVALID", "/command/0"],
  ["a NUL in the environment", json, spec({ environment: { A: "a\0b" } }), "SPEC_INVALID", "/environment/A"],
  ["an image with a space", json, '{"image":"alpine latest"}', "SPEC_INVALID", "/image"],
  ["an image that is a flag", json, '{"image":"--privileged"}', "SPEC_INVALID", "/image"],
  [
    "a mount of the host's secrets",
    json,
    spec({ mounts: [{ source: "/etc", target: "/x" }] }),
    "SPEC_INVALID",
    "/mounts/0/source",
  ],
  [
    "too much environment",
    json,
    spec({ environment: { A: "x".repeat(65 * 1024) } }),
    "SPEC_INVALID",
    "/environment",
  ],
  ["a format that there is none of", json, spec({ output_format: "html" }), "SPEC_INVALID", "/output_format"],
  ["bytes that are not text", json, Buffer.from([0x7b, 0xff, 0x7d]), "SPEC_SYNTAX", null],
  ["a prototype", json, '{"image":"a","__proto__":{"command":["x"]}}', "SPEC_INVALID", "/__proto__"],
];

describe("bad input to a submit", () => {
  let fixture: ApiFixture;
  beforeAll(async () => {
    fixture = await apiFixture();
  });

  it.each(BAD)(
    "%s is refused with a clear problem, and nothing is stored",
    async (_what, type, body, code, pointer) => {
      const answer = await fixture.ask("POST", "/v1/tasks", { headers: { "content-type": type }, body });
      expect(answer.json).toMatchObject({ code });
      expect([400, 413, 422]).toContain(answer.status);
      expect(answer.json.detail.length).toBeLessThan(500);
      if (pointer !== null) {
        expect(answer.json.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer);
      }
      expect(fixture.ledger.events).toHaveLength(0);
    },
  );
});
