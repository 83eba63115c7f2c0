/**
 * The one byte form of a JSON value (RFC 8785, JSON Canonicalization Scheme): members sorted by UTF-16 code
 * units, no white space, numbers and strings as ECMAScript writes them. What is hashed is this form, so that
 * the same content has the same digest on every machine and in every key order.
 */
import { Rejection } from "./errors.ts";

/** A surrogate without its partner: with the `u` flag, a paired one is another code point and does not match. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * The canonical JSON of `value`.
 * @throws Rejection `JSON_NOT_CANONICAL` where the RFC demands an error (a number that is not finite, a lone
 *   surrogate) and for what JSON cannot say at all: undefined, a function, a symbol, a bigint, a Date, a Map.
 *   Such a member is never dropped: two different values must not share a digest.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      return canonicalString(value);
    case "number":
      return canonicalNumber(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      throw notCanonical(`a value of type ${typeof value} has no JSON form`);
  }
}

function canonicalString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw notCanonical("a string holds half of a surrogate pair");
  return JSON.stringify(text);
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw notCanonical(`${value} has no JSON form`);
  // ECMAScript's own number text is what the RFC prescribes; it writes -0 as 0.
  return String(value);
}

function canonicalArray(items: readonly unknown[]): string {
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ",";
    text += canonicalJson(items[index]);
  }
  return `${text}]`;
}

function canonicalObject(value: object): string {
  const prototype = Object.getPrototypeOf(value);
  // Compared by shape, not by identity: an object of another realm is as plain.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw notCanonical("only plain objects and arrays have a JSON form");
  }
  const members = value as Readonly<Record<string, unknown>>;
  let text = "{";
  let separator = "";
  // The default order of sort() is by UTF-16 code units, as the RFC asks.
  for (const name of Object.keys(members).sort()) {
    text += `${separator}${canonicalString(name)}:${canonicalJson(members[name])}`;
    separator = ",";
  }
  return `${text}}`;
}

function notCanonical(why: string): Rejection {
  return new Rejection("JSON_NOT_CANONICAL", `The value cannot be written as canonical JSON: ${why}.`);
}
