/** What is stored of a connection, and how it changes. Pure. */
import { z } from "zod";
import { isTooShort } from "../redaction/secretForms.ts";

/** The secrets themselves; they exist sealed, in a grant, and in memory while output is masked. */
export interface ConnectionValues {
  readonly environment: Readonly<Record<string, string>>;
  /** Content as base64, by path below the connection's folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly registry: { readonly host: string; readonly username: string; readonly password: string } | null;
}

const current = z.object({
  environment: z.array(z.string()),
  files: z.array(z.string()),
  registry: z.object({ host: z.string(), username: z.string() }).nullable(),
  description: z.string().nullable(),
  /** {@link ConnectionValues} as JSON, sealed. */
  sealed: z.string(),
  created_at: z.number(),
  created_by: z.string(),
  updated_at: z.number(),
  updated_by: z.string(),
});

/** `<tenant>.<name>` in the bucket. */
export const connectionRecord = z.object({
  /** Of the newest values; grows for ever, over removals too. */
  version: z.number().int().nonnegative(),
  /** Null when it was removed: nothing new uses it. */
  current: current.nullable(),
  /** What it held before, newest first, for masking alone. */
  past: z.array(z.object({ version: z.number().int(), sealed: z.string() })),
});
export type ConnectionRecord = z.output<typeof connectionRecord>;
type Current = NonNullable<ConnectionRecord["current"]>;

export const noRecord: ConnectionRecord = { version: 0, current: null, past: [] };

/** A connection as it may be shown: names, never values. */
export type Connection = Omit<Current, "sealed"> & { readonly name: string; readonly version: number };

/** What is kept of earlier values; beyond it the oldest go. A stored message is at most 1 MiB. */
export const PAST_CHARS_MAX = 384 * 1024;

/** The record with these values as the newest. @param sealed for version + 1 */
export function replaced(
  record: ConnectionRecord,
  to: {
    readonly values: ConnectionValues;
    readonly sealed: string;
    readonly description: string | null;
    readonly at: number;
    readonly by: string;
  },
): ConnectionRecord {
  const { values, sealed, description, at, by } = to;
  const { registry } = values;
  const before = record.current;
  return {
    version: record.version + 1,
    current: {
      environment: Object.keys(values.environment).sort(),
      files: Object.keys(values.files).sort(),
      registry: registry === null ? null : { host: registry.host, username: registry.username },
      description,
      sealed,
      created_at: before?.created_at ?? at,
      created_by: before?.created_by ?? by,
      updated_at: at,
      updated_by: by,
    },
    past: pastOf(record),
  };
}

/** The record of a connection that nothing new may use. */
export function removed(record: ConnectionRecord): ConnectionRecord {
  return record.current === null ? record : { ...record, current: null, past: pastOf(record) };
}

function pastOf({ version, current: newest, past }: ConnectionRecord): ConnectionRecord["past"] {
  const all = newest === null ? past : [{ version, sealed: newest.sealed }, ...past];
  let chars = 0;
  return all.filter(({ sealed }) => {
    chars += sealed.length;
    return chars <= PAST_CHARS_MAX;
  });
}

export function shown(name: string, record: ConnectionRecord): Connection | null {
  if (record.current === null) return null;
  const { sealed: _, ...rest } = record.current;
  return { name, version: record.version, ...rest };
}

/** Values that output cannot be masked for, by where they stand; see `isTooShort`. */
export function shortValues({ environment, files, registry }: ConnectionValues): readonly string[] {
  const named = [
    ...Object.entries(environment).map(
      ([name, value]) => [`/environment/${name}`, Buffer.from(value)] as const,
    ),
    ...Object.entries(files).map(
      ([path, content]) => [`/files/${pointed(path)}`, Buffer.from(content, "base64")] as const,
    ),
    ...(registry === null ? [] : [["/registry/password", Buffer.from(registry.password)] as const]),
  ];
  return named.filter(([, bytes]) => isTooShort(bytes)).map(([pointer]) => pointer);
}

/** As a part of a JSON pointer (RFC 6901). */
function pointed(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Every value of these, as the bytes to look for in output. */
export function secretBytes(all: readonly ConnectionValues[]): readonly Uint8Array[] {
  return all.flatMap(({ environment, files, registry }) => [
    ...Object.values(environment).map((value) => Buffer.from(value)),
    ...Object.values(files).map((content) => Buffer.from(content, "base64")),
    ...(registry === null ? [] : [Buffer.from(registry.password)]),
  ]);
}
