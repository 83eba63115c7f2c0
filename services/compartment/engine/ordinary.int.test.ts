/** Code as models write it every day must just run: the seal may not show. */
import { describe, expect, it } from "vitest";
import { runProgram } from "../testing/runProgram.ts";

/** Title, program body that returns a value, what it must be. */
const programs: readonly (readonly [title: string, body: string, expected: unknown])[] = [
  [
    "classes with fields, private members and statics",
    `class A { #n = 1; static z = 9; x = 2; get n() { return this.#n } inc() { this.#n++; return this } } return [new A().inc().n, A.z, new A().x]`,
    [2, 9, 2],
  ],
  [
    "inheritance and super",
    `class A { hi() { return "a" } } class B extends A { hi() { return super.hi() + "b" } } return new B().hi()`,
    "ab",
  ],
  [
    "an error class that sets its name",
    `class E extends Error { constructor(m) { super(m); this.name = "E"; this.extra = 1 } } try { throw new E("x") } catch (e) { return [e.name, e.message, e.extra, e instanceof E, e instanceof Error, String(e)] }`,
    ["E", "x", 1, true, true, "E: x"],
  ],
  [
    "an error with a cause and an aggregate",
    `const e = new Error("a", { cause: new TypeError("b") }); return [e.cause.message, new AggregateError([1, 2], "m").errors.length]`,
    ["b", 2],
  ],
  [
    "a message that is changed later",
    `const e = new TypeError("a"); e.message = "b"; e.name = "N"; return String(e)`,
    "N: b",
  ],
  [
    "toString on an own prototype",
    `function P() {} P.prototype.toString = function () { return "P!" }; P.prototype.constructor = P; return \`\${new P()}\``,
    "P!",
  ],
  [
    "an own hasOwnProperty, valueOf and constructor",
    `const o = {}; o.hasOwnProperty = 1; o.valueOf = () => 5; o.constructor = 2; return [o.hasOwnProperty, +o, o.constructor]`,
    [1, 5, 2],
  ],
  [
    "old-style inheritance",
    `function A() { this.a = 1 } A.prototype.get = function () { return this.a }; function B() { A.call(this) } B.prototype = Object.create(A.prototype); B.prototype.constructor = B; return [new B().get(), new B() instanceof A]`,
    [1, true],
  ],
  [
    "a function with properties of its own",
    `const f = () => 1; f.cache = {}; f.toString = () => "f"; f.apply = 3; return [f.cache, f + "", f.apply]`,
    [{}, "f", 3],
  ],
  [
    "an array with an overridden method",
    `const a = [3, 1]; a.map = () => "mine"; return [a.map(), a.sort()]`,
    ["mine", [1, 3]],
  ],
  [
    "a subclass of Array",
    `class S extends Array { last() { return this[this.length - 1] } } const s = S.from([1, 2]); s.push(3); return [s.last(), s.map((x) => x * 2) instanceof S]`,
    [3, true],
  ],
  ["a subclass of Promise", `class P extends Promise {} return P.resolve(4).then((x) => x + 1)`, 5],
  [
    "a subclass of Map",
    `class D extends Map { get(k) { return super.get(k) ?? 0 } } const d = new D(); d.set("a", d.get("a") + 1); return d.get("a")`,
    1,
  ],
  [
    "generators and delegation",
    `function* g() { yield 1; yield* [2, 3]; return 4 } return [...g()]`,
    [1, 2, 3],
  ],
  [
    "a generator that is sent values",
    `function* g() { let x = 0; for (;;) x += yield x } const i = g(); i.next(); i.next(2); return i.next(3).value`,
    5,
  ],
  [
    "async generators and for await",
    `async function* g() { yield 1; yield 2 } const r = []; for await (const x of g()) r.push(x); return r`,
    [1, 2],
  ],
  [
    "async functions in sequence and in parallel",
    `const w = async (x) => { await null; return x * 2 }; return [await w(1), ...(await Promise.all([w(2), w(3)]))]`,
    [2, 4, 6],
  ],
  [
    "allSettled, any and race",
    `const s = await Promise.allSettled([Promise.resolve(1), Promise.reject(new Error("n"))]); return [s.map((x) => x.status), await Promise.any([Promise.reject(1), 2]), await Promise.race([3, 4])]`,
    [["fulfilled", "rejected"], 2, 3],
  ],
  [
    "try, catch and finally around await",
    `const r = []; try { await Promise.reject(new Error("x")) } catch (e) { r.push(e.message) } finally { r.push("f") } return r`,
    ["x", "f"],
  ],
  [
    "destructuring with defaults and rest",
    `const { a, b: { c = 5 } = {}, ...rest } = { a: 1, d: 4, e: 5 }; const [x, , y = 9, ...z] = [1, 2, undefined, 4, 5]; return [a, c, rest, x, y, z]`,
    [1, 5, { d: 4, e: 5 }, 1, 9, [4, 5]],
  ],
  [
    "spread, computed and shorthand members",
    `const k = "x"; const a = 1; return { ...{ a: 0, b: 2 }, a, [k + 1]: 3, f() { return 1 } }`,
    { a: 1, b: 2, x1: 3 },
  ],
  [
    "optional chaining, nullish and logical assignment",
    `const o = { a: { b: null } }; o.a.b ??= 7; o.c ||= 8; return [o?.a?.b, o.x?.y.z, o.f?.(), o.c]`,
    [7, null, null, 8],
  ],
  [
    "tagged and nested templates",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has it
    "const t = (s, ...v) => s.raw.join('|') + v.join(','); return t`a${1}b${`x${2}`}c`",
    "a|b|c1,x2",
  ],
  [
    "regular expressions with names, look-behind and flags",
    `const m = /(?<y>\\d{4})-(?<m>\\d\\d)/.exec("on 2024-05"); return [m.groups.y, "a1b2".replace(/\\d/g, (d) => d * 2), "£5".match(/(?<=£)\\d/)[0], [..."a-b".matchAll(/[a-z]/g)].length]`,
    ["2024", "a2b4", "5", 2],
  ],
  [
    "unicode regular expressions",
    `return ["žluťoučký".match(/\\p{L}+/u)[0], [..."a😀b"].length, "a,b;c".split(/[,;]/)]`,
    ["žluťoučký", 3, ["a", "b", "c"]],
  ],
  [
    "dates from parts and texts",
    `const d = new Date("2024-03-10T12:00:00Z"); return [d.toISOString(), d.getTime(), new Date(2024, 0, 31).toISOString(), Date.UTC(2020, 1), d.getHours(), d.toJSON()]`,
    [
      "2024-03-10T12:00:00.000Z",
      1710072000000,
      "2024-01-31T00:00:00.000Z",
      1580515200000,
      12,
      "2024-03-10T12:00:00.000Z",
    ],
  ],
  [
    "a clock that stands still",
    `const a = Date.now(); for (let i = 0; i < 1000; i++); return [Date.now() - a, new Date() - a, new Date() instanceof Date, typeof Date()]`,
    [0, 0, true, "string"],
  ],
  [
    "sorting stably, by locale and with toSorted",
    `const a = [{ k: 2, n: "b" }, { k: 1, n: "c" }, { k: 2, n: "a" }]; return [a.sort((x, y) => x.k - y.k).map((x) => x.n).join(""), ["b", "a"].sort((x, y) => x.localeCompare(y)), [3, 1, 2].toSorted()]`,
    ["cba", ["a", "b"], [1, 2, 3]],
  ],
  [
    "grouping, flattening and searching",
    `return [Object.entries(Object.groupBy([1, 2, 3], (x) => (x % 2 ? "o" : "e"))), [[1, [2]]].flat(Infinity), [1, 2, 3].findLast((x) => x < 3), [1, 2].at(-1), [1, 2, 3].includes(2)]`,
    [
      [
        ["o", [1, 3]],
        ["e", [2]],
      ],
      [1, 2],
      2,
      2,
      true,
    ],
  ],
  [
    "reduce into maps and sets",
    `const words = "a b a".split(" "); const m = words.reduce((m, w) => m.set(w, (m.get(w) ?? 0) + 1), new Map()); return [[...m], new Set(words).size, Object.fromEntries(m)]`,
    [
      [
        ["a", 2],
        ["b", 1],
      ],
      2,
      { a: 2, b: 1 },
    ],
  ],
  [
    "JSON with a reviver, a replacer and indentation",
    `const o = JSON.parse('{"a":1,"b":[2]}', (k, v) => (typeof v === "number" ? v + 1 : v)); return [o, JSON.stringify({ a: 1, b: 2 }, ["a"]), JSON.stringify({ a: [1] }, null, 2)]`,
    [{ a: 2, b: [3] }, '{"a":1}', '{\n  "a": [\n    1\n  ]\n}'],
  ],
  [
    "toJSON of a class",
    `class M { constructor(c) { this.c = c } toJSON() { return { cents: this.c } } } return JSON.stringify([new M(5)])`,
    '[{"cents":5}]',
  ],
  [
    "big integers",
    `return [(2n ** 64n).toString(), String(BigInt("123") * 2n), typeof 1n, Number(7n)]`,
    ["18446744073709551616", "246", "bigint", 7],
  ],
  [
    "numbers and their texts",
    `return [(1.005).toFixed(2), (255).toString(16), parseInt("0x1f"), Number("1e3"), 0.1 + 0.2, Number.isInteger(5.0), (1234.5).toLocaleString !== undefined, Math.max(...[1, 5, 3]), Math.trunc(-1.5)]`,
    ["1.00", "ff", 31, 1000, 0.30000000000000004, true, true, 5, -1],
  ],
  [
    "text methods",
    `return ["a".padStart(3, "-"), "abc".at(-1), "a-b-c".replaceAll("-", "+"), " x ".trim(), "aXb".toLowerCase(), "abc".includes("b"), "é".normalize("NFD").length, "x".codePointAt(0), "ab".repeat(2)]`,
    ["--a", "c", "a+b+c", "x", "axb", true, 2, 120, "abab"],
  ],
  [
    "proxies and reflect",
    `const p = new Proxy({}, { get: (t, k) => k + "!", has: () => true }); return [p.x, "y" in p, Reflect.ownKeys({ b: 1, a: 2 }), Reflect.has({ z: 1 }, "z")]`,
    ["x!", true, ["b", "a"], true],
  ],
  [
    "symbols and own iterators",
    `const o = { *[Symbol.iterator]() { yield* [1, 2] }, get [Symbol.toStringTag]() { return "T" } }; return [[...o], String(o)]`,
    [[1, 2], "[object T]"],
  ],
  [
    "getters, setters and property descriptors",
    `const o = { _a: 1, get a() { return this._a }, set a(v) { this._a = v * 2 } }; o.a = 3; Object.defineProperty(o, "h", { value: 1, enumerable: false }); return [o.a, Object.keys(o), Object.getOwnPropertyNames(o).length]`,
    [6, ["_a", "a"], 3],
  ],
  [
    "weak maps for private data",
    `const w = new WeakMap(); const k = {}; w.set(k, 1); const s = new WeakSet([k]); return [w.get(k), s.has(k), w.has({})]`,
    [1, true, false],
  ],
  [
    "typed arrays and views",
    `const b = new Uint8Array([1, 2, 3]); const v = new DataView(b.buffer); return [[...b.map((x) => x * 2)], v.getUint16(0), Array.from(new Float32Array([0.5]))]`,
    [[2, 4, 6], 258, [0.5]],
  ],
  [
    "closures, currying and memoizing",
    `const memo = (f, c = {}) => (x) => (c[x] ??= f(x)); let n = 0; const sq = memo((x) => (n++, x * x)); sq(3); sq(3); const add = (a) => (b) => a + b; return [sq(3), n, add(1)(2)]`,
    [9, 1, 3],
  ],
  [
    "labels, switch and loops of every kind",
    `const r = []; outer: for (let i = 0; i < 3; i++) { for (const j of [0, 1]) { if (j) continue outer; if (i === 2) break outer; r.push(i) } } for (const k in { a: 1 }) r.push(k); let d = 0; do d++; while (d < 3); switch (d) { case 3: r.push("three"); break; default: r.push("no") } return r`,
    [0, 1, "a", "three"],
  ],
  [
    "recursion over a tree",
    `const sum = (t) => t.v + (t.c ?? []).reduce((s, x) => s + sum(x), 0); return sum({ v: 1, c: [{ v: 2 }, { v: 3, c: [{ v: 4 }] }] })`,
    10,
  ],
  [
    "structured data from text lines",
    `const csv = "n,q\\na,1\\nb,2"; const [h, ...rows] = csv.split("\\n").map((l) => l.split(",")); return rows.map((r) => Object.fromEntries(r.map((v, i) => [h[i], v])))`,
    [
      { n: "a", q: "1" },
      { n: "b", q: "2" },
    ],
  ],
  [
    "instanceof Function and typeof",
    `return [(() => 1) instanceof Function, typeof class {}, Object.prototype.toString.call([]), Array.isArray([]), {} instanceof Object]`,
    [true, "function", "[object Array]", true, true],
  ],
  [
    "bind, call and apply",
    `function f(a, b) { return [this.x, a, b] } return [f.bind({ x: 1 }, 2)(3), f.call({ x: 4 }, 5, 6), f.apply({ x: 7 }, [8, 9])]`,
    [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
  ],
  [
    "copying deeply and freezing",
    `const a = { x: { y: [1] } }; const b = JSON.parse(JSON.stringify(a)); b.x.y.push(2); const f = Object.freeze({ z: 1 }); let threw = false; try { f.z = 2 } catch { threw = true } return [a, b, threw]`,
    [{ x: { y: [1] } }, { x: { y: [1, 2] } }, true],
  ],
];

describe("ordinary programs", () => {
  it.each(programs)("run %s", async (_title, body, expected) => {
    const run = await runProgram(
      `const body = async () => { ${body} };\nemit({ result: (await body()) ?? null });`,
    );
    expect(run.of("exception")).toEqual([]);
    // A second parse: what JSON drops or bends is compared as JSON has it.
    expect(run.events).toEqual([{ result: JSON.parse(JSON.stringify(expected)) }]);
  });

  it("run the same twice, random numbers included", async () => {
    const source = "emit({ r: [Math.random(), Math.random()], range: Math.random() < 1 });";
    const [one, other] = [await runProgram(source), await runProgram(source)];
    expect(one.events).toEqual(other.events);
    expect(new Set(one.events[0]!.r as number[]).size).toBe(2);
  });

  it("import what the policy admits, statically and later, and run a module as the program", async () => {
    const files = {
      "lib/a.js": "import { b } from 'b'; export const a = b + 1; export default 'd';",
      "lib/b.js": "export const b = 1;",
    };
    const flags = ["--module=./a=lib/a.js", "--module=b=lib/b.js"];
    const run = await runProgram(
      `import d, { a } from "./a"; const later = await import("b"); emit({ a, d, b: later.b, v: await importValue("b", "b") });`,
      { files, flags },
    );
    expect(run.events).toEqual([{ a: 2, d: "d", b: 1, v: 1 }]);
    const main = await runProgram("", {
      files: { ...files, "main.js": "import { a } from './a'; emit({ a });" },
      flags: [...flags, "--module=main=main.js", "--entry-module=main"],
    });
    expect(main.events).toEqual([{ a: 2 }]);
  });

  it("are modules: strict, without a this, with await at the top and imports anywhere", async () => {
    const run = await runProgram(
      `emit({ self: typeof this, called: (function () { return typeof this })(), later: await Promise.resolve(1) });
      import { b } from "b"; emit({ b });`,
      { files: { "b.js": "export const b = 2;" }, flags: ["--module=b=b.js"] },
    );
    expect(run.events).toEqual([{ self: "undefined", called: "undefined", later: 1 }, { b: 2 }]);
  });

  it("are told what to use instead of a console or a timer", async () => {
    const run = await runProgram("console.log(1)");
    expect(run.of("exception")[0]!.hint).toContain("use emit");
    expect((await runProgram("setTimeout(() => {}, 1)")).of("exception")[0]!.hint).toContain(
      "scheduler.sleep",
    );
  });
});
