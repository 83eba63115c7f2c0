/** The kinds of settings: how each is read from text, and written again. */
import { resolve } from "node:path";
import { parseMemorySize } from "../domain/spec/memorySize.ts";

/** One setting: its variable, default, meaning, and how it is read. */
export interface Setting<T> {
  readonly variable: string;
  readonly fallback: T;
  readonly about: string;
  readonly secret?: true;
  readonly parse: (text: string) => T;
  /** The value as a user would write it. */
  show?(value: T): string;
}

export const text = (value: string) => value;
export const path = (value: string) => resolve(value);
export const list = (value: string): readonly string[] =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export function integer(minimum: number, maximum: number) {
  return (value: string) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

/** A number that may have a fraction. */
export function decimal(minimum: number, maximum: number) {
  return (value: string) => {
    const number = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

/** Kept as bytes. */
export function memorySize(value: string): number {
  const bytes = parseMemorySize(value);
  if (typeof bytes !== "number") throw new Error(bytes.message);
  return bytes;
}

export function ports(value: string): readonly number[] {
  return list(value).map(integer(1, 65_535));
}

/** An address with one of the given schemes. The value may hold a password, so it is not repeated. */
export function address(...schemes: readonly string[]) {
  return (value: string) => {
    const scheme = /^([a-z]+):\/\/[^\s]/.exec(value)?.[1];
    const known = scheme !== undefined && schemes.includes(scheme);
    if (!known || (scheme !== "unix" && !URL.canParse(value))) {
      throw new Error(
        `must be an address that begins with ${schemes.map((one) => `${one}://`).join(" or ")}`,
      );
    }
    return value;
  };
}

/** Addresses of one service, separated by commas. */
export function addresses(...schemes: readonly string[]) {
  const one = address(...schemes);
  return (value: string) => list(value).map(one).join(",");
}

export function listenAddress(value: string): string {
  const [, port] = /^(?:[a-zA-Z0-9.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})$/.exec(value) ?? [];
  if (port === undefined || Number(port) > 65_535 || Number(port) === 0) throw new Error("must be host:port");
  return value;
}

export function publicAddress(value: string): string {
  return address("http", "https")(value).replace(/\/+$/, "");
}

/** Seconds, a fraction allowed; kept as milliseconds. */
function seconds(value: string): number {
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number <= 0 || number > 86_400) {
    throw new Error("must be a number of seconds above 0 and at most 86400");
  }
  return Math.round(number * 1000);
}

export function oneOf<const T extends string>(...allowed: readonly T[]) {
  return (value: string): T => {
    const found = allowed.find((item) => item === value);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(", ")}`);
    return found;
  };
}

export function pairs(value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list(value).map((item) => {
      const at = item.indexOf("=");
      if (at < 1) throw new Error("must be name=value, separated by commas");
      return [item.slice(0, at), item.slice(at + 1)];
    }),
  );
}

export function setting<T>(
  variable: string,
  fallback: T,
  parse: (value: string) => T,
  about: string,
): Setting<T> {
  return { variable, fallback, parse, about };
}

/** A duration: written in seconds, kept in milliseconds. */
export function duration(variable: string, fallbackMs: number, about: string): Setting<number> {
  return { variable, fallback: fallbackMs, parse: seconds, about, show: (ms) => String(ms / 1000) };
}

/** The same, and 0 for none, which is the default. */
export function durationOrNone(variable: string, about: string): Setting<number> {
  return { ...duration(variable, 0, about), parse: (value) => (value === "0" ? 0 : seconds(value)) };
}

export function secretSetting(variable: string, about: string, parse = text): Setting<string> {
  return { variable, fallback: "", parse, about, secret: true };
}
