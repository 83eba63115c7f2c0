/** Reads Prometheus' text format as strictly as its own parser does, so that a test fails on what it would refuse. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\[\\\\"n])*)"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (NaN|[+-]Inf|[+-]?[0-9.e+-]+)$`);
const TYPES = new Set(["counter", "gauge", "histogram", "summary", "untyped"]);

/** @throws Error naming the line that is none, or a series that is there twice */
export function parsePrometheus(text: string): ReadonlyMap<string, ParsedFamily> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const comment = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line);
    if (comment !== null) {
      const [, kind, name, rest] = comment as unknown as [string, string, string, string];
      const family = families.get(name) ?? { type: "", help: "", samples: [] };
      if (kind === "TYPE" && !TYPES.has(rest)) throw new Error(`not a type: ${line}`);
      families.set(name, { ...family, [kind.toLowerCase()]: rest });
      continue;
    }
    const sample = readSample(line);
    const key = line.slice(0, line.lastIndexOf(" "));
    if (seen.has(key)) throw new Error(`twice: ${line}`);
    seen.add(key);
    familyOf(families, sample.name).samples.push(sample);
  }
  return families;
}

/** The value of the one series with exactly these labels; undefined where there is none. */
export function figureOf(
  families: ReadonlyMap<string, ParsedFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = JSON.stringify(Object.entries(labels).sort());
  for (const { samples } of families.values()) {
    for (const one of samples)
      if (one.name === name && JSON.stringify(Object.entries(one.labels).sort()) === wanted) return one.value;
  }
  return undefined;
}

function readSample(line: string): Sample {
  const match = SAMPLE.exec(line);
  if (match === null) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  for (const [, name, value] of (match[2] ?? "").matchAll(new RegExp(LABEL, "g"))) {
    if (name! in labels) throw new Error(`a label twice: ${line}`);
    labels[name!] = value!.replace(/\\(.)/g, (_, char) => (char === "n" ? "\n" : char));
  }
  const text = match.at(-1)!;
  const value = text === "NaN" ? Number.NaN : Number(text.replace("Inf", "Infinity"));
  if (Number.isNaN(value) && text !== "NaN") throw new Error(`not a number: ${line}`);
  return { name: match[1]!, labels, value };
}

function familyOf(families: Map<string, { type: string; help: string; samples: Sample[] }>, name: string) {
  const own = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""));
  if (own === undefined || own.type === "") throw new Error(`no TYPE before ${name}`);
  return own;
}
