/** `cazi dead …` in this process, against an API that listens. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testTenant } from "../control-plane/testing/apiFixture.ts";
import { memoryDeadLetters } from "../control-plane/testing/memoryDeadLetters.ts";
import type { DeadLetter } from "../kernel/deadLetters/deadLetter.ts";
import { type CliFixture, cliFixture } from "./testing/cliFixture.ts";

let cazi: CliFixture["cazi"];
let stop: CliFixture["stop"];

const letter = (seq: number): DeadLetter => ({
  ...{ seq, kind: "sink", at: 1_700_000_000_000, reason: "HTTP 503: busy", tenant: testTenant },
  ...{ task: `t${seq}`, sink: "0-webhook", node: null, resending: false, bytes: Buffer.from('{"tries":8}') },
});

beforeAll(async () => {
  ({ cazi, stop } = await cliFixture({ dead: memoryDeadLetters(letter(1), letter(2), letter(3)) }));
});
afterAll(() => stop());

const dead = (...args: readonly string[]) => cazi(["dead", ...args]);

describe("cazi dead", () => {
  it("lists letters as a table and as JSON, a part of them where asked", async () => {
    const table = await dead("list");
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(
      /^ID +KIND +AT +TASK +SINK +NODE +REASON\n1 +sink +2023-11-14\S+ +t1 +0-webhook/,
    );
    expect(table.stdout).toMatch(/t3 .*HTTP 503: busy/);
    const { data } = JSON.parse((await dead("list", "-o", "json")).stdout);
    expect(data.map((one: { id: string }) => one.id)).toEqual(["1", "2", "3"]);
    const part = JSON.parse((await dead("list", "--limit", "1", "-o", "json")).stdout);
    expect(part).toMatchObject({ data: [{ id: "1" }], next_cursor: expect.any(String) });
  });

  it("shows one whole, for people and as JSON", async () => {
    const shown = await dead("show", "2");
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toMatch(/id +2\n.*reason +HTTP 503: busy\n.*\{"tries":8\}\n$/s);
    expect(JSON.parse((await dead("show", "2", "-o", "json")).stdout)).toMatchObject({
      ...{ id: "2", task: "t2", text: '{"tries":8}', resending: false },
    });
  });

  it("sends one again, once, and says so", async () => {
    expect(await dead("resend", "1")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/sent again +(true|yes)/),
    });
    expect((await dead("resend", "1")).code).toBe(3);
    const again = JSON.parse((await dead("resend", "2", "-o", "json")).stdout);
    expect(again).toMatchObject({ id: "2", resending: true });
    expect((await dead("list")).stdout).toMatch(/sent again; before: HTTP 503: busy/);
  });

  it("drops one for good, and says so", async () => {
    const dropped = await dead("drop", "3");
    expect([dropped.code, dropped.stdout]).toEqual([0, ""]);
    expect(dropped.stderr).toContain("dead letter 3 is gone");
    expect((await dead("show", "3")).code).toBe(3);
  });

  it.each(["show", "resend", "drop"])(
    "%s of an id that there is not ends with 3, and 2 without an id",
    async (verb) => {
      const missing = await dead(verb, "99");
      expect([missing.code, missing.stdout]).toEqual([3, ""]);
      expect(missing.stderr).toContain("DEAD_LETTER_NOT_FOUND");
      expect((await dead(verb)).code).toBe(2);
    },
  );
});
