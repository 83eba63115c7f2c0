/** `cazi mcp …` in this process, against an API that listens. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, cliFixture } from "./testing/cliFixture.ts";
import type { CommandInput } from "./testing/commandInProcess.ts";

const spec = "image: cazi/toolbox:latest\ncommand: [echo, hi]\nname: listed\n";
let fixture: CliFixture;
let specFile: string;

beforeAll(async () => {
  fixture = await cliFixture();
  specFile = join(fixture.home, "task.yaml");
  writeFileSync(specFile, spec);
});
afterAll(() => fixture.stop());

const cazi = (args: readonly string[], given?: Partial<CommandInput>) =>
  fixture.cazi(["mcp", ...args], given);

describe("cazi mcp call", () => {
  it("calls a tool as an agent would: arguments from pairs, a file, standard input, or JSON", async () => {
    const made = await cazi(["call", "submit_task", `spec=@${specFile}`]);
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const { id, who } = JSON.parse(made.stdout);
    expect(who.route).toBe("mcp");
    expect((await cazi(["call", "submit_task", "spec=@-"], { stdin: spec })).code).toBe(0);
    const got = await cazi(["call", "get_task", "--json", JSON.stringify({ id })]);
    expect(JSON.parse(got.stdout)).toMatchObject({ id, name: "listed" });
    const listed = await cazi(["call", "list_tasks", "limit=1", "-o", "jsonl"]);
    expect(JSON.parse(listed.stdout.split("\n")[0]!)).toMatchObject({ name: "listed" });
  });

  it.each<[string, readonly string[], number, string]>([
    ["2 for an argument that is not valid", ["call", "list_tasks", "limit=0"], 2, "REQUEST_INVALID"],
    ["2 for what is no argument", ["call", "get_task", "01k2"], 2, "USAGE"],
    ["2 for two ways to give them", ["call", "get_task", "id=a", "--json", "{}"], 2, "USAGE"],
    ["2 for no tool", ["call"], 2, "missing required argument"],
    ["2 for what it does not do", ["serve"], 2, "too many arguments"],
    ["2 for a list of nothing", ["list", "tolls"], 2, "Allowed choices"],
    ["3 for a tool that is not there", ["call", "get_tusk", "id=a"], 3, "Did you mean get_task?"],
    ["3 for a task that is not there", ["call", "get_task", "id=nope"], 3, "TASK_NOT_FOUND"],
    ["3 for a resource that is not there", ["read", "cazi://tasks/nope"], 3, "TASK_NOT_FOUND"],
    ["3 for an address of nothing", ["read", "cazi://tusks"], 3, "RESOURCE_NOT_FOUND"],
  ])("exits with %s", async (_, args, code, said) => {
    const ended = await cazi(args);
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toContain(said);
  });

  it("exits with 4 for a wrong token", async () => {
    expect((await cazi(["call", "list_nodes"], { env: { CAZI_TOKEN: "wrong" } })).code).toBe(4);
  });
});

describe("cazi mcp list", () => {
  it("prints tools and prompts with no server, and resources with one", async () => {
    const alone = { env: { CAZI_URL: "http://127.0.0.1:1" } };
    expect((await cazi(["list"], alone)).stdout).toContain("submit_task");
    const prompts = JSON.parse((await cazi(["list", "prompts", "-o", "json"], alone)).stdout);
    expect(prompts.prompts.map((one: { name: string }) => one.name)).toContain("diagnose_failed_task");
    const { stdout } = await cazi(["list", "resources"]);
    expect(stdout).toContain("cazi://schemas/workload-spec");
    expect(stdout).toContain("cazi://tasks/{id}/logs{?cursor,stream}");
  });
});

describe("cazi mcp read", () => {
  it("prints the text of a resource, and the very bytes of a binary one", async () => {
    const { id } = JSON.parse((await cazi(["call", "submit_task", `spec=@${specFile}`])).stdout);
    expect(JSON.parse((await cazi(["read", `cazi://tasks/${id}`])).stdout)).toMatchObject({ id });
    const bytes = Buffer.from([0, 255, 10, 128]);
    fixture.api.chunks.push({
      node: "n1",
      attempt: 1,
      stream: "stdout",
      offset: 0,
      at: 1,
      dropped: null,
      bytes,
    });
    await fixture.api.run(id, { stdout: bytes.length });
    const stdout = new PassThrough();
    expect((await cazi(["read", `cazi://tasks/${id}/output/raw`], { stdout })).code).toBe(0);
    expect(stdout.read()).toEqual(bytes);
  });
});
