/** What the command tables are written with. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliContext } from "./context.ts";
import { formats } from "./output/render.ts";

/** Starts a command's own file; gives the exit code. */
export type Start = (context: CliContext) => Promise<number>;

/** Runs what the chosen command starts. */
export type RunStart = (start: Start) => Promise<void>;

/** Adds one command of the program. */
export type AddCommand = (
  usage: string,
  of: { readonly about: string; readonly examples: readonly string[] },
) => Command;

export function formatOption(fallback: string | undefined, choices: readonly string[] = formats): Option {
  const option = new Option("-o, --output <format>", "form of the data").choices(choices);
  return fallback === undefined ? option : option.default(fallback);
}

/** Reads a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** An option that may be given several times. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Values separated by commas; "" for none. */
export function commaList(text: string): readonly string[] {
  return text.split(",").flatMap((one) => one.trim() || []);
}

/** `name=value`, separated by commas. */
export function commaPairs(text: string): Readonly<Record<string, string>> {
  const pairs = commaList(text).map((one) => one.split(/=(.*)/s).slice(0, 2));
  if (pairs.some(([name, value]) => name === "" || value === undefined)) {
    throw new InvalidArgumentError("It must be name=value, separated by commas.");
  }
  return Object.fromEntries(pairs);
}
