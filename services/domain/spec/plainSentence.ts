/** The issues of the schema library in words that a caller can act on. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/**
 * What is wrong at one place, as a sentence that says what to write there. Pure.
 * @param value what stands there
 */
export function plainSentence(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue, value);
    case "too_small":
      return bound("at least", issue.minimum, issue.origin);
    case "too_big":
      return bound("at most", issue.maximum, issue.origin);
    case "invalid_value":
      return `must be one of ${issue.values.map((one) => JSON.stringify(one)).join(", ")}`;
    case "invalid_key":
      return `as a name ${issue.issues.map((one) => plainSentence(one as Issue, undefined)).join("; ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? ownWords(issue.message, "has not the right form");
    default:
      return ownWords(issue.message, "is not valid");
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: "must be a time of RFC 3339 in UTC, such as 2026-11-29T12:00:00Z",
};

/** A schema's own words, where it has some; the library's begin with "Invalid" and say nothing. */
function ownWords(message: string, otherwise: string): string {
  return message.startsWith("Invalid") ? otherwise : message;
}

function bound(word: "at least" | "at most", limit: number | bigint, origin: string): string {
  if (origin === "string") return `must have ${word} ${limit} characters`;
  if (origin === "array") return `must have ${word} ${limit} items`;
  return `must be ${word} ${limit}`;
}

const WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "a map",
  record: "a map",
  string: "text",
};

function wrongType(issue: z.core.$ZodIssueInvalidType, value: unknown): string {
  // A schema's own words, where it has some, know more than the type.
  if (!issue.message.startsWith("Invalid input")) return issue.message;
  if (value === undefined) return "is missing";
  const wanted = WORDS[issue.expected] ?? issue.expected;
  const isBare = issue.expected === "string" && (typeof value === "number" || typeof value === "boolean");
  const advice = isBare ? `; write it in quotes, "${value}"` : "";
  return `must be ${wanted}, not ${typeName(value)}${advice}`;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return Number.isInteger(value) ? "a number" : "a fraction";
  return typeof value === "boolean" ? "true or false" : typeof value;
}
