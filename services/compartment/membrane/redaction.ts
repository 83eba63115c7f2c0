/**
 * What must not be in a record: the values of members with certain names, and every known secret value wherever
 * it stands, also percent-encoded or in base 64. The second also guards what the guest is given.
 */
import { type JsonObject, type JsonValue, mapJson } from "./jsonText.ts";

export const REDACTED = "[REDACTED]";
export const REDACTED_FIELDS = ["secret", "token", "password", "api_key"] as const;

/** A shorter secret would stand in ordinary text by chance, and redacting it would spoil the log. */
export const SECRET_CHARACTERS_MIN = 6;

export interface Redactor {
  readonly fields: readonly string[];
  /** For records: by member name and by value. */
  record(value: JsonObject): JsonObject;
  /** JSON text of {@link record}; quick for a record in which nothing is to be redacted, as in nearly all. */
  recordText(value: JsonObject): string;
  /** For what the guest sees: by value only. */
  values<T extends JsonValue>(value: T): T;
  text(text: string): string;
}

/** @param of.fields names beside {@link REDACTED_FIELDS}; compared without case */
export function createRedactor(of: {
  readonly fields: readonly string[];
  readonly secrets: readonly string[];
}): Redactor {
  const fields = [...REDACTED_FIELDS, ...of.fields];
  const names = new Set(fields.map((name) => name.toLowerCase()));
  const forms = [...new Set(of.secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const text = (given: string) => forms.reduce((now, form) => now.replaceAll(form, REDACTED), given);
  const leaf = (value: JsonValue) => (typeof value === "string" && forms.length > 0 ? text(value) : value);
  const record = (value: JsonObject) =>
    mapJson(value, leaf, (key) =>
      names.has(key.toLowerCase()) ? { key, value: REDACTED } : { key: text(key) },
    ) as JsonObject;
  const suspicious = suspicionOf([...names], forms);
  return {
    fields,
    text,
    record,
    recordText(value) {
      const plain = JSON.stringify(value);
      return suspicious.test(plain) ? JSON.stringify(record(value)) : plain;
    },
    values: (value) =>
      forms.length === 0 ? value : (mapJson(value, leaf, (key) => ({ key: text(key) })) as typeof value),
  };
}

/** Finds in JSON text whatever could have to be redacted, and now and then more: it only decides whether to look closer. */
function suspicionOf(names: readonly string[], forms: readonly string[]): RegExp {
  const literal = (text: string) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  // How other letters change with case is more than a pattern knows.
  if (names.some((name) => /[^ -~]/.test(name))) return /^/;
  const members = names.map((name) => `"${literal(name)}":`);
  return new RegExp([...members, ...forms.map(literal)].join("|"), "iu");
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  return [secret, encodeURIComponent(secret), base64, bytes.toString("base64url")];
}
