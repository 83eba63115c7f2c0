import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { canonicalSpec } from "../../kernel/canonicalSpec.ts";
import { isRefusal, type Refusal } from "../refusal.ts";
import * as limits from "./limits.ts";
import { parseSpecText } from "./parseSpecText.ts";
import { readSpec } from "./readSpec.ts";
import { fieldsAt, type WorkloadSpec, type WorkloadSpecInput, workloadSpecSchema } from "./workloadSpec.ts";

function specOf(input: unknown): WorkloadSpec {
  const read = readSpec(input);
  if (isRefusal(read)) throw new Error(JSON.stringify(read));
  return read.spec;
}

function refusalOf(input: unknown): Refusal {
  const read = readSpec(input);
  if (!isRefusal(read)) throw new Error(`was read as ${JSON.stringify(read.spec)}`);
  return read;
}

/** A spec with `more`, refused: its code and the pointers of what is wrong. */
function faults(more: Record<string, unknown>): { code: string; pointers: string[] } {
  const refusal = refusalOf({ image: "alpine", ...more });
  return { code: refusal.code, pointers: (refusal.details ?? []).map((one) => one.pointer) };
}

describe("readSpec", () => {
  it("fills in every default", () => {
    expect(specOf({ image: "alpine:latest" })).toEqual({
      image: "alpine:latest",
      script: null,
      command: [],
      entrypoint: null,
      environment: {},
      workdir: null,
      user: null,
      stdin_from_prev: false,
      timeout_seconds: 3600,
      resources: { cpus: 1, memory: 512 * 1024 ** 2, pids: 256, tmpfs: 64 * 1024 ** 2 },
      max_retries: 0,
      priority: 0,
      ttl_seconds: null,
      start_within_seconds: null,
      concurrency_key: null,
      concurrency_limit: 1,
      artifact_ttl_seconds: 604_800,
      max_output_bytes: 16 * 1024 ** 2,
      selector: { node: null, labels: {} },
      tags: [],
      network: "bridge",
      mounts: [],
      pull_policy: "if_not_present",
      read_only: false,
      output_format: "text",
      output_sinks: [],
      name: null,
      labels: {},
      rationale: null,
      connections: [],
    });
  });

  it("gives each spec its own lists and maps", () => {
    specOf({ image: "a" }).tags.push("x");
    specOf({ image: "a" }).environment.A = "x";
    specOf({ image: "a" }).selector.labels.a = "x";
    expect(specOf({ image: "a" })).toMatchObject({ tags: [], environment: {}, selector: { labels: {} } });
  });

  it("keeps an image and the words of a command as they were given", () => {
    const spec = specOf({ image: "alpine", command: ["sh", "-c", " echo  'x' \n"], entrypoint: [] });
    expect(spec).toMatchObject({ image: "alpine", command: ["sh", "-c", " echo  'x' \n"], entrypoint: [] });
  });

  it("normalises paths, so that what was checked is what is used", () => {
    const spec = specOf({
      image: "a",
      workdir: "/srv/../app/",
      mounts: [{ source: "/data//x/.", target: "/in/" }],
    });
    expect(spec.workdir).toBe("/app");
    expect(spec.mounts).toEqual([{ source: "/data/x", target: "/in", read_only: true }]);
  });

  it.each([
    ["null", null],
    ["a text", "image: alpine"],
    ["a number", 7],
    ["a list", [{ image: "alpine" }]],
    ["nothing", undefined],
    ["a function", () => 1],
    ["a date", new Date(0)],
  ])("refuses %s in place of a spec", (_, input) => {
    expect(refusalOf(input)).toMatchObject({ code: "SPEC_INVALID", details: [{ pointer: "" }] });
  });

  it("wants an image", () => {
    expect(refusalOf({}).details).toEqual([
      { pointer: "/image", message: "is missing: say which image or script to run" },
    ]);
  });

  it("refuses a script beside an image", () => {
    expect(faults({ script: "1" })).toEqual({ code: "SPEC_INVALID", pointers: ["/script"] });
  });

  it("says that a command is an argv", () => {
    const refusal = refusalOf({ image: "a", command: "echo hi" });
    expect(refusal.message).toContain("a command is an argv, never a shell string");
    expect(refusalOf({ image: "a", entrypoint: "sh" }).message).toContain("argv");
  });

  it("tells how to write a number that is meant as text", () => {
    expect(refusalOf({ image: "a", command: ["sleep", 5] }).details).toEqual([
      { pointer: "/command/1", message: 'must be text, not a number; write it in quotes, "5"' },
    ]);
  });

  describe("bad values", () => {
    it.each<[string, Record<string, unknown>, string]>([
      ["a negative timeout", { timeout_seconds: -1 }, "/timeout_seconds"],
      ["a timeout of 0", { timeout_seconds: 0 }, "/timeout_seconds"],
      ["a timeout over a week", { timeout_seconds: 604_801 }, "/timeout_seconds"],
      ["a timeout in fractions", { timeout_seconds: 1.5 }, "/timeout_seconds"],
      ["a timeout as text", { timeout_seconds: "60" }, "/timeout_seconds"],
      ["an infinite timeout", { timeout_seconds: Number.POSITIVE_INFINITY }, "/timeout_seconds"],
      ["NaN CPUs", { resources: { cpus: Number.NaN } }, "/resources/cpus"],
      ["negative CPUs", { resources: { cpus: -0.5 } }, "/resources/cpus"],
      ["no CPUs", { resources: { cpus: 0 } }, "/resources/cpus"],
      ["huge CPUs", { resources: { cpus: 1e300 } }, "/resources/cpus"],
      ["memory of 1 byte", { resources: { memory: 1 } }, "/resources/memory"],
      ["memory that is no size", { resources: { memory: "much" } }, "/resources/memory"],
      ["memory as a list", { resources: { memory: [] } }, "/resources/memory"],
      ["negative memory", { resources: { memory: "-1g" } }, "/resources/memory"],
      ["huge memory", { resources: { memory: "1000t" } }, "/resources/memory"],
      ["no pids", { resources: { pids: 0 } }, "/resources/pids"],
      ["huge pids", { resources: { pids: 1e9 } }, "/resources/pids"],
      ["a huge tmpfs", { resources: { tmpfs: "9999t" } }, "/resources/tmpfs"],
      ["21 retries", { max_retries: 21 }, "/max_retries"],
      ["a priority of 101", { priority: 101 }, "/priority"],
      ["an output cap over 1 GiB", { max_output_bytes: 1024 ** 3 + 1 }, "/max_output_bytes"],
      ["a negative output cap", { max_output_bytes: -1 }, "/max_output_bytes"],
      ["NUL in a command", { command: ["echo", "a\0b"] }, "/command/1"],
      ["NUL in an environment value", { environment: { A: "x\0" } }, "/environment/A"],
      ["NUL in the rationale", { rationale: "\0" }, "/rationale"],
      ["half a surrogate pair", { rationale: "\ud800" }, "/rationale"],
      ["an image with a space", { image: "alpine latest" }, "/image"],
      ["an image that is an option", { image: "--privileged" }, "/image"],
      ["an empty image", { image: "" }, "/image"],
      ["an environment name with a dash", { environment: { "A-B": "x" } }, "/environment/A-B"],
      ["an environment name that begins with a digit", { environment: { "1A": "x" } }, "/environment/1A"],
      ["a number as an environment name", { environment: { 1: "x" } }, "/environment/1"],
      ["an empty environment name", { environment: { "": "x" } }, "/environment/"],
      [
        "a reserved environment name",
        { environment: { CAZI_WORKLOAD_TOKEN: "x" } },
        "/environment/CAZI_WORKLOAD_TOKEN",
      ],
      ["a number in the environment", { environment: { PORT: 8080 } }, "/environment/PORT"],
      [
        "more than 64 KiB of environment",
        { environment: { A: "x".repeat(40_000), B: "x".repeat(30_000) } },
        "/environment",
      ],
      ["64 KiB of environment in bytes", { environment: { A: "€".repeat(30_000) } }, "/environment"],
      ["an argument that no kernel takes", { command: ["x".repeat(131_072)] }, "/command/0"],
      ["too many arguments", { command: new Array(1025).fill("x") }, "/command"],
      ["a relative workdir", { workdir: "app" }, "/workdir"],
      ["a workdir in /proc", { workdir: "/proc/self/fd/8" }, "/workdir"],
      ["a workdir that climbs into /proc", { workdir: "/a/../proc/self/fd/8" }, "/workdir"],
      ["a user with a space", { user: "root --privileged" }, "/user"],
      ["a user as a number", { user: 1000 }, "/user"],
      ["the host's network", { network: "host" }, "/network"],
      ["another container's network", { network: "container:abc" }, "/network"],
      ["an unknown pull policy", { pull_policy: "sometimes" }, "/pull_policy"],
      ["an unknown output format", { output_format: "xml" }, "/output_format"],
      ["a word for true", { read_only: "yes" }, "/read_only"],
      ["a node name with a dot", { selector: { node: "a.b" } }, "/selector/node"],
      ["a node name with a wildcard", { selector: { node: "*" } }, "/selector/node"],
      ["an unknown selector", { selector: { zone: "a" } }, "/selector/zone"],
      ["a label that is a number", { labels: { a: 1 } }, "/labels/a"],
      ["a label name with a space", { labels: { "a b": "x" } }, "/labels/a b"],
      ["a long label", { labels: { a: "x".repeat(257) } }, "/labels/a"],
      ["a label of two lines", { selector: { labels: { a: "x\ny" } } }, "/selector/labels/a"],
      [
        "too many labels",
        { labels: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`l${i}`, ""])) },
        "/labels",
      ],
      ["the same tag twice", { tags: ["a", "a"] }, "/tags/1"],
      ["too many tags", { tags: Array.from({ length: 33 }, (_, i) => `t${i}`) }, "/tags"],
      ["a name of two lines", { name: "a\nb" }, "/name"],
      ["a name with an escape sequence", { name: "\u001b[31m" }, "/name"],
      ["a name that turns its direction", { name: "a\u202eb" }, "/name"],
      ["an empty name", { name: "" }, "/name"],
      ["a name of 129 characters", { name: "x".repeat(129) }, "/name"],
      ["a rationale over 8 KiB", { rationale: "€".repeat(3000) }, "/rationale"],
      ["an escape sequence in the rationale", { rationale: "\u001b]0;x\u0007" }, "/rationale"],
      [
        "a name that schemas drop",
        { environment: JSON.parse('{"__proto__":"x"}') },
        "/environment/__proto__",
      ],
      ["a map of the wrong kind", { environment: ["A=x"] }, "/environment"],
      ["null for a list", { command: null }, "/command"],
      ["a bigint", { priority: 1n }, "/priority"],
    ])("refuses %s with a pointer", (_, more, pointer) => {
      expect(faults(more)).toEqual({ code: "SPEC_INVALID", pointers: expect.arrayContaining([pointer]) });
    });

    it.each<[string, unknown, string]>([
      ["a relative source", { source: "data", target: "/a" }, "/mounts/0/source"],
      ["the engine's socket", { source: "/var/run/docker.sock", target: "/a" }, "/mounts/0/source"],
      ["the engine's socket elsewhere", { source: "/x/docker.sock", target: "/a" }, "/mounts/0/source"],
      ["the root of the host", { source: "/", target: "/a" }, "/mounts/0/source"],
      ["a way round to /etc", { source: "/srv/../etc/./shadow", target: "/a" }, "/mounts/0/source"],
      ["a folder that holds a forbidden one", { source: "/var", target: "/a" }, "/mounts/0/source"],
      ["a source with a colon", { source: "/a:/etc", target: "/a" }, "/mounts/0/source"],
      ["the root as a target", { source: "/srv", target: "/" }, "/mounts/0/target"],
      ["a way round to the root", { source: "/srv", target: "/a/.." }, "/mounts/0/target"],
      ["a target in /proc", { source: "/srv", target: "/proc/sys" }, "/mounts/0/target"],
      ["a target in /dev", { source: "/srv", target: "//dev/shm" }, "/mounts/0/target"],
      ["no target", { source: "/srv" }, "/mounts/0/target"],
      ["an option that does not exist", { source: "/srv", target: "/a", mode: "rw" }, "/mounts/0/mode"],
      ["a bind string", "/srv:/a:rw", "/mounts/0"],
    ])("refuses a mount of %s", (_, mount, pointer) => {
      expect(faults({ mounts: [mount] })).toEqual({
        code: "SPEC_INVALID",
        pointers: expect.arrayContaining([pointer]),
      });
    });

    it("refuses two mounts at one target, however it is spelled", () => {
      const mounts = [
        { source: "/srv/a", target: "/in" },
        { source: "/srv/b", target: "/x/../in/" },
      ];
      expect(faults({ mounts })).toEqual({ code: "SPEC_INVALID", pointers: ["/mounts/1/target"] });
    });

    it("reports every fault at once, each place once", () => {
      const { pointers } = faults({
        timeout_seconds: -1,
        command: "x",
        resources: { cpus: "1" },
        prority: 1,
      });
      expect(pointers.sort()).toEqual(["/command", "/prority", "/resources/cpus", "/timeout_seconds"]);
    });
  });

  describe("unknown fields", () => {
    it.each([
      ["imag", "image"],
      ["env", "environment"],
      ["timeout", "timeout_seconds"],
      ["timeoutSeconds", "timeout_seconds"],
      ["volumes", "mounts"],
      ["args", "command"],
      ["memory", "resources.memory"],
    ])("takes %s for %s", (name, nearest) => {
      expect(refusalOf({ image: "a", [name]: "x" }).details).toEqual([
        { pointer: `/${name}`, message: `is not a known field; did you mean ${nearest}?` },
      ]);
    });

    it("names the nearest one of a part", () => {
      expect(refusalOf({ image: "a", resources: { mem: "1g" } }).message).toContain("did you mean memory?");
    });

    it("lists the known ones where none is near", () => {
      expect(refusalOf({ image: "a", xyzzy: 1 }).message).toContain(
        "known are image, script, project, command",
      );
    });
  });

  describe("the output of the task before", () => {
    const downstreamOf = (spec: object) => specOf({ image: "a", output_sinks: [{ type: "task", spec }] });
    const stdinOf = (spec: object) => {
      const [sink] = downstreamOf(spec).output_sinks;
      return sink?.type === "task" && sink.spec?.stdin_from_prev;
    };

    it("is refused where no task is before, and the refusal says what to do", () => {
      const refusal = refusalOf({ image: "a", stdin_from_prev: true });
      expect(refusal).toMatchObject({
        code: "STDIN_WITHOUT_PREVIOUS",
        details: [{ pointer: "/stdin_from_prev" }],
        hint: expect.stringContaining("task sink"),
      });
    });

    it("is given to a container that follows a task, unless its spec says no", () => {
      expect(stdinOf({ image: "a" })).toBe(true);
      expect(stdinOf({ image: "a", stdin_from_prev: false })).toBe(false);
      expect(stdinOf({ script: "emit({})" })).toBe(false);
    });

    it("stays what it was when a recorded spec is read again", () => {
      const spec = downstreamOf({ image: "a" });
      expect(specOf(spec)).toEqual(spec);
    });
  });

  describe("hostile inputs", () => {
    it("refuses deep nesting, a cycle too", () => {
      let deep: unknown = "x";
      for (let level = 0; level < 100_000; level++) deep = { a: deep };
      expect(refusalOf({ image: "a", labels: deep }).code).toBe("SPEC_TOO_DEEP");
      const cycle: Record<string, unknown> = { image: "a" };
      cycle.labels = cycle;
      expect(refusalOf(cycle).code).toBe("SPEC_TOO_DEEP");
    });

    it("refuses more values than a spec can need", () => {
      expect(refusalOf({ image: "a", command: new Array(10_000).fill("") }).code).toBe("SPEC_TOO_LARGE");
    });

    it("refuses what would be stored with more than 256 KiB", () => {
      const bells = new Array(4).fill("\u0007".repeat(12_000));
      expect(refusalOf({ image: "a", command: bells }).code).toBe("SPEC_TOO_LARGE");
      expect(refusalOf({ image: "a", command: ["x".repeat(2_000_000)] }).code).toBe("SPEC_TOO_LARGE");
      const texts = new Array(4).fill("x".repeat(70_000));
      expect(refusalOf({ image: "a", command: texts }).code).toBe("SPEC_TOO_LARGE");
    });

    it("answers 9,000 unknown fields with a bounded answer", () => {
      const fields = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`timeout_second${i}`, i]));
      const refusal = refusalOf({ image: "a", ...fields });
      expect(refusal.details?.length).toBeLessThanOrEqual(limits.detailsMax);
      expect(refusal.message.length).toBeLessThan(1000);
    });

    it("does not repeat a hostile key or value at length", () => {
      for (const input of [
        { ["k".repeat(200_000)]: 1 },
        { image: "a ".repeat(100_000) },
        { image: "a", user: "u ".repeat(9999) },
      ]) {
        expect(JSON.stringify(refusalOf(input)).length).toBeLessThan(2000);
      }
    });
  });

  describe("warnings", () => {
    it("warns of a name that looks like a secret, and keeps the value in the record", () => {
      const read = readSpec({ image: "a", environment: { API_TOKEN: "t0p", LANG: "C", DB_PASSWORD: "" } });
      if (isRefusal(read)) throw new Error(read.message);
      expect(read.warnings).toEqual([
        {
          code: "SECRET_IN_ENVIRONMENT",
          pointer: "/environment/API_TOKEN",
          message: expect.stringContaining("API_TOKEN"),
        },
      ]);
      expect(JSON.stringify(read.warnings)).not.toContain("t0p");
      expect(read.spec.environment.API_TOKEN).toBe("t0p");
    });

    it("has none for an ordinary spec", () => {
      expect(readSpec({ image: "a", environment: { PATH: "/bin" } })).toMatchObject({ warnings: [] });
    });
  });

  it("reads the first example of the documents", () => {
    const text = [
      "image: alpine:latest",
      'command: [sh, -c, "echo hello from cazi"]',
      "timeout_seconds: 60",
      "output_format: text",
      "rationale: |",
      "    Smoke-test that the node can pull and run a container.",
    ].join("\n");
    expect(specOf(parseSpecText(text, "auto"))).toMatchObject({
      image: "alpine:latest",
      timeout_seconds: 60,
    });
  });

  it("never throws for any JSON, nor for anything else", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.anything()), (input) => {
        const read = readSpec(input);
        if (isRefusal(read)) expect(read.code).toMatch(/^SPEC_|^FIELD_/);
      }),
      { numRuns: 1000 },
    );
  });

  it("never throws for a spec with anything in any of its fields", () => {
    const names = [...fieldsAt([]), "__proto__", "refused"];
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fc.anything())),
        (input) => {
          const read = readSpec(input);
          if (isRefusal(read)) expect(read.code).toMatch(/^SPEC_|^FIELD_/);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("reads its own output as the same spec with the same digest", () => {
    fc.assert(
      fc.property(anySpec, (input) => {
        const first = specOf(input);
        const second = specOf(JSON.parse(canonicalSpec(first).json));
        expect(second).toEqual(first);
        expect(canonicalSpec(second)).toEqual(canonicalSpec(first));
        expect(specOf(parseSpecText(canonicalSpec(first).json, "json"))).toEqual(first);
      }),
    );
  });
});

