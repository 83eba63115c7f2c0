/** Commands of admins, in this process, against an API that listens: what they print, and what they exit with. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "../kernel/errors.ts";
import { type CliFixture, cliFixture } from "./testing/cliFixture.ts";

let api: CliFixture["api"];
let cazi: CliFixture["cazi"];
let stop: CliFixture["stop"];
/** What nodes were set to. */
const states: string[] = [];

beforeAll(async () => {
  const notThere = async () => Promise.reject(new Rejection("NODE_NOT_FOUND", "There is no such node."));
  ({ api, cazi, stop } = await cliFixture({
    fleet: {
      change: async (node, asked) => {
        if (node === "gone") return notThere();
        states.push(`${node} ${"state" in asked ? asked.state : asked.kind}`);
        return { bounds: null, state: "cordoned", account: null, by: "", changed_at: 0 };
      },
    },
  }));
});
afterAll(() => stop());

const refused = (code: number, name: string) => ({ code, stdout: "", stderr: expect.stringContaining(name) });

describe("cazi erase", () => {
  const submitted = async () => {
    const spec = { headers: { "content-type": "application/json" }, body: '{"image":"a"}' };
    return (await api.ask("POST", "/v1/tasks", spec)).json.id as string;
  };

  it("erases a task that is over, once, when told --yes, and asks where it is not", async () => {
    const id = await submitted();
    await api.run(id);
    expect(await cazi(["erase", id])).toEqual(refused(2, "there is no terminal to ask on"));
    expect((await api.ask("GET", `/v1/tasks/${id}`)).status).toBe(200);
    expect(await cazi(["erase", id, "--yes"])).toMatchObject({ code: 0, stdout: `${id} is erased\n` });
    expect(await cazi(["erase", id, "--yes"])).toEqual(refused(3, "TASK_ERASED"));
    const other = await submitted();
    await api.run(other);
    const { code, stdout } = await cazi(["erase", other, "--yes", "-o", "json"]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { id: other, sinks_given_up: 0 }]);
  });

  it("refuses one that is not over with 5, and one that never was with 3", async () => {
    expect(await cazi(["erase", await submitted(), "--yes"])).toEqual(refused(5, "TASK_NOT_ENDED"));
    expect(await cazi(["erase", "0".repeat(26), "--yes"])).toEqual(refused(3, "TASK_NOT_FOUND"));
  });
});

describe("cazi keys", () => {
  const keys = async (...args: readonly string[]) => {
    const { code, stdout } = await cazi(["keys", ...args, "-o", "json"]);
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { data: { kid: string; state: string }[] }).data;
  };

  it("rotates so that the old key stays for what it signed, at once where told", async () => {
    const [first] = await keys("list");
    expect(first).toMatchObject({ state: "active" });
    const during = await keys("rotate");
    expect(during).toHaveLength(2);
    expect(during.find(({ kid }) => kid === first!.kid)).toMatchObject({ state: "active" });
    const after = await keys("rotate", "--now");
    expect(after.find(({ kid }) => kid === first!.kid)).toMatchObject({ state: "retiring" });
    expect(after.filter(({ state }) => state === "active")).toHaveLength(1);
  });

  it("revokes a key, says what follows, and has another sign; repeated it changes nothing", async () => {
    const signing = (await keys("list")).find(({ state }) => state === "active")!.kid;
    const revoked = await cazi(["keys", "revoke", signing]);
    expect(revoked.code).toBe(0);
    expect(revoked.stdout).toMatch(new RegExp(`^KEY +STATE .*\\n(.*\\n)*${signing} +revoked `));
    expect(revoked.stderr).toContain(`key ${signing} is revoked: what it signed is refused here at once`);
    const after = await keys("list");
    expect(after.filter(({ state }) => state === "active").map(({ kid }) => kid)).not.toContain(signing);
    expect(await keys("revoke", signing)).toEqual(after);
  });

  it("refuses a key that is not there with 3, and no key with 2", async () => {
    expect(await cazi(["keys", "revoke", "none"])).toEqual(refused(3, "KEY_NOT_FOUND"));
    expect((await cazi(["keys", "revoke"])).code).toBe(2);
  });
});

describe("cazi node", () => {
  it("cordons and uncordons, and refuses a node that is not there with 3", async () => {
    expect(await cazi(["node", "cordon", "a"])).toMatchObject({
      ...{ code: 0, stderr: expect.stringContaining("node a takes no new work; 0 attempts go on") },
    });
    expect(await cazi(["node", "uncordon", "a"])).toMatchObject({
      ...{ code: 0, stderr: expect.stringContaining("node a takes work") },
    });
    expect(states).toEqual(["a cordoned", "a active"]);
    expect(await cazi(["node", "cordon", "gone"])).toEqual(refused(3, "NODE_NOT_FOUND"));
  });

  it("refuses to add one where there is no key to sign with, and to remove one that is not there", async () => {
    const { code, stderr } = await cazi(["node", "add", "b"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/NOT_RUNNING|NODE_KEYS_MISSING/)]);
    expect(await cazi(["node", "remove", "gone"])).toEqual(refused(3, "NODE_NOT_FOUND"));
  });
});

describe("cazi subscriber", () => {
  it("lists nobody as an empty page, and refuses to remove whom there is not, or to add where no key can sign", async () => {
    const { code, stdout } = await cazi(["subscriber", "list", "-o", "json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { data: [] }]);
    for (const verb of ["add", "remove"]) {
      const { code, stdout, stderr } = await cazi(["subscriber", verb, "reports"]);
      expect([code === 0, stdout], verb).toEqual([false, ""]);
      expect(stderr).toMatch(/NOT_RUNNING|NODE_KEYS_MISSING/);
    }
  });
});

describe("cazi user and token", () => {
  it("refuse a role that there is not with 2, and a token that there is not with 3", async () => {
    expect(await cazi(["user", "add", "ada", "--role", "king"])).toEqual(refused(2, "king"));
    expect(await cazi(["token", "revoke", "nothing"])).toEqual(refused(3, "TOKEN_NOT_FOUND"));
  });
});
