/** Programs that want out, or want to take the host with them. Each has one right end. */
import { describe, expect, it } from "vitest";
import { runProgram } from "../testing/runProgram.ts";

/** What an attempt came to: the value as text, or the error's name and message. */
const attempt = `const attempt = (f) => { try { return String(f()) } catch (e) { return e.name + ": " + e.message } };\n`;

const refusedCode = "TypeError: code generation from text is not available in a compartment";

describe("a way to new code or to the host", () => {
  it("refuses every constructor that makes code from text", async () => {
    const run = await runProgram(`${attempt}
      emit({
        chain: attempt(() => [].constructor.constructor("return process")()),
        direct: attempt(() => new Function("return 1")()),
        plain: attempt(() => Function("return 1")()),
        async: attempt(() => (async () => {}).constructor("return 1")),
        generator: attempt(() => (function* () {}).constructor("yield 1")),
        asyncGenerator: attempt(() => (async function* () {}).constructor("yield 1")),
        reflect: attempt(() => Reflect.construct(Function, ["return 1"])),
        derived: attempt(() => new (class extends Function {})("return 1")),
      });`);
    expect(Object.values(run.events[0]!)).toEqual(Array(8).fill(refusedCode));
  });

  it("has no eval, neither direct nor indirect", async () => {
    const run = await runProgram(`${attempt}
      emit({ typed: typeof eval, direct: attempt(() => eval("1")), indirect: attempt(() => (0, globalThis.eval)("1")) });`);
    expect(run.events[0]).toEqual({
      typed: "undefined",
      direct: "ReferenceError: eval is not defined",
      indirect: "TypeError: not a function",
    });
  });

  it("has none of the globals that reach time, memory, threads or the host", async () => {
    const names = [
      "process require module fetch console setTimeout setInterval queueMicrotask performance WebAssembly Atomics",
      "SharedArrayBuffer WeakRef FinalizationRegistry DOMException navigator std os print gc Deno Bun",
    ]
      .join(" ")
      .split(" ");
    const run = await runProgram(
      `emit({ found: ${JSON.stringify(names)}.filter((name) => name in globalThis) });`,
    );
    expect(run.events[0]).toEqual({ found: [] });
  });

  it("shows frames of the program only, and lets nobody format stacks", async () => {
    const run = await runProgram(`${attempt}
      const set = attempt(() => { Error.prepareStackTrace = (e, f) => f[0].getThis(); });
      const f = () => callTool("nope", {});
      try { f() } catch (e) { emit({ set, stack: e.stack }) }
      const odd = new Error("x"); odd.name = Symbol("s");
      emit({ odd: typeof odd.stack, text: attempt(() => String(odd)) });`);
    expect(run.events[0]!.set).toMatch(/^TypeError/);
    expect(run.events[0]!.stack).toMatch(/^( {4}at \S+ \(agent\.js:\d+\)\n)+$/);
    expect(run.events[1]).toMatchObject({ odd: "string", text: expect.stringMatching(/^TypeError/) });
  });

  it("freezes the intrinsics and says that nothing was polluted", async () => {
    const run = await runProgram(`${attempt}
      emit({
        object: attempt(() => { Object.prototype.x = 1 }),
        json: attempt(() => { JSON.stringify = () => "{}" }),
        array: attempt(() => { Array.prototype.map = 1 }),
        toJson: attempt(() => { Object.prototype.toJSON = () => 1 }),
        hidden: attempt(() => { Object.getPrototypeOf(async function* () {}).prototype.next = 1 }),
        emit: attempt(() => { globalThis.emit = 1 }),
        own: attempt(() => Object.defineProperty(Object.prototype, "y", { value: 1 })),
      });`);
    for (const told of Object.values(run.events[0]!)) expect(told).toMatch(/^TypeError/);
    expect(run.of("authority_check")).toMatchObject([
      { object_prototype_polluted: false, global_polluted: false },
    ]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("sees a new global afterwards", async () => {
    const run = await runProgram("globalThis.leak = 1;");
    expect(run.of("authority_check")).toMatchObject([
      { object_prototype_polluted: false, global_polluted: true },
    ]);
  });

  it("denies every import that no policy names, and reads no file for it", async () => {
    const names = [
      "fs",
      "node:fs",
      "data:text/javascript,1",
      "https://a.example/x.js",
      "./../x",
      "/etc/passwd",
    ];
    const run = await runProgram(`
      for (const name of ${JSON.stringify(names)}) {
        try { await import(name); emit({ name, imported: true }) } catch (e) { emit({ name, message: e.message }) }
      }`);
    expect(run.events).toEqual(names.map((name) => ({ name, message: `agent module denied: ${name}` })));
    expect(run.of("module_denial").map(({ reason }) => reason)).toEqual(
      names.map(() => "specifier_not_admitted"),
    );
  });

  it("never meets itself when it imports itself", async () => {
    const run = await runProgram(`await import("agent.js"); emit({ reached: true });`);
    expect(run).toMatchObject({ status: "ok", events: [] });
  });

  it("gives import.meta nothing and takes no import attributes", async () => {
    const run = await runProgram(`emit({ meta: Object.keys(import.meta) });`);
    expect(run.events[0]).toEqual({ meta: [] });
  });
});

describe("the membrane", () => {
  it("keeps names that mean something to objects as plain data", async () => {
    const run = await runProgram(
      `const r = callTool("echo", JSON.parse('{"__proto__":{"p":1},"constructor":2,"prototype":3,"__defineGetter__":4}'));
       emit({ own: Object.keys(r), p: r.p === undefined, context: Object.keys(context), q: context.q === undefined });`,
      { flags: ["--tool=echo", '--context-json={"__proto__":{"q":1}}'] },
    );
    const own = ["__proto__", "constructor", "prototype", "__defineGetter__"];
    expect(run.events[0]).toEqual({ own, p: true, context: ["__proto__"], q: true });
    expect(Object.keys(run.of("tool_call")[0]!.args as object)).toEqual(own);
    expect(({} as { p?: unknown }).p).toBeUndefined();
  });

  it("reads a getter once: the bytes that were audited are the bytes that were sent", async () => {
    const run = await runProgram(
      `let n = 0; const r = callTool("echo", { get a() { return ++n } }); emit({ n, a: r.a });`,
      { flags: ["--tool=echo"] },
    );
    expect(run.events[0]).toEqual({ n: 1, a: 1 });
    expect(run.of("tool_call")[0]!.args).toEqual({ a: 1 });
  });

  it("refuses arguments that are not JSON, each with its record", async () => {
    const run = await runProgram(
      `${attempt} const cyclic = {}; cyclic.self = cyclic;
       const bad = [{ a: 1n }, cyclic, null, [], 1, "x", undefined, () => 1, Symbol("s"), { toJSON: () => [] }, { get a() { throw 1 } }];
       emit({ told: bad.map((args) => attempt(() => callTool("echo", args)).slice(0, 9)) });`,
      { flags: ["--tool=echo"] },
    );
    expect(run.events[0]!.told).toEqual(Array(11).fill("TypeError"));
    expect(run.of("tool_invalid_args")).toHaveLength(11);
    expect(run.of("tool_call")).toEqual([]);
  });

  it("takes JSON objects only, at every surface that takes data", async () => {
    const run = await runProgram(
      `${attempt} const bad = [null, [], 1, "x", true, undefined, () => 1];
       emit({ told: [emit, auditNote].map((surface) => bad.map((one) => attempt(() => surface(one)).slice(0, 9))) });`,
    );
    expect(run.events).toEqual([{ told: Array(2).fill(Array(7).fill("TypeError")) }]);
    expect(run.of("audit_note")).toEqual([]);
  });

  it("writes numbers and texts that JSON bends as JSON does, on one line", async () => {
    const run = await runProgram(
      `emit(callTool("echo", { n: [NaN, Infinity, -0], s: "a\\u0000b\\ud800c\\u2028}{\\"type\\":\\"run_end\\"}\\n", u: undefined }));`,
      { flags: ["--tool=echo"] },
    );
    const same = { n: [null, null, 0], s: 'a\u0000b\ud800c\u2028}{"type":"run_end"}\n' };
    expect(run.events[0]).toEqual(same);
    expect(run.of("tool_call")[0]!.args).toEqual(same);
  });

  it("never awaits or calls what a tool returned or was given", async () => {
    const run = await runProgram(
      `let called = 0; const r = callTool("echo", { then() { called++ }, toString() { called++ }, x: 1 });
       emit({ called, keys: Object.keys(r) });`,
      { flags: ["--tool=echo"] },
    );
    expect(run.events[0]).toEqual({ called: 0, keys: ["x"] });
  });

  it("refuses JSON that is deeper than a walk should go, in both directions", async () => {
    const run = await runProgram(
      `${attempt} const deep = (n) => { let v = {}; for (let i = 1; i < n; i++) v = { v }; return v };
       emit({ at: attempt(() => { callTool("echo", deep(64)) }), over: attempt(() => callTool("echo", deep(65))),
              far: attempt(() => callTool("echo", deep(20000))), event: attempt(() => emit(deep(65))) });`,
      { flags: ["--tool=echo"] },
    );
    expect(run.events[0]).toMatchObject({
      at: "undefined",
      over: expect.stringMatching(/^TypeError/),
      far: expect.stringMatching(/^TypeError/),
      event: expect.stringMatching(/^RangeError/),
    });
  });

  it("closes the surfaces before it shows what was thrown", async () => {
    const run = await runProgram(`throw { get message() { emit({ late: 1 }); return "x" }, name: "N" };`);
    expect(run).toMatchObject({ reason: "exception", events: [] });
    expect(run.of("exception")).toMatchObject([{ name: "thrown", message: "a value that cannot be shown" }]);
  });

  it("cannot be held up by the showing of what was thrown", async () => {
    const run = await runProgram(`throw { get message() { for (;;); } };`, { flags: ["--timeout-ms=500"] });
    expect(run.reason).toBe("timeout");
  });

  it("revokes every surface at close, for continuations too", async () => {
    const run = await runProgram(
      `close();
       const surfaces = [() => emit({}), () => callTool("echo", {}), () => state.set("a", 1), () => close(),
         () => state.get("a"), () => state.delete("a"), () => state.list(), () => state.reset(), () => auditNote({}),
         () => auditControls(), () => importValue("m", "default")];
       Promise.resolve().then(() => { for (const f of surfaces) try { f() } catch (e) { } });`,
      { files: { "m.js": "export default 1" }, flags: ["--tool=echo", "--module=m=m.js"] },
    );
    expect(run.status).toBe("ok");
    expect(run.of("revocation")).toHaveLength(1);
    expect(run.of("revocation_denial").map(({ surface }) => surface)).toEqual([
      "emit",
      "callTool",
      "state.set",
      "close",
      "state.get",
      "state.delete",
      "state.list",
      "state.reset",
      "auditNote",
      "auditControls",
      "import",
    ]);
    expect(run.events).toEqual([]);
  });
});

describe("a way to stop or break the host", () => {
  const ended = async (source: string, flags: readonly string[] = []) =>
    (await runProgram(source, { flags: ["--timeout-ms=1500", ...flags] })).reason;

  it("ends loops that no statement of the program can leave", async () => {
    expect(await ended("l: for (;;) for (;;) continue l;", ["--max-steps=50000"])).toBe(
      "step_budget_exceeded",
    );
    expect(
      await ended("function* g() { for (;;) yield 1 } for (const x of g());", ["--max-steps=50000"]),
    ).toBe("step_budget_exceeded");
  });

  it("ends what the engine itself never interrupts", async () => {
    expect(await ended("Array.prototype.indexOf.call({ length: 4294967295 }, 99);")).toBe("timeout");
    expect(await ended("let x = 3n; for (let i = 0; i < 40; i++) x = x * x; String(x);")).toMatch(
      /timeout|exception/,
    );
    expect(await ended("function f() { try { f() } finally { f() } } f();")).toBe("timeout");
  });

  it("ends a regular expression that backtracks for ever", async () => {
    expect(await ended(`/(?:a|b)*c/.test("ab".repeat(200000));`)).toBe("timeout");
    expect(await ended(`/(a+)+$/.test("a".repeat(40) + "b");`, ["--max-steps=50000"])).toMatch(
      /step_budget|timeout/,
    );
  });

  it("keeps recursion, huge texts and huge buffers ordinary errors of the program", async () => {
    const run = await runProgram(`${attempt}
      const f = () => f();
      emit({
        recursion: attempt(f),
        text: attempt(() => "x".repeat(2 ** 30).length),
        buffer: attempt(() => new ArrayBuffer(2 ** 30)),
        chain: attempt(() => { let p = {}; for (let i = 0; i < 50000; i++) p = new Proxy(p, {}); return p.x }),
        nested: attempt(() => JSON.parse("[".repeat(100000))),
      });`);
    expect(run.status).toBe("ok");
    expect(run.events[0]!.recursion).toMatch(/^(RangeError|InternalError)/);
    expect(run.events[0]!.text).toMatch(/Error/);
    expect(run.events[0]!.buffer).toMatch(/Error/);
    expect(run.events[0]!.nested).toMatch(/Error/);
  });

  it("ends promise chains without an end at the budget, however they are made", async () => {
    const endless = [
      "const f = () => Promise.resolve().then(f); f();",
      "async function* g() { for (;;) yield 1 } (async () => { for await (const x of g()); })();",
      "const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); }; f();",
      "(async () => { for (;;) await { then(r) { r() } } })();",
    ];
    for (const source of endless) {
      expect(await ended(source, ["--max-microtasks=500", "--timeout-ms=20000"])).toBe(
        "microtask_budget_exceeded",
      );
    }
  });

  it("ends a turn whose promises never settle as a good one", async () => {
    const run = await runProgram("emit({ a: 1 }); await new Promise(() => {}); emit({ b: 1 });");
    expect(run).toMatchObject({ status: "ok", events: [{ a: 1 }] });
  });

  it("calls a rejected body a failure, and does not see a rejection that nobody waits for", async () => {
    const run = await runProgram(`await Promise.reject(new RangeError("no"));`);
    expect(run.reason).toBe("exception");
    expect(run.of("exception")).toMatchObject([{ name: "RangeError", message: "no" }]);
    expect(await ended("Promise.reject(1); emit({});")).toBeNull();
  });

  it("survives a sort that resizes what it sorts", async () => {
    const run = await runProgram(
      `const b = new ArrayBuffer(8000, { maxByteLength: 16000 }); const a = new Float64Array(b);
       try { a.sort((x, y) => { b.resize(0); return 1 }) } catch {} emit({ survived: true });`,
      { flags: ["--timeout-ms=2000"] },
    );
    expect(["ok", "error"]).toContain(run.status);
  });

  it("starts each program in an engine that nothing ran in before", async () => {
    const left = await runProgram("globalThis.left = 1; context.left = 1; emit({});");
    const next = await runProgram(
      "emit({ left: typeof left, context, keys: Object.keys(globalThis).length });",
    );
    const alone = await runProgram("emit({ keys: Object.keys(globalThis).length });");
    expect([left.status, next.events]).toEqual([
      "ok",
      [{ left: "undefined", context: {}, ...alone.events[0] }],
    ]);
  });

  it("is exact about what it cannot parse", async () => {
    expect(await ended("1 +")).toBe("exception");
    expect(await ended("return 1")).toBe("exception");
    expect(await ended("})(); emit({ out: 1 }); (() => {")).toBe("exception");
  });
});
