import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import avro from "avsc";
import { projectRoot } from "../services/kernel/projectRoot.ts";
import { crc64Avro } from "./crc64Avro.ts";

/** A schema as written or as released: self-contained text, its type and its names. */
export interface LoadedSchema {
  /** Full name, such as `cazi.task.v1.Submitted`. */
  readonly name: string;
  /** CRC-64-AVRO of the canonical form, 16 hex digits, most significant byte first. */
  readonly fingerprint: string;
  /** SHA-256 of {@link text}: the fingerprint ignores defaults and logical types, this does not. */
  readonly sha256: string;
  /** Self-contained JSON: every named type is spelled where it is first used. */
  readonly text: string;
  readonly type: avro.Type;
}

type SchemaNode = string | SchemaNode[] | { readonly fields?: unknown; readonly [key: string]: unknown };

/** The schemas as written in `schemas/<folder>/*.avsc`, which refer to each other by full name. */
export function loadSources(folder: string): ReadonlyMap<string, LoadedSchema> {
  const directory = join(projectRoot, "schemas", folder);
  const written = new Map<string, SchemaNode>();
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".avsc"))) {
    const schema = JSON.parse(readFileSync(join(directory, file), "utf8"));
    written.set(`${schema.namespace}.${schema.name}`, schema);
  }
  return new Map(
    [...written].map(([name, schema]) => [name, loadSchema(inline(schema, written, new Set([name])))]),
  );
}

/**
 * A schema from its self-contained form. Compiled when its type is first asked for: all that were ever released are
 * read at each start, and a process meets few of them.
 * @param fingerprint where it is known already, as that of a released file
 */
export function loadSchema(schema: SchemaNode, fingerprint?: string): LoadedSchema {
  const { namespace, name } = schema as { readonly namespace: string; readonly name: string };
  const text = JSON.stringify(schema);
  const type = once(() => compile(schema));
  const hash = once(() => fingerprint ?? fingerprintOf(type()));
  const sha256 = once(() => createHash("sha256").update(text).digest("hex"));
  return {
    name: `${namespace}.${name}`,
    text,
    get fingerprint() {
      return hash();
    },
    get sha256() {
      return sha256();
    },
    get type() {
      return type();
    },
  };
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function compile(schema: SchemaNode): avro.Type {
  // Without wrapped unions a nullable field is a plain value or null, as everywhere else in TypeScript.
  const options = { wrapUnions: false, omitRecordMethods: true } as object;
  return avro.Type.forSchema(schema as avro.Schema, options);
}

function fingerprintOf(type: avro.Type): string {
  return Buffer.from(crc64Avro(JSON.stringify(type.schema())))
    .reverse()
    .toString("hex");
}

/** Spells each named type where it is first met, depth first, as Avro wants it; later uses are by name. */
function inline(node: SchemaNode, written: ReadonlyMap<string, SchemaNode>, seen: Set<string>): SchemaNode {
  if (typeof node === "string") {
    const named = written.get(node);
    if (named === undefined || seen.has(node)) return node;
    seen.add(node);
    return inline(named, written, seen);
  }
  if (Array.isArray(node)) return node.map((item) => inline(item, written, seen));
  if (!Array.isArray(node.fields)) return node;
  const fields = node.fields.map((field: { type: SchemaNode }) => ({
    ...field,
    type: inline(field.type, written, seen),
  }));
  return { ...node, fields };
}
