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
  return {
    fields,
    text,
    record: (value) =>
      mapJson(value, leaf, (key) =>
        names.has(key.toLowerCase()) ? { key, value: REDACTED } : { key: text(key) },
      ) as JsonObject,
    values: (value) =>
      forms.length === 0 ? value : (mapJson(value, leaf, (key) => ({ key: text(key) })) as typeof value),
  };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  return [secret, encodeURIComponent(secret), base64, bytes.toString("base64url")];
}
