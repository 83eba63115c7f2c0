/** Files of a task as resources, over real HTTP: given up to the cap; one beyond it is named and left where it is. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiPorts } from "../services/control-plane/ports.ts";
import { waitFor } from "../test/support/waitFor.ts";
import { artifactBytesMax } from "./limits.ts";
import { type McpFixture, mcpFixture } from "./testing/mcpFixture.ts";

const GiB = 1024 ** 3;
const small = Buffer.alloc(artifactBytesMax, 255);
const named = (name: string, bytes: number, sha256 = "") => ({
  ...{ id: name, name, bytes, sha256, attempt: 1, media_type: "application/octet-stream", stored_at: 0 },
  expires_at: Number.MAX_SAFE_INTEGER,
});
const files = new Map(
  [
    named("small.bin", small.length, createHash("sha256").update(small).digest("hex")),
    named("out/la rge'.bin", GiB),
  ].map((file) => [file.name, file]),
);
/** Files that are being read. */
let reading = 0;
const artifacts = {
  clock: { now: Date.now, monotonicMs: () => 0 },
  records: { read: async () => ({ artifacts: { hosted: files, removed: new Map() } }) },
  store: {
    find: async (name: string) => ({ ...files.get(name.split("/").slice(2).join("/"))!, nuid: "n" }),
    read: async function* ({ bytes }: { readonly bytes: number }) {
      reading++;
      try {
        for (let at = 0; at < bytes; at += small.length) yield small;
      } finally {
        reading--;
      }
    },
  },
} as unknown as ApiPorts["artifacts"];

let api: McpFixture;
let id: string;
beforeAll(async () => {
  api = await mcpFixture({ artifacts });
  const spec = { headers: { "content-type": "application/json" }, body: '{"image":"a"}' };
  id = (await api.ask("POST", "/v1/tasks", spec)).json.id;
});
afterAll(() => api.stop());

it("a file of as many bytes as the cap is given whole", async () => {
  const client = await api.client2026();
  const { contents } = await client.readResource({ uri: `cazi://tasks/${id}/artifacts/small.bin` });
  expect(Buffer.from((contents[0] as { blob: string }).blob, "base64").equals(small)).toBe(true);
  expect(contents[0]).toMatchObject({ _meta: { bytes: artifactBytesMax } });
});

it("a file beyond the cap is refused with its size and the command that gets it, and is read no further", async () => {
  const client = await api.client2026();
  const uri = `cazi://tasks/${id}/artifacts/${encodeURIComponent("out/la rge'.bin")}`;
  await expect(client.readResource({ uri })).rejects.toMatchObject({
    message: expect.stringContaining(`The file has ${GiB} bytes; ${artifactBytesMax} are given.`),
    data: {
      code: "OUTPUT_TOO_LARGE",
      next_step: expect.stringContaining(`cazi artifacts get ${id} 'out/la rge'\\''.bin'`),
    },
  });
  await waitFor("the reading to end", () => reading === 0);
});
