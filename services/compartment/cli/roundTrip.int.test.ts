/** The round trip of the README, in an empty folder, by its own lines. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliProgram, ensureBuilt } from "../../../test/support/builtCli.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { newFolder } from "../testing/runProgram.ts";

const folder = newFolder();
beforeAll(ensureBuilt);
afterAll(() => rmSync(folder, { recursive: true }));

const page = readFileSync(join(projectRoot, "services/compartment/README.md"), "utf8");
const section = page.slice(page.indexOf("## The round trip"), page.indexOf("## Tools that reach outside"));
const blocks = (kind: string) =>
  [...section.matchAll(new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, "gs"))].map((match) => match[1]!);

/** A line as a shell runs it; `cd` holds for later ones too. */
function say(line: string, cwd: string) {
  const script = `cazi() { "${process.execPath}" "${cliProgram}" "$@"; }\n${line}`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script], { cwd, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

describe("the README", () => {
  it("shows how an agent is written, run, suspended, approved, resumed, replayed and compared", async () => {
    const [first, second] = blocks("sh").map((block) => block.trimEnd().split("\n"));
    const demo = join(folder, "demo");
    for (const [index, line] of first!.entries()) {
      expect(say(line, index === 0 ? folder : demo), line).toMatchObject({ code: 0 });
    }
    expect(readFileSync(join(demo, "run.html"), "utf8")).toContain("<html");
    writeFileSync(join(demo, "agent.js"), blocks("js")[0]!);
    let [id, token, events] = ["", "", ""];
    const isDue = () => {
      const due = /"due_ms": (\d+)/.exec(say("cazi agent schedule status nightly", demo).out)?.[1];
      return due === undefined || Number(due) <= Date.now();
    };
    for (const line of second!) {
      // The budgets of the template are those of a machine that does nothing else.
      const patient = line.includes("schedule start") ? line.replace(" #", " --timeout-ms=30000 #") : line;
      if (line.includes("schedule tick")) await waitFor("its timer to be due", isDue);
      const said = say(patient.replace("<approval-id>", id).replace("<token>", token), demo);
      expect(said, line).toMatchObject({ code: line.includes("--diff") ? 1 : 0 });
      id = /appr-[0-9a-f]+/.exec(said.out)?.[0] ?? id;
      token = /"token": "([0-9a-f]+)"/.exec(said.out)?.[1] ?? token;
      if (line.includes("schedule tick")) events += said.out;
    }
    expect(events).toBe('{"kind":"start","goal":"try it"}\n{"kind":"published","go":true}\n');
    // Each line is a process; on a busy machine one takes seconds to come up.
  }, 240_000);
});
