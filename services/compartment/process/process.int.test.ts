import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { waitFor } from "../../../test/support/waitFor.ts";
import { newFolder, type ProgramRunOptions, runProgram } from "../testing/runProgram.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "work/inner"), { recursive: true });
symlinkSync("/", join(folder, "work/out"));

const SH = ["--process-command=sh=/bin/sh", "--process-cwd=work"];
async function call(args: object, flags: readonly string[] = [], options: ProgramRunOptions = {}) {
  const source = `try { emit({ r: await callTool("process", ${JSON.stringify(args)}) }) } catch (e) { emit({ code: e.code, message: e.message }) }`;
  const run = await runProgram(source, {
    folder,
    ...options,
    flags: ["--tool=process", "--tool-timeout-ms=20000", `--run-id=r${Math.random()}`, ...SH, ...flags],
  });
  return { run, told: run.events[0] as { r?: Record<string, unknown>; code?: string } };
}
const sh = (script: string, ...rest: string[]) => ({ command: "sh", args: ["-c", script, ...rest] });

describe("the process tool", () => {
  it("runs an admitted command with its arguments as they are, and nothing of this process's environment", async () => {
    const { told, run } = await call(
      sh('printf "%s|" "$0" "$@"; env | grep -v -e ^PWD= -e ^_= -e ^SHLVL=', "a b", "$(id)", ";x"),
      ["--process-env=GREETING=hi"],
    );
    expect(told.r).toMatchObject({
      code: 0,
      signal: null,
      stdout: { text: "a b|$(id)|;x|GREETING=hi\n" },
      stderr: { bytes: 0 },
    });
    expect(run.records[0]!.process_tools).toMatchObject({
      commands: [{ name: "sh", path: "/bin/sh", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      cwd: "work",
      env_keys: ["GREETING"],
    });
  });

  it("gives the exit code of a command that fails", async () => {
    expect((await call(sh("echo no >&2; exit 3"))).told.r).toMatchObject({
      code: 3,
      stderr: { text: "no\n" },
    });
  });

  it("denies another command, a folder outside, a variable that was not named, each with its reason", async () => {
    const reasons: (readonly [object, string])[] = [
      [{ command: "bash" }, "process_command_not_admitted"],
      [{ command: "/bin/sh" }, "process_command_not_admitted"],
      [{ command: "__proto__" }, "process_command_not_admitted"],
      [{ command: "sh", cwd: ".." }, "process_cwd_not_admitted"],
      [{ command: "sh", cwd: "out/etc" }, "process_cwd_not_admitted"],
      [{ command: "sh", cwd: "missing" }, "process_cwd_not_admitted"],
      [{ command: "sh", env: { LD_PRELOAD: "x" } }, "process_env_key_not_admitted"],
    ];
    const calls = reasons.map(([args]) => args);
    const source = `for (const a of ${JSON.stringify(calls)}) try { await callTool("process", a) } catch {}`;
    const run = await runProgram(source, { folder, flags: ["--tool=process", ...SH] });
    expect(run.of("tool_denial").map(({ reason }) => reason)).toEqual(reasons.map(([, reason]) => reason));
    expect((await call({ ...sh("pwd"), cwd: "inner" })).told.r).toMatchObject({ code: 0 });
  });

  it("changes nothing of what the program may read: that was read before it began", async () => {
    writeFileSync(join(folder, "work/note"), "before");
    const source = `const read = () => callTool("readFile", { path: "work/note" }).content;
      const first = read();
      await callTool("process", ${JSON.stringify(sh("echo after > note; echo new > more; rm -f gone; cat note"))});
      emit({ same: read() === first, files: callTool("listFiles", {}).files.map(({ path }) => path) });`;
    const flags = ["--tool=process", "--tool=readFile", "--tool=listFiles", "--fs-read=work/note", ...SH];
    const run = await runProgram(source, { folder, flags: [...flags, "--run-id=snapshot"] });
    expect(run.events).toEqual([{ same: true, files: ["work/note"] }]);
    expect(readFileSync(join(folder, "work/note"), "utf8")).toBe("after\n");
  });

  it("caps number and size of the arguments", async () => {
    for (const args of [Array(65).fill("a"), ["x".repeat(32 * 1024 + 1)], ["a\0b"], [1]]) {
      expect((await call({ command: "sh", args })).told.code).toBe("TOOL_ARGUMENTS");
    }
  });

  it("ends a command that writes more than its budget, with all that it started", async () => {
    const { told, run } = await call(sh("(while :; do echo deep; done) & yes"), [
      "--max-tool-result-bytes=4096",
    ]);
    expect(told.code).toBe("BUDGET_EXCEEDED");
    expect(run.of("process_output_budget")).toMatchObject([{ limit: 4096 }]);
    expect(run.of("budget_exceeded")).toMatchObject([{ budget: "process_output_bytes", tool: "process" }]);
  });

  it("takes what a command writes up to its budget, and not one byte more", async () => {
    const write = (bytes: number) => ({ ...sh(`head -c ${bytes} /dev/zero`), output: "summary" });
    const flags = ["--max-tool-result-bytes=4096"];
    expect((await call(write(4096), flags)).told.r!.stdout).toMatchObject({ bytes: 4096 });
    const { told, run } = await call(write(4097), flags);
    expect(told.code).toBe("BUDGET_EXCEEDED");
    expect(run.of("process_output_budget")).toMatchObject([{ limit: 4096, attempted: 4097 }]);
  });

  it("ends a command that takes longer than a tool may, with all that it started", async () => {
    const { told } = await call(sh("sleep 600 & echo $! > pid; wait"), ["--tool-timeout-ms=1500"]);
    expect(told.code).toBe("TOOL_TIMEOUT");
    const pid = readFileSync(join(folder, "work/pid"), "utf8").trim();
    await waitFor(
      "the end of what the command started",
      () => !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")),
    );
  });

  it("does not wait for what a command left behind", async () => {
    const { told } = await call(sh("sleep 600 & echo done"));
    expect(told.r).toMatchObject({ code: 0, stdout: { text: "done\n" } });
  });

  it("puts a stream into the log piece by piece, and only its size into the result", async () => {
    const { told, run } = await call({ ...sh("printf 123456789"), output: "stream" }, [
      "--process-output-stream-chunk-bytes=4",
    ]);
    expect(run.of("process_output_stream").map(({ text }) => text)).toEqual(["1234", "5678", "9"]);
    expect(told.r!.stdout).toEqual({ bytes: 9, sha256: expect.any(String) });
    const summary = await call({ ...sh("printf 12"), output: "summary" });
    expect(summary.told.r!.stdout).toEqual({ bytes: 2, sha256: expect.any(String) });
  });

  it("says that a command cannot be started", async () => {
    writeFileSync(join(folder, "nope"), "not a program");
    expect((await call({ command: "nope" }, ["--process-command=nope=nope"])).told.code).toBe(
      "PROCESS_NOT_STARTED",
    );
  });

  it("is a task where no command is named and a control plane is, with the same call", async () => {
    const taskRunner = {
      run: async ({ command, args }: { command: string; args: readonly string[] }) => ({
        task: command,
        args: [...args],
      }),
    };
    const run = await runProgram(`emit(await callTool("process", { command: "make", args: ["x"] }));`, {
      flags: ["--tool=process", "--tool-timeout-ms=20000"],
      taskRunner,
    });
    expect(run.events).toEqual([{ task: "make", args: ["x"] }]);
  });
});
