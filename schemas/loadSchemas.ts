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

/** A schema from its self-contained form. */
export function loadSchema(schema: SchemaNode): LoadedSchema {
  // Without wrapped unions a nullable field is a plain value or null, as everywhere else in TypeScript.
  const type = avro.Type.forSchema(
    schema as avro.Schema,
    { wrapUnions: false, omitRecordMethods: true } as object,
  );
  const text = JSON.stringify(schema);
  return {
    name: type.name!,
    fingerprint: Buffer.from(crc64Avro(JSON.stringify(type.schema())))
      .reverse()
      .toString("hex"),
    sha256: createHash("sha256").update(text).digest("hex"),
    text,
    type,
  };
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
