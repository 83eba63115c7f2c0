import { describe, expect, it } from "vitest";
import { matchUri } from "./matchUri.ts";

const logs = "cazi://tasks/{id}/logs{?cursor,stream}";

describe("matchUri", () => {
  it.each<[string, string, string, object | null]>([
    ["a part of the path", "cazi://tasks/{id}", "cazi://tasks/01k2", { id: "01k2" }],
    [
      "what a query holds",
      logs,
      "cazi://tasks/a/logs?cursor=1.2.3&stream=stderr",
      { id: "a", cursor: "1.2.3", stream: "stderr" },
    ],
    ["a query that is not there", logs, "cazi://tasks/a/logs", { id: "a" }],
    ["what was percent-encoded", "cazi://nodes/{name}", "cazi://nodes/a%20b", { name: "a b" }],
    ["no variable at all", "cazi://nodes", "cazi://nodes", {}],
    ["nothing of an unknown parameter", logs, "cazi://tasks/a/logs?tail=3", null],
    ["nothing of an empty part", "cazi://tasks/{id}", "cazi://tasks/", null],
    ["nothing of a longer path", "cazi://tasks/{id}", "cazi://tasks/a/b", null],
    ["nothing of another scheme", "cazi://nodes", "http://nodes", null],
    ["nothing of a fragment", "cazi://nodes", "cazi://nodes#a", null],
    ["nothing of a broken encoding", "cazi://nodes/{name}", "cazi://nodes/%zz", null],
    ["a slash only where it is encoded", "cazi://nodes/{name}", "cazi://nodes/a%2Fb", { name: "a/b" }],
  ])("gives %s", (_, template, uri, values) => {
    expect(matchUri(template, uri)).toEqual(values);
  });

  it("takes no longer for a long address of nothing", () => {
    const began = performance.now();
    expect(matchUri(logs, `cazi://${"/".repeat(200_000)}`)).toBeNull();
    expect(performance.now() - began).toBeLessThan(500);
  });
});
