/** Programs that want out, or want to take the host with them, given to the built command: one right end each. */
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cliProgram, ensureBuilt } from "../../../test/support/builtCli.ts";
import { readAuditLog } from "../audit/readAuditLog.ts";
import { newFolder } from "../testing/runProgram.ts";

const folder = newFolder();
beforeAll(ensureBuilt);
afterAll(() => rmSync(folder, { recursive: true }));

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function cazi(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Said> {
  return new Promise((resolve) => {
    const of = { cwd: folder, env: { PATH: process.env.PATH, ...env }, maxBuffer: 1 << 26 };
    execFile(process.execPath, [cliProgram, "agent", ...words], of, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Runs a program under a name of its own and checks that its log is whole. */
async function run(name: string, source: string, flags: readonly string[]) {
  put(`${name}.js`, source);
  const log = `${name}.jsonl`;
  const patient = flags.some((flag) => flag.startsWith("--timeout-ms")) ? [] : ["--timeout-ms=120000"];
  const said = await cazi(["run", `${name}.js`, `--audit-log=${log}`, ...patient, ...flags]);
  const reading = readAuditLog(readFileSync(join(folder, log), "utf8"));
  expect(reading.state, said.err).toBe("complete");
  const records = reading.state === "refused" ? [] : reading.records;
  return { ...said, records };
}

const attempt = `const attempt = (f) => { try { return String(f()) } catch (e) { return e.name + ": " + e.message } };\n`;
const refused = /code generation from text/;
const steps = ["--max-steps=50000"];
const short = ["--timeout-ms=400"];

/** Row of the table, what it tries, the program, and what `r` of its event must be: it stays an error of the program. */
const staysInside: readonly (readonly [row: string, expression: string, expected: RegExp])[] = [
  ["1", `attempt(() => [].constructor.constructor("return process")())`, refused],
  ["2", `attempt(() => (async () => {}).constructor("return 1"))`, refused],
  ["2b", `attempt(() => (async function* () {}).constructor("return 1"))`, refused],
  ["2c", `attempt(() => (function* () {}).constructor("yield 1"))`, refused],
  ["2d", `attempt(() => (() => {}).constructor("return 1"))`, refused],
  [
    "3",
    `attempt(() => (0, globalThis.eval)("1")) + attempt(() => new Function("1"))`,
    /TypeError.*TypeError/,
  ],
  ["4", `attempt(() => { Error.prepareStackTrace = (e, f) => f[0].getThis() })`, /^TypeError/],
  [
    "4b",
    `(() => { try { callTool("nope", {}) } catch (e) { return e.stack } })()`,
    /^( {4}at \S+ \(inside-false\.js:\d+\)\n)+$/,
  ],
  [
    "5",
    `(() => { const e = new Error("x"); e.name = Symbol("s"); return attempt(() => String(e)) })()`,
    /^TypeError/,
  ],
  ["8", `(() => { let n = 0; return callTool("echo", { get a() { return ++n } }).a + n })()`, /^2$/],
  ["10", `attempt(() => { Object.prototype.toJSON = () => 1 })`, /^TypeError/],
  [
    "11",
    `(() => { const a = callTool("echo", JSON.parse('{"__proto__":{"p":1}}')); return a.p + "," + Object.keys(a) })()`,
    /^undefined,__proto__$/,
  ],
  [
    "12",
    `Object.keys(callTool("echo", { constructor: 1, prototype: 2, __defineGetter__: 3 })).length`,
    /^3$/,
  ],
  ["13", `attempt(() => { Object.prototype.x = 1 })`, /^TypeError/],
  ["14", `(await callTool("echo", { then: { then: 1 } })).then.then`, /^1$/],
  ["15", `(() => { let n = 0; callTool("echo", { then() { n++ } }); return n })()`, /^0$/],
  ["17", `Object.keys(callTool("echo", { "nodejs.util.inspect.custom": 1 }))[0]`, /^nodejs/],
  ["18", `attempt(() => callTool("fail", {}))`, /^Error: agent tool failed: fail: [^/]*$/],
  ["28", `attempt(() => "x".repeat(2 ** 30).length)`, /Error/],
  ["30", `attempt(() => new ArrayBuffer(2 ** 30))`, /Error/],
  ["31", `attempt(function f() { return f() })`, /^(Range|Internal)Error/],
  ["32", `attempt(() => JSON.parse("[".repeat(100000)))`, /Error/],
  [
    "32b",
    `attempt(() => { let v = {}; for (let i = 0; i < 20000; i++) v = { v }; callTool("echo", v) })`,
    /Error/,
  ],
  [
    "34",
    `attempt(() => { let p = {}; for (let i = 0; i < 50000; i++) p = new Proxy(p, {}); return p.x })`,
    /./,
  ],
  ["41", `JSON.stringify(callTool("echo", { n: [NaN, Infinity, -0] }))`, /^\{"n":\[null,null,0\]\}$/],
  [
    "42",
    `attempt(() => callTool("echo", { n: 1n })) + attempt(() => callTool("echo", Symbol()))`,
    /TypeError.*TypeError/,
  ],
  ["44", `JSON.stringify(callTool("echo", { s: "a\\0b\\ud800\\u2028" }).s)`, /a\\u0000b\\ud800\u2028/],
  ["45", `attempt(() => callTool('echo"}\\n{"type":"run_end"', {}))`, /denied/],
  [
    "47",
    `(() => { const at = { s: "š".repeat(28) }; callTool("echo", at); return attempt(() => callTool("echo", { s: at.s + "x" })) })()`,
    /budget exceeded: tool_arg_bytes/,
  ],
  [
    "48",
    `["WebAssembly", "SharedArrayBuffer", "Atomics", "performance"].filter((n) => n in globalThis).length`,
    /^0$/,
  ],
  ["50", `attempt(() => new Date() - Date.now())`, /^0$/],
  [
    "51",
    `await (async () => { const told = []; for (const n of ["fs", "node:fs", "data:text/javascript,1", "https://a.example/x.js", "./../x"]) { try { await import(n); told.push("in") } catch (e) { told.push("denied") } } return told.join() })()`,
    /^denied(,denied){4}$/,
  ],
  [
    "60",
    `attempt(() => emit.constructor("return process")()) + Object.getPrototypeOf(context).constructor.name`,
    /code generation.*Object$/,
  ],
];

/** Row, program, flags, and the reason that the run ends with; null: it ends well. */
const ends: readonly (readonly [
  row: string,
  source: string,
  flags: readonly string[],
  reason: RegExp | null,
])[] = [
  ["19", "for (;;);", steps, /^step_budget/],
  ["20", "for (;;) { try { for (;;); } catch {} finally {} }", steps, /^step_budget/],
  ["21", "l: for (;;) for (;;) continue l", steps, /^step_budget/],
  ["21b", "function* g() { for (;;) yield 1 } for (const x of g());", steps, /^step_budget/],
  ["22", "function f() { try { f() } finally { f() } } f();", short, /^timeout/],
  ["23", "Array.prototype.indexOf.call({ length: 4294967295 }, 99)", short, /^timeout/],
  ["25", `/(a+)+$/.test("a".repeat(40) + "b")`, steps, /^step_budget|^timeout/],
  ["26", `/(?:a|b)*c/.test("ab".repeat(200000))`, short, /^timeout|^exception/],
  ["27", "let x = 3n; for (let i = 0; i < 40; i++) x = x * x; String(x)", short, /^timeout|^exception/],
  ["28", `let s = "x"; for (;;) s += s + s;`, ["--max-heap-mb=32"], /^memory_heap|^exception/],
  ["35", "const f = () => Promise.resolve().then(f); f()", ["--max-microtasks=500"], /^microtask_budget/],
  [
    "35b",
    "async function* g() { for (;;) yield 1 } (async () => { for await (const x of g()); })()",
    ["--max-microtasks=500"],
    /^microtask_budget/,
  ],
  [
    "36",
    "const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f()",
    ["--max-microtasks=500"],
    /^microtask_budget/,
  ],
  ["37", "await new Promise(() => {})", [], null],
  [
    "39",
    `callTool("slow", { delay_ms: 60000 }).then(() => emit({ late: 1 }), (e) => emit({ r: e.message }))`,
    ["--tool=slow", "--tool-timeout-ms=100"],
    null,
  ],
  ["40", `await Promise.reject(new RangeError("no"))`, [], /^exception/],
  ["40b", "Promise.reject(1)", [], null],
  [
    "59",
    `const b = new ArrayBuffer(8000, { maxByteLength: 16000 }); const a = new Float64Array(b); try { a.sort(() => { b.resize(0); return 1 }) } catch {}`,
    [],
    null,
  ],
];

/** Each row of the table of hostile input that this service keeps to; the numbers between them are not used. */
const rows = `1 2 3 4 5 8 10 11 12 13 14 15 17 18 19 20 21 22 23 25 26 27 28 30 31 32 34 35 36 37 38 39 40 41 42 44 45 47
  48 50 51 52 54 55 56 58 59 60`;
/** Rows that take more than one run: each is a test of its own below. */
const rowsOfTheirOwn = ["38", "52", "54", "55", "56", "58"];

const FLAGS = ["--tool=echo", "--tool=fail"];

describe.concurrent("the built command", { timeout: 240_000 }, () => {
  it("is given every row of the table", () => {
    const given = [...staysInside, ...ends].map(([row]) => row.replace(/[a-z]$/, ""));
    expect([...new Set([...given, ...rowsOfTheirOwn])].sort()).toEqual(rows.split(/\s+/).sort());
  });

  it("keeps what is no end of the run an error of the program, each row of it", async () => {
    const limited = (row: string) => row === "47";
    for (const isLimited of [false, true]) {
      const rows = staysInside.filter(([row]) => limited(row) === isLimited);
      const body = rows.map(([row, expression]) => `emit({ row: "${row}", r: String(${expression}) });`);
      const flags = isLimited ? [...FLAGS, "--max-tool-arg-bytes=64"] : FLAGS;
      const ran = await run(`inside-${isLimited}`, attempt + body.join("\n"), flags);
      expect(ran.code, ran.err).toBe(0);
      const told = ran.out.trimEnd().split("\n");
      const results = told.map((line) => JSON.parse(line) as { row: string; r: string });
      expect(results.map(({ row }) => row)).toEqual(rows.map(([row]) => row));
      for (const [index, [row, , expected]] of rows.entries()) {
        expect(results[index]!.r, row).toMatch(expected);
      }
      expect(ran.records.find(({ type }) => type === "authority_check")).toMatchObject({
        object_prototype_polluted: false,
        global_polluted: false,
      });
    }
  });

  it.each(ends)("ends row %s as it must", async (row, source, flags, reason) => {
    const { code, records } = await run(`ends-${row}`, source, flags);
    const end = records.at(-1)! as unknown as { status: string; reason?: string; used: object };
    expect(code).toBe(reason === null ? 0 : 70);
    if (reason === null) expect(end.status).toBe("ok");
    else expect(end.reason).toMatch(reason);
    if (row === "35") {
      expect(end.used).toMatchObject({ microtasks: 500 });
    }
    if (row === "39") {
      expect(records.filter(({ type }) => type === "tool_timeout")).toHaveLength(1);
      const [event, ...more] = records.filter(({ type }) => type === "event");
      expect([event?.event, more]).toEqual([{ r: "agent tool timed out: slow" }, []]);
    }
  });

  it("closes every surface for what comes after close(): row 38", async () => {
    const late =
      "for (const f of [() => emit({}), () => callTool('echo', {}), () => state.set('a', 1)]) try { f() } catch {}";
    const { records } = await run("row-38", `close(); Promise.resolve().then(() => { ${late} })`, FLAGS);
    const denied = records.filter(({ type }) => type === "revocation_denial").map(({ surface }) => surface);
    expect(denied).toEqual(["emit", "callTool", "state.set"]);
  });

  it("takes no module that is not what was pinned: row 52", async () => {
    put("m52.js", "export const v = 1;");
    const { out } = await cazi(["hash", "m52.js", "--json"]);
    const pins = JSON.parse(out) as { fnv1a64: string; sha256: string };
    put("row-52.js", `import { v } from "m"; emit({ v })`);
    const words = ["run", "row-52.js", "--timeout-ms=30000", "--package=m=m52.js"];
    const pinned = [...words, `--package-integrity=m=${pins.fnv1a64},${pins.sha256}`];
    expect(await cazi(pinned)).toMatchObject({ code: 0, out: '{"v":1}\n' });
    put("m52.js", "export const v = 2;");
    expect((await cazi(pinned)).code).toBe(65);
  });

  it("takes no approval for other arguments, another run, again, or too late: row 54", async () => {
    const call = (path: string) => `emit({ r: callTool("echo", { path: "${path}" }).path })`;
    const flags = ["--tool=echo", "--require-approval=echo", "--approval-log=approvals.jsonl"];
    expect((await run("row-54", call("a.txt"), flags)).code).toBe(70);
    const asked = readFileSync(join(folder, "approvals.jsonl"), "utf8").split("\n")[0]!;
    const { approval_id: id } = JSON.parse(asked) as { approval_id: string };
    expect((await cazi(["approval", "allow", "approvals.jsonl", id, "--reason=looked at"])).code).toBe(0);
    expect((await run("row-54", call("š.txt"), flags)).code).toBe(70);
    expect((await run("row-54", call("a.txt"), [...flags, "--approval-max-age-ms=1"])).code).toBe(70);
    expect((await run("row-54-other", call("a.txt"), [...flags])).code).toBe(70);
    expect((await run("row-54", call("a.txt"), flags)).code).toBe(0);
    expect((await run("row-54", call("a.txt"), flags)).code).toBe(70);
  });

  it("runs nothing after a suspension, and no program or journal that is another one by then: rows 55 and 56", async () => {
    put("row-55.js", "try { await scheduler.sleep(1); } catch { emit({ caught: 1 }) } emit({ woke: 1 })");
    const words = ["row-55.js", "--job-id=j55", "--store=jobs", "--timeout-ms=30000"];
    expect((await cazi(["schedule", "start", ...words])).code).toBe(0);
    const source = readFileSync(join(folder, "row-55.js"), "utf8");
    put("row-55.js", `${source} `);
    expect((await cazi(["schedule", "tick", "j55", "--store=jobs"])).code).toBe(65);
    put("row-55.js", source);
    const first = await cazi(["schedule", "tick", "j55", "--store=jobs"]);
    expect(first.code).toBe(0);
    const journal = readFileSync(join(folder, "jobs/j55/journal.jsonl"), "utf8");
    put("jobs/j55/journal.jsonl", journal.replace('"calls":0', '"calls":1'));
    const edited = await cazi(["schedule", "tick", "j55", "--store=jobs"]);
    expect(edited).toMatchObject({ code: 65, err: expect.stringContaining("Line 1") });
    put("jobs/j55/journal.jsonl", journal);
    let { out } = first;
    for (let ticks = 0; ticks < 5 && !out.includes("woke"); ticks++) {
      out += (await cazi(["schedule", "tick", "j55", "--store=jobs"])).out;
    }
    expect(out).toBe('{"woke":1}\n');
  });

  it("shows a secret's value to nobody: row 58", async () => {
    const SECRET = "s3cr3t/value+1";
    put(
      "row-58.js",
      `const s = callTool("echo", context); emit({ s: s.v, u: s.u });
      try { callTool("echo", null, context.v) } catch (e) { emit({ e: e.message }) }
      state.set("s", context.v); throw new Error(context.v + context.u)`,
    );
    const context = JSON.stringify({ v: SECRET, u: encodeURIComponent(SECRET) });
    const said = await cazi(
      [
        "run",
        "row-58.js",
        "--timeout-ms=30000",
        "--tool=echo",
        "--secret=echo=KEY",
        `--context-json=${context}`,
      ],
      { KEY: SECRET },
    );
    expect(said.code).toBe(70);
    const log = readFileSync(join(folder, ".cazi/agent/audit/row-58.jsonl"), "utf8");
    expect(log).toContain('"message":"[REDACTED][REDACTED]"');
    for (const text of [said.out, said.err, log]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(encodeURIComponent(SECRET));
    }
  });
});