describe("the schema", () => {
  it("is documented: every field of input and output has a description", () => {
    for (const io of ["input", "output"] as const) {
      const { properties } = z.toJSONSchema(workloadSpecSchema, { io }) as {
        properties: Record<string, { description?: string }>;
      };
      expect(Object.keys(properties)).toEqual(fieldsAt([]));
      for (const [name, property] of Object.entries(properties))
        expect(property.description, name).toBeTruthy();
    }
  });

  it("asks for nothing but what has no default, and allows no other field", () => {
    const schema = z.toJSONSchema(workloadSpecSchema, { io: "input" });
    expect(schema.required ?? []).toEqual([]);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties?.resources).toMatchObject({ properties: { memory: { default: "512Mi" } } });
  });
});

const word = fc.string({ unit: fc.constantFrom(..."abcxyz019"), minLength: 1, maxLength: 12 });
const path = fc
  .array(fc.constantFrom("a", "b", ".", "q/..", ""), { maxLength: 5 })
  .map((parts) => `/x/../srv/${parts.join("/")}`);
const text = fc.string({ unit: "grapheme", maxLength: 40 }).map((value) => value.replaceAll("\0", ""));
const labels = fc.dictionary(word, word, { maxKeys: 5 });

/** Specs that are valid, in many spellings. */
const anySpec: fc.Arbitrary<WorkloadSpecInput> = fc.record(
  {
    image: fc.tuple(word, word).map(([name, tag]) => `${name}:${tag}`),
    command: fc.array(text, { maxLength: 5 }),
    entrypoint: fc.option(fc.array(text, { maxLength: 3 })),
    environment: fc.dictionary(
      word.map((name) => `E_${name}`),
      text,
      { maxKeys: 5 },
    ),
    user: fc.option(word),
    timeout_seconds: fc.integer({ min: 1, max: limits.timeoutSecondsMax }),
    resources: fc.record(
      {
        cpus: fc.double({ min: limits.cpusMin, max: limits.cpusMax, noNaN: true }),
        memory: fc.oneof(
          fc.integer({ min: 6, max: 4096 }).map((mib) => `${mib}Mi`),
          fc.integer({ min: 2 ** 23, max: 2 ** 40 }),
        ),
        tmpfs: fc.integer({ min: 1, max: 64 }).map((mib) => `${mib}m`),
      },
      { requiredKeys: [] },
    ),
    priority: fc.constantFrom(0, -0),
    max_output_bytes: fc.integer({ min: 1, max: limits.outputBytesMax }),
    selector: fc.record({ node: fc.option(word), labels }, { requiredKeys: [] }),
    tags: fc.uniqueArray(word, { maxLength: 5 }),
    network: fc.constantFrom("bridge", "none", "my-net"),
    mounts: fc
      .uniqueArray(path, { maxLength: 3, selector: (source) => source })
      .map((sources) =>
        sources.map((source, index) => ({ source: `/srv/data/${index}${source}`, target: `/m${index}/./` })),
      ),
    read_only: fc.boolean(),
    output_format: fc.constantFrom("text", "json", "ndjson", "markdown"),
    name: fc.option(word),
    labels,
    rationale: fc.option(word),
  },
  { requiredKeys: ["image"] },
);
