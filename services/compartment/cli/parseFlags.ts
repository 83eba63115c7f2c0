/**
 * The flag grammar of every command. Pure. `--f=v` and `--f v` are the same; only the first `=` splits; a switch takes
 * no value; a value may begin with a dash, but is no flag of the command unless it stands after `=`; an empty or missing value,
 * an unknown flag, a number out of form are refused.
 */
import { Rejection } from "../../kernel/errors.ts";

export interface FlagRule {
  readonly kind: "switch" | "text" | "number" | "list" | "binding";
  /** Shown in the help: the group's heading, the value's form, what it does, what holds without it. */
  readonly group: string;
  readonly form?: string;
  readonly about: string;
  readonly fallback?: string;
}

export type FlagTable = Readonly<Record<string, FlagRule>>;

export interface ParsedFlags {
  readonly positionals: readonly string[];
  readonly switches: ReadonlySet<string>;
  /** Last one wins. */
  readonly texts: ReadonlyMap<string, string>;
  readonly numbers: ReadonlyMap<string, number>;
  /** In the order given. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** `name=value` flags, one value a name. */
  readonly bindings: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const NUMBER_MAX = 2_147_483_647;

/** @throws Rejection `USAGE` */
export function parseFlags(table: FlagTable, words: readonly string[]): ParsedFlags {
  const positionals: string[] = [];
  const switches = new Set<string>();
  const texts = new Map<string, string>();
  const numbers = new Map<string, number>();
  const lists = new Map<string, string[]>();
  const bindings = new Map<string, Map<string, string>>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith("--") || word === "--") {
      if (word.length > 1 && word.startsWith("-")) throw usage(`${word} is not a flag here.`);
      positionals.push(word);
      continue;
    }
    const split = word.indexOf("=");
    const name = split === -1 ? word.slice(2) : word.slice(2, split);
    const rule = Object.hasOwn(table, name) ? table[name]! : null;
    if (rule === null) throw usage(`There is no flag --${name}.`, nearest(name, Object.keys(table)));
    if (rule.kind === "switch") {
      if (split !== -1) throw usage(`--${name} is a switch and takes no value.`);
      switches.add(name);
      continue;
    }
    const value = split === -1 ? words[++at] : word.slice(split + 1);
    if (value === undefined) throw usage(`--${name} needs a value.`);
    if (value === "") throw usage(`--${name} needs a value, and the one given is empty.`);
    if (split === -1 && isFlag(table, value)) {
      throw usage(
        `--${name} needs a value, and ${value} is a flag.`,
        `Write --${name}=${value} if it is meant.`,
      );
    }
    if (rule.kind === "text") texts.set(name, value);
    else if (rule.kind === "number") numbers.set(name, wholeNumber(name, value));
    else if (rule.kind === "list") lists.set(name, [...(lists.get(name) ?? []), value]);
    else addBinding(bindings, name, value);
  }
  return { positionals, switches, texts, numbers, lists, bindings };
}

/** A value may begin with a dash; a flag of this very command where one should be is a value that was left out. */
function isFlag(table: FlagTable, value: string): boolean {
  const [, name] = /^--([^=]+)/.exec(value) ?? [];
  return name !== undefined && Object.hasOwn(table, name);
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > NUMBER_MAX) {
    throw usage(`--${name} takes a whole number up to ${NUMBER_MAX}.`);
  }
  return value;
}

function addBinding(bindings: Map<string, Map<string, string>>, name: string, value: string): void {
  const split = value.indexOf("=");
  if (split < 1 || split === value.length - 1) throw usage(`--${name} takes the form name=value.`);
  const key = value.slice(0, split);
  const known = bindings.get(name) ?? new Map<string, string>();
  if (known.has(key)) throw usage(`--${name} is given twice for ${key}.`);
  bindings.set(name, known.set(key, value.slice(split + 1)));
}

export function usage(message: string, hint?: string): Rejection {
  return new Rejection("USAGE", message, hint === undefined ? {} : { hint });
}

/** A hint with the known name that differs least; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const scored = known
    .map((candidate) => ({ candidate, distance: distance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return scored !== undefined && scored.distance <= 3 ? `Did you mean --${scored.candidate}?` : undefined;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
